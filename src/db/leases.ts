import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { ALL_WORKSPACES } from './distribution.ts'

/** Reserves rows for one worker until it expires. */
export type Lease = { id: string; seconds: number }

/** Rows of work that several workers share; each row is leased to one worker at a time. */
export type LeasedQueue<T> = {
  /** Leases up to `limit` rows that are due and not leased. */
  claim: (lease: Lease, limit: number) => Promise<T[]>
  /** Extends the lease of claimed rows that are not done, and returns their number. */
  renew: (lease: Lease) => Promise<number>
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
      const { numAffectedRows = 0n } = await sql`
        with held as materialized (${held(lease)} skip locked)
        update ${table} as taken set lease_until = ${until(lease)} from held as free where ${sameRow}`.execute(db)
      return Number(numAffectedRows)
    },
    async release(lease) {
      await sql`
        with held as materialized (${held(lease)})
        update ${table} as taken set lease_id = null, lease_until = null from held as free where ${sameRow}`.execute(db)
    },
  }
}

/**
 * A queue over the rows of one table in all workspaces. Rows are locked in one workspace at a time, beginning with the workspace
 * whose row has been due longest. `define` gets the workspace as a value, or as a column to find due rows in all of them.
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

  /** The workspaces of the rows that are due, each once, without those given. */
  async function findDue(limit: number, except: ReadonlySet<string>): Promise<Set<string>> {
    const { open, due = sql`true`, order } = define(sql.ref(`${table}.workspace_id`))
    const { rows } = await sql<{ workspace_id: string }>`
      select ${sql.raw(ALL_WORKSPACES)} workspace_id from ${sql.table(table)} where ${open} and ${due} and ${isFree}
        and workspace_id <> all(${[...except]}::uuid[])
      order by ${order} limit ${sql.lit(Math.trunc(limit))}`.execute(db)
    return new Set(rows.map(({ workspace_id }) => workspace_id))
  }

  /** Works in each workspace of a lease, also after a failure in another one, which is thrown at the end. */
  async function inEach(lease: Lease, work: (workspaceId: string) => Promise<unknown>): Promise<void> {
    const failures: unknown[] = []
    for (const workspaceId of [...(claimedIn.get(lease.id) ?? [])]) {
      await work(workspaceId).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  return {
    async claim(lease, limit) {
      const workspaces = claimedIn.get(lease.id) ?? new Set()
      claimedIn.set(lease.id, workspaces)
      const claimed: T[] = []
      const tried = new Set<string>()
      // Another worker may have claimed all rows found, while further workspaces have due rows.
      while (claimed.length === 0) {
        const due = await findDue(limit, tried)
        if (due.size === 0) break
        for (const id of due) {
          if (claimed.length >= limit) break
          tried.add(id)
          const rows = await queueOf(id).claim(lease, limit - claimed.length)
          if (rows.length > 0) workspaces.add(id)
          claimed.push(...rows)
        }
      }
      return claimed
    },
    async renew(lease) {
      let count = 0
      await inEach(lease, async (id) => {
        const renewed = await queueOf(id).renew(lease)
        if (renewed === 0) claimedIn.get(lease.id)?.delete(id)
        count += renewed
      })
      return count
    },
    async release(lease) {
      try {
        await inEach(lease, (id) => queueOf(id).release(lease))
      } finally {
        claimedIn.delete(lease.id)
      }
    },
  }
}
