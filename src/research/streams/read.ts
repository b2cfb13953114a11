import type { Deps } from '../../deps/deps.ts'
import { enabledStreams } from '../../providers/streams/index.ts'
import { MAX_ITEMS, type Stream } from '../../providers/streams/types.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { type DueFeed, endReading, giveBack, listFeeds, takeDueFeeds } from './feed-store.ts'
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
  { streams = enabledStreams(parts.config), onlyNew = false, deadline = signal }: Options = {},
): Promise<{ found: number }> {
  const wanted = streams.flatMap(({ name, feeds }) => feeds.map((feed) => ({ stream: name, feed })))
  if (wanted.length === 0) return { found: 0 }
  const due = await takeDueFeeds(parts.db, wanted, onlyNew)
  const counts = await Promise.all(
    streams.map((stream) =>
      readFeeds(
        parts,
        stream,
        due.filter(({ stream: name }) => name === stream.name),
        { signal, deadline },
      ),
    ),
  )
  signal.throwIfAborted()
  return { found: counts.reduce((sum, count) => sum + count, 0) }
}

type Until = { signal: AbortSignal; deadline: AbortSignal }

async function readFeeds(parts: Parts, stream: Stream, due: readonly DueFeed[], until: Until): Promise<number> {
  let found = 0
  for (const feed of due) found += await readFeed(parts, stream, feed, until)
  if (due.length > 0 && !until.signal.aborted) await reportHealth(parts, stream)
  return found
}

/** Answers how many items were new. What goes wrong is the feed's failure: the others are read all the same. */
async function readFeed(parts: Parts, stream: Stream, due: DueFeed, { signal, deadline }: Until): Promise<number> {
  const { db, log, now } = parts
  const { name, everyMinutes, firstDays } = stream
  const { feed, state } = due
  const failed = async (failure: string) => {
    log.warn({ stream: name, feed, failure }, 'a stream could not be read')
    await endReading(db, name, feed, everyMinutes, { failure })
    return 0
  }
  // Not begun: it keeps its turn.
  if (deadline.aborted) {
    await giveBack(db, name, feed)
    return 0
  }
  try {
    const since = daysBefore(isoDate(now()), firstDays)
    const read = await stream.read(toProviderDeps(parts, deadline), feed, { since, state })
    if (read.outcome === 'failed') return await failed(read.reason)
    const items = read.outcome === 'items' ? read.items.slice(0, MAX_ITEMS) : []
    return await db.transaction().execute(async (db) => {
      const count = await saveItems(db, name, items, stream.open !== undefined)
      const failure = read.outcome === 'items' ? (read.reason ?? null) : null
      await endReading(db, name, feed, everyMinutes, { state: read.state, failure })
      return count
    })
  } catch (error) {
    if (signal.aborted) {
      await giveBack(db, name, feed)
      return 0
    }
    if (deadline.aborted) return failed(`${name} took too long.`)
    log.error({ err: error, stream: name, feed }, 'reading a stream went wrong on our side')
    return failed('Something went wrong on our side. The log says what.')
  }
}

/** One feed that works does not hide another that fails. */
async function reportHealth(
  { db, health }: Parts,
  { name, reportsHealthPerFeed: isReportedByFeed }: Stream,
): Promise<void> {
  if (isReportedByFeed) return
  const failure = (await listFeeds(db, [name])).find(({ failure }) => failure !== null)?.failure
  if (!failure) return
  const kind = failure.includes('failed: format') ? 'unreadable' : 'unavailable'
  await health.report(name, { kind, message: failure })
}
