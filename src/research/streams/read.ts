import type { Deps } from '../../deps/deps.ts'
import { enabledStreams } from '../../providers/streams/index.ts'
import { MAX_ITEMS, type Stream } from '../../providers/streams/types.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { createAccountLookup } from './account-lookup.ts'
import { claimDueFeeds, type DueFeed, listFeeds, recordFeedReading, releaseFeed, saveItems } from './store.ts'

type Parts = Pick<Deps, 'db'> & ProviderParts
type Options = { streams?: readonly Stream[]; onlyNew?: boolean; deadline?: AbortSignal }

/**
 * Reads the due feeds of all streams, the streams concurrently, and stores their items. A failed feed is recorded and
 * retried at its next interval. `onlyNew` restricts it to feeds that were never read. Ends early at the deadline or
 * when the signal aborts: unread feeds are released.
 */
export async function readStreams(
  parts: Parts,
  signal: AbortSignal,
  { streams = enabledStreams(parts.config), onlyNew = false, deadline = signal }: Options = {},
): Promise<{ found: number }> {
  const wanted = streams.flatMap(({ name, feeds }) => feeds.map((feed) => ({ stream: name, feed })))
  if (wanted.length === 0) return { found: 0 }
  const due = await claimDueFeeds(parts.db, wanted, onlyNew)
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

/** Returns the number of new items. An error fails this feed only. */
async function readFeed(parts: Parts, stream: Stream, due: DueFeed, { signal, deadline }: Until): Promise<number> {
  const { db, log, now } = parts
  const { name, everyMinutes, firstDays } = stream
  const { feed, state } = due
  const failed = async (failure: string) => {
    log.warn({ stream: name, feed, failure }, 'failed to read a stream')
    await recordFeedReading(db, name, feed, everyMinutes, { failure })
    return 0
  }
  // Not started: the feed stays due.
  if (deadline.aborted) {
    await releaseFeed(db, name, feed)
    return 0
  }
  try {
    const since = daysBefore(isoDate(now()), firstDays)
    const read = await stream.read(toProviderDeps(parts, deadline), feed, {
      since,
      state,
      accounts: createAccountLookup(db),
    })
    if (read.outcome === 'failed') return await failed(read.reason)
    const items = read.outcome === 'items' ? read.items.slice(0, MAX_ITEMS) : []
    return await db.transaction().execute(async (db) => {
      const count = await saveItems(db, name, items, stream.open !== undefined)
      await recordFeedReading(db, name, feed, everyMinutes, { state: read.state, failure: read.reason ?? null })
      return count
    })
  } catch (error) {
    if (signal.aborted) {
      await releaseFeed(db, name, feed)
      return 0
    }
    if (deadline.aborted) return failed(`${name} took too long.`)
    log.error({ err: error, stream: name, feed }, 'internal error while reading a stream')
    return failed('An internal error occurred. See the log of the service.')
  }
}

/** A feed that works does not hide one that fails. */
async function reportHealth({ db, health }: Parts, { name, feedNames }: Stream): Promise<void> {
  if (feedNames) return
  const failure = (await listFeeds(db, [name])).find(({ failure }) => failure !== null)?.failure
  if (!failure) return
  const kind = failure.includes('failed: unexpected response format') ? 'unreadable' : 'unavailable'
  await health.report(name, { kind, message: failure })
}
