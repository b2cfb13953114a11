import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { ALL_WORKSPACES } from './distribution.ts'

/** Reserves rows for one worker until it expires. */
export type Lease = { id: string; seconds: number }

/** Rows of work that several workers share; each row is leased to one worker at a time. */
export type LeasedQueue<T> = {
  /** Leases up to `limit` rows that are due and not leased. */
  claim: (lease: Lease, limit: number) => Promise<T[]>
  /** Extends the lease of claimed rows that are not done. */
  renew: (lease: Lease) => Promise<void>
  /** Ends the lease of claimed rows that are not done. */
  release: (lease: Lease) => Promise<void>
}

type Definition = {
  /** A table with the columns `workspace_id`, `lease_id` and `lease_until`. */
  table: string
  /** The columns that identify a row in its workspace. */
  key: readonly string[]
  /** The rows of the queue that are not done. */
  open: RawBuilder<unknown>
  /** Condition for rows that are due; all rows unless given. */
  due?: RawBuilder<unknown>
  order?: RawBuilder<unknown>
  /** Columns returned for a claimed row. */
  columns: readonly string[]
  /** A query over `claimed` that reads further columns. */
  reading?: RawBuilder<unknown>
}

const until = ({ seconds }: Lease) => sql`now() + make_interval(secs => ${seconds})`
const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
const isFree = sql`(lease_until is null or lease_until < now())`

/** A queue over the rows of one table in a workspace, or over a part of them. */
export function leasedQueue<T>(db: Db, workspaceId: string, definition: Definition): LeasedQueue<T> {
  const { key, open, due = sql`true`, order, columns, reading = sql`select * from claimed` } = definition
  const table = sql.table(definition.table)
  const sameRow = sql`taken.workspace_id = ${workspaceId} and ${sql.join(
    key.map((column) => sql`taken.${sql.ref(column)} = free.${sql.ref(column)}`),
    sql` and `,
  )}`
  // Rows are locked in key order, as in all statements that write several of them, to avoid deadlocks.
  const held = ({ id }: Lease) => sql`
    select ${list(key)} from ${table} where workspace_id = ${workspaceId} and ${open} and lease_id = ${id}
    order by ${list(key)} for update`
  return {
    async claim(lease, limit) {
      // Materialized: a plan that runs the subquery several times would claim more rows than the limit. The limit is a
      // literal, so that the planner knows how few rows it returns.
      const { rows } = await sql<T>`
        with claimed as (
          with free as materialized (
            select ${list(key)} from ${table}
            where workspace_id = ${workspaceId} and ${open} and ${due} and ${isFree}
            ${order ? sql`order by ${order}` : sql``} limit ${sql.lit(Math.trunc(limit))} for update skip locked
          )
          update ${table} as taken set lease_id = ${lease.id}, lease_until = ${until(lease)}
          from free where ${sameRow}
          returning ${sql.join(columns.map((column) => sql`taken.${sql.ref(column)}`))}
        ) ${reading}`.execute(db)
      return rows
    },
    async renew(lease) {
      // Locked rows are skipped instead of waited for: the next renewal comes in time.
      await sql`
        with held as materialized (${held(lease)} skip locked)
        update ${table} as taken set lease_until = ${until(lease)} from held as free where ${sameRow}`.execute(db)
    },
    async release(lease) {
      await sql`
        with held as materialized (${held(lease)})
        update ${table} as taken set lease_id = null, lease_until = null from held as free where ${sameRow}`.execute(db)
    },
  }
}

/**
 * A queue over the rows of one table in all workspaces: rows are locked in one workspace at a time, that of the row that is due
 * longest first. `define` gets the workspace as a value, or as a column to find due rows in all of them.
 */
export function leasedQueueOfAll<T>(
  db: Db,
  table: string,
  define: (workspaceId: RawBuilder<string>) => Omit<Definition, 'table'> & { order: RawBuilder<unknown> },
): LeasedQueue<T> {
  /** The workspaces in which a lease holds rows. */
  const claimedIn = new Map<string, Set<string>>()
  const queueOf = (workspaceId: string) =>
    leasedQueue<T>(db, workspaceId, { table, ...define(sql`${workspaceId}::uuid`) })

  async function inEach(lease: Lease, work: (queue: LeasedQueue<T>) => Promise<void>): Promise<void> {
    for (const workspaceId of claimedIn.get(lease.id) ?? []) await work(queueOf(workspaceId))
  }

  return {
    async claim(lease, limit) {
      const { open, due = sql`true`, order } = define(sql.ref(`${table}.workspace_id`))
      const { rows } = await sql<{ workspace_id: string }>`
        select ${sql.raw(ALL_WORKSPACES)} workspace_id from ${sql.table(table)} where ${open} and ${due} and ${isFree}
        order by ${order} limit ${sql.lit(Math.trunc(limit))}`.execute(db)
      const workspaces = claimedIn.get(lease.id) ?? new Set()
      claimedIn.set(lease.id, workspaces)
      const claimed: T[] = []
      for (const id of new Set(rows.map(({ workspace_id }) => workspace_id))) {
        if (claimed.length >= limit) break
        workspaces.add(id)
        claimed.push(...(await queueOf(id).claim(lease, limit - claimed.length)))
      }
      return claimed
    },
    renew: (lease) => inEach(lease, (queue) => queue.renew(lease)),
    async release(lease) {
      await inEach(lease, (queue) => queue.release(lease))
      claimedIn.delete(lease.id)
    },
  }
}
