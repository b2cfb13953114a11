import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Rows a statement deletes, beside those of the same moment as the last: some tens of milliseconds. */
const BATCH = 5_000

/** What became of a purge: how many rows went, and whether none is left that should go. */
export type Purged = { count: number; isDone: boolean }

/** Deletes what is old until none of it is left or the deadline passes. */
export type Purge = (db: Db, deadline: AbortSignal) => Promise<Purged>

export type Old = {
  table: string
  /** The column that says how old a row is. An index begins with it, over `where` if that is given. */
  time: string
  days?: number
  hours?: number
  /** Only these. */
  where?: RawBuilder<unknown>
  /** Rows a statement deletes: fewer where each takes others along. */
  batch?: number
}

export const ageLimit = ({ days = 0, hours = 0 }: Pick<Old, 'days' | 'hours'>) =>
  sql`now() - make_interval(days => ${days}, hours => ${hours})`

/**
 * Deletes rows of all workspaces that are older than so many days, oldest first. A batch is a span of time, found and deleted
 * by one index: looking each row up by its key costs several times as much. Each begins where the last ended, because until a
 * vacuum what is deleted still lies in the index.
 */
export function olderThan({ table, time, where = sql`true`, batch = BATCH, ...age }: Old): Purge {
  const [rows, at] = [sql.table(table), sql.ref(time)]
  return (db, deadline) =>
    inBatches(deadline, async (since) => {
      const isOld = sql`${at} >= ${since}::timestamptz and ${at} < ${ageLimit(age)} and ${where}`
      const deleted = await sql<{ count: number; last: string | null }>`
        with span as materialized (
          select max(at) as last from (
            select ${at} as at from ${rows} where ${isOld} order by ${at} limit ${sql.lit(batch)}) as oldest
        ), gone as (
          delete from ${rows} where ${isOld} and ${at} <= (select last from span) returning 1
        )
        select (select count(*)::int from gone) as count, last::text from span`.execute(db)
      const { count, last } = deleted.rows[0] as { count: number; last: string | null }
      return { count, next: last }
    })
}

/** Deletes a batch after the other: `next` is where the following one begins, null when there is none. */
export async function inBatches(
  deadline: AbortSignal,
  deleteBatch: (since: string) => Promise<{ count: number; next: string | null }>,
): Promise<Purged> {
  let count = 0
  for (let next: string | null = '-infinity'; next !== null; ) {
    if (deadline.aborted) return { count, isDone: false }
    const deleted = await deleteBatch(next)
    count += deleted.count
    next = deleted.next
  }
  return { count, isDone: true }
}
