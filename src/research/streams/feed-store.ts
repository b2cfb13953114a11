import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { FeedState } from '../../providers/streams/types.ts'

export type DueFeed = { stream: string; feed: string; state: FeedState['state']; read_at: string | null }

/** A reading that takes longer is taken to be lost, and the feed is read by another. */
const LEASE_MINUTES = 15

type Wanted = { stream: string; feed: string }

/**
 * Takes the feeds that are due, so that nobody else reads them at the same time; only those that were never read, if asked.
 * One that fails or is lost is due again after a while.
 */
export async function takeDueFeeds(db: Db, wanted: readonly Wanted[], onlyNew: boolean): Promise<DueFeed[]> {
  const { rows } = await sql<DueFeed>`
    insert into stream_feeds as known (stream, feed, due_at)
    select stream, feed, now() + make_interval(mins => ${LEASE_MINUTES})
    from json_to_recordset(${JSON.stringify(wanted)}::json) as given (stream text, feed text) order by stream, feed
    on conflict (stream, feed) do update set due_at = excluded.due_at
      where known.due_at <= now() and (not ${onlyNew}::boolean or known.read_at is null)
    returning stream, feed, state, read_at`.execute(db)
  return rows
}

/** A reading that failed leaves no state; one that failed in part leaves both. */
type Outcome = { state?: FeedState['state']; failure: string | null }

/** Notes how a reading went, and when the next one is due. */
export async function endReading(db: Db, stream: string, feed: string, everyMinutes: number, outcome: Outcome) {
  const { state, failure } = outcome
  const json = state ? JSON.stringify(state) : null
  const read = state === undefined ? sql`` : sql`, read_at = now(), state = ${json}::jsonb`
  await sql`
    update stream_feeds set due_at = now() + make_interval(mins => ${everyMinutes}), failure = ${failure}${read}
    where stream = ${stream} and feed = ${feed}`.execute(db)
}

/** Gives back a feed that was taken and not read. */
export async function giveBack(db: Db, stream: string, feed: string): Promise<void> {
  await sql`update stream_feeds set due_at = now() where stream = ${stream} and feed = ${feed}`.execute(db)
}

/** How the feeds of streams fared the last time. */
export function listFeeds(db: Db, streams: readonly string[]) {
  return db
    .selectFrom('stream_feeds')
    .select(['stream', 'feed', 'read_at', 'failure'])
    .where('stream', 'in', streams.length > 0 ? [...streams] : [''])
    .orderBy('stream')
    .orderBy('feed')
    .execute()
}
