import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

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
  /** A table with the columns `lease_id` and `lease_until`. */
  table: string
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

/** A queue over the rows of one table, or over a part of them. */
export function leasedQueue<T>(db: Db, definition: Definition): LeasedQueue<T> {
  const { key, open, due = sql`true`, order, columns, reading = sql`select * from claimed` } = definition
  const table = sql.table(definition.table)
  const sameRow = sql.join(
    key.map((column) => sql`taken.${sql.ref(column)} = free.${sql.ref(column)}`),
    sql` and `,
  )
  // Rows are locked in key order, as in all statements that write several of them, to avoid deadlocks.
  const held = ({ id }: Lease) => sql`
    select ${list(key)} from ${table} where ${open} and lease_id = ${id} order by ${list(key)} for update`
  return {
    async claim(lease, limit) {
      // Materialized: a plan that runs the subquery several times would claim more rows than the limit. The limit is a
      // literal, so that the planner knows how few rows it returns.
      const { rows } = await sql<T>`
        with claimed as (
          with free as materialized (
            select ${list(key)} from ${table}
            where ${open} and ${due} and (lease_until is null or lease_until < now())
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
