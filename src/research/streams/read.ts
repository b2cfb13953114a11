import { daysBefore, isoDate } from '../../days.ts'
import type { Deps } from '../../deps.ts'
import { streamsOn } from '../../providers/streams/index.ts'
import { MAX_ITEMS, type Stream } from '../../providers/streams/types.ts'
import { forProviders, type ProviderParts } from '../../providers/types.ts'
import { type DueFeed, endReading, giveBack, takeDueFeeds } from './feed-store.ts'
import { saveItems } from './item-store.ts'

type Parts = Pick<Deps, 'db'> & ProviderParts
type Options = { streams?: readonly Stream[]; onlyNew?: boolean; deadline?: AbortSignal }

/**
 * Reads the feeds of all streams that are due, each stream on its own, and keeps what they tell. A feed that fails is noted
 * as failed and tried again at its next turn. `onlyNew` reads those that were never read. Ends early when the signal or the
 * deadline does: what was not read is given back.
 */
export async function readStreams(
  parts: Parts,
  signal: AbortSignal,
  { streams = streamsOn(parts.config), onlyNew = false, deadline = signal }: Options = {},
): Promise<{ found: number }> {
  const wanted = streams.flatMap(({ name, feeds, everyMinutes }) =>
    feeds.map((feed) => ({ stream: name, feed, every: everyMinutes })),
  )
  if (wanted.length === 0) return { found: 0 }
  const due = await takeDueFeeds(parts.db, wanted, onlyNew)
  const counts = await Promise.all(
    streams.map((stream) =>
      readFeeds(
        parts,
        stream,
        due.filter(({ stream: name }) => name === stream.name),
        deadline,
      ),
    ),
  )
  signal.throwIfAborted()
  return { found: counts.reduce((sum, count) => sum + count, 0) }
}

async function readFeeds(
  parts: Parts,
  stream: Stream,
  due: readonly DueFeed[],
  deadline: AbortSignal,
): Promise<number> {
  const { db, log, now } = parts
  const { name, everyMinutes, firstDays } = stream
  let found = 0
  for (const { feed, state } of due) {
    try {
      deadline.throwIfAborted()
      const since = daysBefore(isoDate(now()), firstDays)
      const read = await stream.read(forProviders(parts, deadline), feed, { since, state })
      if (read.outcome === 'failed') {
        log.warn({ stream: name, feed, reason: read.reason }, 'a stream could not be read')
        await endReading(db, name, feed, everyMinutes, { failure: read.reason })
        continue
      }
      const items = read.outcome === 'items' ? read.items.slice(0, MAX_ITEMS) : []
      await db.transaction().execute(async (db) => {
        found += await saveItems(db, name, items, stream.open !== undefined)
        const failure = read.outcome === 'items' ? (read.reason ?? null) : null
        await endReading(db, name, feed, everyMinutes, { state: read.state, failure })
      })
    } catch (error) {
      if (!deadline.aborted) throw error
      await giveBack(db, name, feed)
    }
  }
  return found
}
