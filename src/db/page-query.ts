import { CompiledQuery } from 'kysely'
import { type Db, PLANNED_EACH_TIME } from './connect.ts'
import type { ListName } from './list-versions.ts'

/** The conditions of a list, written as SQL with their values beside them. */
export class Conditions {
  readonly values: unknown[] = []
  readonly #parts: string[] = []
  #planned = false

  constructor(table: string, workspaceId: string) {
    this.and(`${table}.workspace_id = ${this.value(workspaceId)}`)
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  and(condition: string): void {
    this.#parts.push(condition)
  }

  /** A condition whose selectivity depends on its value: a rare tag wants another plan than a common one. */
  andSelective(condition: string): void {
    this.#planned = true
    this.and(condition)
  }

  get sql(): string {
    return this.#parts.join(' and ')
  }

  get prefix(): string {
    return this.#planned ? PLANNED_EACH_TIME : ''
  }
}

type PageQuery = {
  workspaceId: string
  /** Lists whose changes can change the total. */
  lists: ListName[]
  columns: string
  table: string
  where: Conditions
  orderBy: string
}

type Request = { page: number; per_page: number }

const MAX_KEPT = 5_000

/** Totals with the version of the list they were counted at. */
const kept = new Map<string, { version: number; total: number }>()

/**
 * One page and the exact total. The total is counted again only when a list it depends on has changed since: page and
 * version are read in one statement, and so are total and version.
 */
export async function readPage<T>(
  db: Db,
  query: PageQuery,
  { page, per_page }: Request,
): Promise<{ rows: T[]; total: number }> {
  const { columns, table, where, orderBy } = query
  const offset = (page - 1) * per_page
  const version = `(select coalesce(sum(version), 0) from list_versions where workspace_id = $1 and list in (${query.lists
    .map((list) => `'${list}'`)
    .join(', ')}))::float8`
  const values = [...where.values, per_page, offset]
  const limit = `limit $${values.length - 1} offset $${values.length}`
  const sql = `${where.prefix}select ${columns}, ${version} as list_version from ${table} where ${where.sql} order by ${orderBy} ${limit}`
  const { rows } = await db.executeQuery<T & { list_version: number }>(CompiledQuery.raw(sql, values))
  // A page that is not full is the last one, so it tells the total itself.
  if (rows.length < per_page && (rows.length > 0 || page === 1)) return { rows, total: offset + rows.length }

  const key = JSON.stringify([query.lists, table, where.sql, where.values])
  const known = kept.get(key)
  if (known && known.version === rows[0]?.list_version) return { rows, total: known.total }
  const count = `${where.prefix}select count(*)::float8 as total, ${version} as version from ${table} where ${where.sql}`
  const { rows: counted } = await db.executeQuery<{ version: number; total: number }>(
    CompiledQuery.raw(count, where.values),
  )
  const result = counted[0] as { version: number; total: number }
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, result)
  return { rows, total: result.total }
}

/** All rows of a list, a batch at a time, for an export of any size. */
export async function* streamRows<T>(db: Db, { columns, table, where, orderBy }: PageQuery): AsyncGenerator<T> {
  const sql = `select ${columns} from ${table} where ${where.sql} order by ${orderBy}`
  for await (const { rows } of db.getExecutor().stream<T>(CompiledQuery.raw(sql, where.values), 500)) yield* rows
}
