import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** A worker's hold on rows: other workers leave them alone until it runs out. */
export type Lease = { id: string; seconds: number }

/** Rows of work that several workers share, each row taken by one of them at a time. */
export type LeasedQueue<T> = {
  /** Takes up to so many rows that are due and free. */
  claim: (lease: Lease, limit: number) => Promise<T[]>
  /** Holds for longer what was claimed and is not done. */
  renew: (lease: Lease) => Promise<void>
  /** Gives back what was claimed and is not done. */
  release: (lease: Lease) => Promise<void>
}

type Definition = {
  /** It has the columns `lease_id` and `lease_until`. */
  table: string
  key: readonly string[]
  /** The rows of the queue that are not done. */
  open: RawBuilder<unknown>
  /** Those of them whose time has come; all unless given. */
  due?: RawBuilder<unknown>
  order?: RawBuilder<unknown>
  /** What is read of a claimed row. */
  columns: readonly string[]
  /** Reads more of what was claimed: a query over `claimed`. */
  reading?: RawBuilder<unknown>
}

const until = ({ seconds }: Lease) => sql`now() + make_interval(secs => ${seconds})`
const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** The leases of one table, or of a part of it. */
export function leasedQueue<T>(db: Db, definition: Definition): LeasedQueue<T> {
  const { key, open, due = sql`true`, order, columns, reading = sql`select * from claimed` } = definition
  const table = sql.table(definition.table)
  const sameRow = sql.join(
    key.map((column) => sql`taken.${sql.ref(column)} = free.${sql.ref(column)}`),
    sql` and `,
  )
  // Locks rows in the order of their keys, like everybody who writes several of them: otherwise two could deadlock.
  const held = ({ id }: Lease) => sql`
    select ${list(key)} from ${table} where ${open} and lease_id = ${id} order by ${list(key)} for update`
  return {
    async claim(lease, limit) {
      // Materialized: a plan that looks several times would otherwise take more rows than it was asked for. The limit is
      // written out, so that the planner knows how few rows it looks up.
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
      // What is being written at the moment is passed over instead of waited for: the next renewal comes in time.
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
