import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { ALL_WORKSPACES } from './distribution.ts'

/** Rows per statement, plus those with the same timestamp as the last: some tens of milliseconds. */
const BATCH = 5_000

/** The number of deleted rows, and whether no expired row is left. */
export type PurgeResult = { count: number; isDone: boolean }

/** Deletes expired rows until none is left or the deadline passes. */
export type Purge = (db: Db, deadline: AbortSignal) => Promise<PurgeResult>

export type RetentionRule = {
  table: string
  /** The timestamp column. It must be the first column of an index, a partial index over `where` if that is given. */
  time: string
  days?: number
  hours?: number
  /** Restricts the purge to these rows. */
  where?: RawBuilder<unknown>
  /** Rows per statement: fewer where a delete cascades. */
  batch?: number
}

export const ageLimit = ({ days = 0, hours = 0 }: Pick<RetentionRule, 'days' | 'hours'>) =>
  sql`now() - make_interval(days => ${days}, hours => ${hours})`

/**
 * Deletes rows of all workspaces that are older than the given age, oldest first. A batch is a time range in one index:
 * deleting row by row by key costs several times as much. Each batch starts where the last one ended, because deleted rows
 * stay in the index until a vacuum.
 */
export function purgeOlderThan({ table, time, where = sql`true`, batch = BATCH, ...age }: RetentionRule): Purge {
  const [rows, at] = [sql.table(table), sql.ref(time)]
  return (db, deadline) =>
    purgeInBatches(deadline, async (since) => {
      const isOld = sql`${at} >= ${since}::timestamptz and ${at} < ${ageLimit(age)} and ${where}`
      // The last row of a full batch; the last batch is not full.
      const found = await sql<{ last: string }>`
        select ${sql.raw(ALL_WORKSPACES)} ${at}::text as last from ${rows} where ${isOld}
        order by ${at} limit 1 offset ${sql.lit(batch - 1)}`.execute(db)
      const last = found.rows[0]?.last ?? null
      const until = last === null ? sql`true` : sql`${at} <= ${last}::timestamptz`
      const { numAffectedRows = 0n } = await sql`
        delete ${sql.raw(ALL_WORKSPACES)} from ${rows} where ${isOld} and ${until}`.execute(db)
      return { count: Number(numAffectedRows), next: last }
    })
}

/** Deletes batches sequentially: `next` is the start of the following batch, null when there is none. */
export async function purgeInBatches(
  deadline: AbortSignal,
  deleteBatch: (since: string) => Promise<{ count: number; next: string | null }>,
): Promise<PurgeResult> {
  let count = 0
  for (let next: string | null = '-infinity'; next !== null; ) {
    if (deadline.aborted) return { count, isDone: false }
    const deleted = await deleteBatch(next)
    count += deleted.count
    next = deleted.next
  }
  return { count, isDone: true }
}
