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
  const { feed } = due
  const accounts = createAccountLookup(db)
  const since = daysBefore(isoDate(now()), firstDays)
  const reasons = new Set<string>()
  let [found, state] = [0, due.state]
  const failed = async (failure: string) => {
    log.warn({ stream: name, feed, failure }, 'failed to read a stream')
    await recordFeedReading(db, name, feed, everyMinutes, { failure })
    return found
  }
  for (;;) {
    // Not started, or there is more than the time allows: the feed stays due.
    if (deadline.aborted) {
      await releaseFeed(db, name, feed)
      return found
    }
    try {
      const read = await stream.read(toProviderDeps(parts, deadline), feed, { since, state, accounts })
      if (read.outcome === 'failed' && read.state === undefined) return await failed(read.reason)
      const { more = false, state: next = null } = read
      if (read.reason !== undefined) reasons.add(read.reason)
      const items = read.outcome === 'items' ? read.items.slice(0, MAX_ITEMS) : []
      found += await db.transaction().execute(async (db) => {
        const count = await saveItems(db, name, items, stream.open !== undefined)
        const failure = failureOf(reasons)
        await recordFeedReading(db, name, feed, more ? null : everyMinutes, { state: next, failure })
        return count
      })
      if (!more) return found
      state = next
    } catch (error) {
      // What was read before is recorded, and the next run continues there.
      if (signal.aborted || (deadline.aborted && state !== due.state)) {
        await releaseFeed(db, name, feed)
        return found
      }
      if (deadline.aborted) return failed(`${name} took too long.`)
      log.error({ err: error, stream: name, feed }, 'internal error while reading a stream')
      return failed('An internal error occurred. See the log of the service.')
    }
  }
}

/** The reasons of one run may be many, if it reads what was published during a day. */
const MAX_REASONS = 3

function failureOf(reasons: ReadonlySet<string>): string | null {
  if (reasons.size === 0) return null
  const more = reasons.size - MAX_REASONS
  const shown = [...reasons].slice(0, MAX_REASONS)
  return [...shown, ...(more > 0 ? [`${more} more parts could not be read.`] : [])].join(' ')
}

/** A feed that works does not hide one that fails. */
async function reportHealth({ db, health }: Parts, { name, feedNames }: Stream): Promise<void> {
  if (feedNames) return
  const failure = (await listFeeds(db, [name])).find(({ failure }) => failure !== null)?.failure
  if (!failure) return
  const kind = failure.includes('failed: unexpected response format') ? 'unreadable' : 'unavailable'
  await health.report(name, { kind, message: failure })
}
