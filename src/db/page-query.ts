import { CompiledQuery } from 'kysely'
import { PLANNED_EACH_TIME } from './client.ts'
import type { Db } from './connect.ts'
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

type ListQuery = {
  /** Lists whose changes can change the total. */
  lists: ListName[]
  columns: readonly string[]
  /** Fields that are no column, each with its SQL: worked out for the rows that are shown. */
  computed?: Readonly<Record<string, string>>
  table: string
  /** What conditions and computed fields need beside the table: a row of it for each row of the table. */
  join?: string
  where: Conditions
  orderBy: string
}

type Request = { page: number; per_page: number }

const MAX_KEPT = 5_000

/** Totals with the version of the list they were counted at. One for a process, built in main.ts. */
export class ListTotals {
  readonly #kept = new Map<string, { version: number; total: number }>()

  get(key: string, version: number): number | null {
    const known = this.#kept.get(key)
    return known?.version === version ? known.total : null
  }

  set(key: string, counted: { version: number; total: number }): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
    this.#kept.set(key, counted)
  }
}

/**
 * One page and the exact total, as the JSON text of the answer. PostgreSQL writes the records itself: reading a
 * thousand values into objects only to write them out again cost more than the query (docs/decisions/0004).
 *
 * The total is counted again only when a list it depends on has changed since: page and version are read in one
 * statement, and so are total and version.
 */
export async function readListPage(
  db: Db,
  query: ListQuery,
  { page, per_page }: Request,
  totals: ListTotals,
): Promise<string> {
  const { table, join = '', where, orderBy, lists } = query
  const offset = (page - 1) * per_page
  // Written out, because a plan made without knowing the limit expects a tenth of the table. Both are whole numbers.
  const window = `order by ${orderBy} limit ${Math.trunc(per_page)}${offset > 0 ? ` offset ${Math.trunc(offset)}` : ''}`
  const fields = fieldsOf(query)
  // Further pages find their ids in the index first and fetch only the rows they show.
  const rows =
    page === 1
      ? `select ${fields} from ${table} ${join} where ${where.sql} ${window}`
      : `select ${fields} from (select ${table}.workspace_id, ${table}.id from ${table} ${join} where ${where.sql} ${window}) as shown
         join ${table} using (workspace_id, id) ${join} order by ${orderBy}`
  // Every further page is a text of its own: prepared, they would fill the server's memory.
  const prefix = page === 1 ? where.prefix : PLANNED_EACH_TIME
  const sql = `${prefix}select coalesce(json_agg(record), '[]')::text as data, count(*)::int as shown, ${versionOf(lists)} as version
    from (${rows}) as record`
  const result = await db.executeQuery<{ data: string; shown: number; version: number }>(
    CompiledQuery.raw(sql, where.values),
  )
  const { data, shown, version } = result.rows[0] as (typeof result.rows)[number]
  // A page that is not full is the last one, so it tells the total itself.
  const isLast = shown < per_page && (shown > 0 || page === 1)
  const total = isLast ? offset + shown : await readTotal(db, query, version, totals)
  return pageText(withZulu(data), total, { page, per_page })
}

function fieldsOf({ columns, computed = {}, table }: Pick<ListQuery, 'columns' | 'computed' | 'table'>): string {
  const own = columns.map((column) => `${table}.${column}`)
  return [...own, ...Object.entries(computed).map(([name, sql]) => `${sql} as ${name}`)].join(', ')
}

/** The ids of a list in its order, as many as the limit allows, and how many there are. */
export async function readListIds(db: Db, query: ListQuery, limit: number, totals: ListTotals) {
  const { table, where, orderBy, lists } = query
  const sql = `${where.prefix}select coalesce(json_agg(id), '[]') as ids, ${versionOf(lists)} as version
    from (select ${table}.id from ${table} where ${where.sql} order by ${orderBy} limit ${Math.trunc(limit) + 1}) as listed`
  const { rows } = await db.executeQuery<{ ids: string[]; version: number }>(CompiledQuery.raw(sql, where.values))
  const { ids, version } = rows[0] as (typeof rows)[number]
  if (ids.length <= limit) return { ids, total: ids.length, truncated: false }
  return { ids: ids.slice(0, limit), total: await readTotal(db, query, version, totals), truncated: true }
}

/** The answer for a filter that names something that cannot be. */
export function emptyPage(request: Request): string {
  return pageText('[]', 0, request)
}

function pageText(data: string, total: number, { page, per_page }: Request): string {
  const pagination = { total, page, per_page, has_more: page * per_page < total }
  return `{"data":${data},"pagination":${JSON.stringify(pagination)}}`
}

async function readTotal(
  db: Db,
  { table, join = '', where, lists }: ListQuery,
  version: number,
  totals: ListTotals,
): Promise<number> {
  const key = JSON.stringify([lists, table, where.sql, where.values])
  const known = totals.get(key, version)
  if (known !== null) return known
  const sql = `${where.prefix}select count(*)::float8 as total, ${versionOf(lists)} as version from ${table} ${join} where ${where.sql}`
  const { rows } = await db.executeQuery<{ version: number; total: number }>(CompiledQuery.raw(sql, where.values))
  const counted = rows[0] as (typeof rows)[number]
  totals.set(key, counted)
  return counted.total
}

/** $1 is the workspace in every list. */
function versionOf(lists: ListName[]): string {
  const names = lists.map((list) => `'${list}'`).join(', ')
  return `(select coalesce(sum(version), 0) from list_versions where workspace_id = $1 and list in (${names}))::float8`
}

const ZONE = '+00:00"'
/** What PostgreSQL has left out of the milliseconds, by the length of a timestamp with its opening quote. */
const LEFT_OUT: Record<number, string> = { 20: '.000', 22: '00', 23: '0', 24: '' }

/**
 * Timestamps as everywhere in the API: milliseconds, then Z. Letting PostgreSQL format them so took a quarter of the
 * query, and a regular expression three times as long as this. A quote inside a value is escaped, so only keys match.
 */
function withZulu(json: string): string {
  let text = ''
  let from = 0
  for (let at = json.indexOf(ZONE); at >= 0; at = json.indexOf(ZONE, at + 1)) {
    const quote = json.lastIndexOf('"', at)
    const rest = json.startsWith('_at":', quote - 5) ? LEFT_OUT[at - quote] : undefined
    if (rest === undefined) continue
    text += `${json.slice(from, at)}${rest}Z"`
    from = at + ZONE.length
  }
  return text + json.slice(from)
}

/** What a statement over the rows of a list answers, such as counts of them. */
export async function readRows<T>(db: Db, sql: string, where: Conditions): Promise<T[]> {
  const { rows } = await db.executeQuery<T>(CompiledQuery.raw(`${where.prefix}${sql}`, where.values))
  return rows
}

/** All rows of a list, a batch at a time, for an export of any size. */
export async function* streamRows<T>(db: Db, query: ListQuery): AsyncGenerator<T> {
  const { table, join = '', where, orderBy } = query
  const sql = `select ${fieldsOf(query)} from ${table} ${join} where ${where.sql} order by ${orderBy}`
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // Its clock goes on while the reader takes their time. Each batch has to come in time all the same (client.ts).
    await transaction.executeQuery(CompiledQuery.raw('set local statement_timeout = 0'))
    const batches = transaction.getExecutor().stream<T>(CompiledQuery.raw(sql, where.values), 500)
    for await (const { rows } of batches) yield* rows
  } finally {
    await transaction.rollback().execute()
  }
}
