import { CompiledQuery } from 'kysely'
import { UNPREPARED } from './client.ts'
import type { Conditions, QueryShape } from './conditions.ts'
import type { Db } from './connect.ts'
import type { ListCache } from './list-cache.ts'
import { etagOf, type ListName, matchesEtag } from './list-versions.ts'
import type { TextForm } from './record-text.ts'

type ListQuery = {
  /** Lists whose changes can change the total; empty when no list version covers the data. */
  lists: ListName[]
  /** Further lists whose changes can change the fields of a page. */
  shownFrom?: ListName[]
  columns: readonly string[]
  /** Fields that are not columns, each with its SQL expression; evaluated for the rows of the page. */
  computed?: Readonly<Record<string, string>>
  /** Text form of the fields, where they are simple enough to be serialized here instead of by PostgreSQL. */
  form?: TextForm
  table: string
  /** Joins that conditions and computed fields need; they must return one row per row of the table. */
  join?: string
  where: Conditions
  orderBy: string
}

type Request = { page: number; per_page: number }

/** The list cache, and the etags in the request's If-None-Match header. */
export type ListReader = { lists: ListCache; ifNoneMatch: string | undefined }

/** A page as the JSON text of the response; the body is null when the caller's etag is current. */
export type ListPage = { etag: string | null; body: string | Buffer | null }

/**
 * Reads one page and the exact total as the JSON text of the response. Records are not parsed into objects: parsing a
 * thousand values only to serialize them again cost more than the query (docs/decisions/0004).
 *
 * The total is counted again only when a list it depends on has changed: page and version are read in one statement, and so
 * are total and version. When the caller's etag matches the current version, no page is read; a page cached at the current
 * version is returned from the cache.
 */
export async function readListPage(
  db: Db,
  query: ListQuery,
  { page, per_page }: Request,
  { lists: known, ifNoneMatch }: ListReader,
): Promise<ListPage> {
  const { table, join = '', where, orderBy, lists, shownFrom = [] } = query
  const offset = (page - 1) * per_page
  // Literals, because the planner assumes a tenth of the table for an unknown limit. Both are integers.
  const window = `order by ${orderBy} limit ${Math.trunc(per_page)}${offset > 0 ? ` offset ${Math.trunc(offset)}` : ''}`
  const fields = fieldsOf(query)
  const key = `${fields} ${table} ${where.sql} ${window} ${JSON.stringify(where.values)}`
  const kept = known.page(key)
  if (lists.length > 0 && (ifNoneMatch !== undefined || kept?.body)) {
    const version = await known.versions.read(where.values[0] as string, [...lists, ...shownFrom])
    const isKept = kept?.version === version
    const etag = isKept ? kept.etag : etagOf(key, version)
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return { etag, body: null }
    if (isKept && kept.body) return { etag, body: kept.body }
  }
  const shape = page === 1 ? shapeOf(query, per_page, known) : 'planned'
  const from = shape === 'planned' ? `${table} ${join} where ${where.sql}` : where.shaped(shape)
  // Further pages find their ids in the index first and fetch only the rows of the page.
  const rows =
    page === 1
      ? `select ${fields} from ${from} ${window}`
      : `select ${fields} from (select ${table}.workspace_id, ${table}.id from ${from} ${window}) as shown
         join ${table} using (workspace_id, id) ${join} where ${table}.workspace_id = $1 order by ${orderBy}`
  // Every further page has a different text: prepared, they would fill the server's memory.
  const prefix = page > 1 ? UNPREPARED : shape === 'planned' ? where.prefix : ''
  type Row = { data: string; shown: number; version: number; shown_version: number | null }
  const read = async (data: string) => {
    const sql = `${prefix}select ${data} as data, count(*)::int as shown, ${versionsOf(lists, shownFrom)} from (${rows}) as record`
    return (await db.executeQuery<Row>(CompiledQuery.raw(sql, where.values))).rows[0] as Row
  }
  const { form } = query
  let found = await read(form?.all ?? AS_JSON)
  let records = form ? form.jsonOf(found.data, found.shown) : withZulu(found.data)
  if (records === null) {
    found = await read(AS_JSON)
    records = withZulu(found.data)
  }
  const { shown, version, shown_version } = found
  // A page that is not full is the last one, so the total follows from it.
  const isLast = shown < per_page && (shown > 0 || page === 1)
  const total = isLast ? offset + shown : await readTotal(db, query, version, known)
  if (isLast && where.hasShapes) known.setTotal(keyOf(query), { version, total })
  const text = pageText(records, total, { page, per_page })
  if (lists.length === 0) return { etag: null, body: text }
  // If the total was counted at a later version, the current version differs too: this etag and page never match it.
  const etag = etagOf(key, shown_version ?? version)
  known.setPage(key, { version: shown_version ?? version, etag, text })
  return { etag, body: text }
}

/**
 * Chooses the shape of a condition whose best plan depends on its value, from the number of matches at the last count:
 * scanning the list in order reads `size / total` rows per row of the page, an index scan reads all matches.
 */
function shapeOf(query: ListQuery, perPage: number, known: ListCache): QueryShape {
  if (!query.where.hasShapes) return 'planned'
  const total = known.total(keyOf(query))?.total
  const size = known.total(sizeKeyOf(query))?.total
  if (total === undefined || size === undefined) return 'planned'
  return total * total < perPage * size ? 'rare' : 'common'
}

const AS_JSON = "coalesce(string_agg(row_to_json(record)::text, ','), '')"

function fieldsOf({ columns, computed = {}, table }: Pick<ListQuery, 'columns' | 'computed' | 'table'>): string {
  const own = columns.map((column) => `${table}.${column}`)
  return [...own, ...Object.entries(computed).map(([name, sql]) => `${sql} as ${name}`)].join(', ')
}

/** The first ids of a list in its order, up to the limit, and the total. */
export async function readListIds(db: Db, query: ListQuery, limit: number, known: ListCache) {
  const { table, where, orderBy, lists } = query
  const sql = `${where.prefix}select coalesce(json_agg(id), '[]') as ids, ${versionsOf(lists)}
    from (select ${table}.id from ${table} where ${where.sql} order by ${orderBy} limit ${Math.trunc(limit) + 1}) as listed`
  const { rows } = await db.executeQuery<{ ids: string[]; version: number }>(CompiledQuery.raw(sql, where.values))
  const { ids, version } = rows[0] as (typeof rows)[number]
  if (ids.length <= limit) return { ids, total: ids.length, truncated: false }
  return { ids: ids.slice(0, limit), total: await readTotal(db, query, version, known), truncated: true }
}

/** The page of a filter that cannot match, such as a malformed id. */
export function emptyPage(request: Request): ListPage {
  return { etag: null, body: pageText('', 0, request) }
}

function pageText(records: string, total: number, { page, per_page }: Request): string {
  const pagination = { total, page, per_page, has_more: page * per_page < total }
  return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`
}

async function readTotal(db: Db, query: ListQuery, version: number, known: ListCache): Promise<number> {
  const { table, join = '', where, lists } = query
  const key = keyOf(query)
  const kept = known.total(key)
  if (kept?.version === version && lists.length > 0) return kept.total
  const sql = `${where.prefix}select count(*)::float8 as total, ${versionsOf(lists)} from ${table} ${join} where ${where.sql}`
  const { rows } = await db.executeQuery<{ version: number; total: number }>(CompiledQuery.raw(sql, where.values))
  const { version: countedAt, total } = rows[0] as (typeof rows)[number]
  known.setTotal(key, { version: countedAt, total })
  if (where.isAll) known.setTotal(sizeKeyOf(query), { version: countedAt, total })
  return total
}

const keyOf = ({ lists, table, where }: ListQuery): string => JSON.stringify([lists, table, where.sql, where.values])
/** Key of the total of the unfiltered list, the same for every viewer. */
const sizeKeyOf = ({ table, where }: ListQuery): string => `${table} ${where.values[0]}`

/**
 * The list versions as columns: `version` of the lists the total depends on, `shown_version` of all lists of the page. $1 is
 * the workspace in every list. Versions stay far below 2^53.
 */
function versionsOf(lists: ListName[], shownFrom: ListName[] = []): string {
  const sumOf = (names: ListName[]) =>
    `(select coalesce(sum(version), 0) from list_versions where workspace_id = $1 and list = any('{${names.join()}}'))::float8`
  const version = `${sumOf(lists)} as version`
  return shownFrom.length === 0
    ? `${version}, null as shown_version`
    : `${version}, ${sumOf([...lists, ...shownFrom])} as shown_version`
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

/** The result of a statement over the rows of a list, such as counts. */
export async function readPageRows<T>(db: Db, sql: string, where: Conditions): Promise<T[]> {
  const { rows } = await db.executeQuery<T>(CompiledQuery.raw(`${where.prefix}${sql}`, where.values))
  return rows
}

/** All rows of a list, a batch at a time, for an export of any size. */
export async function* streamRows<T>(db: Db, query: ListQuery): AsyncGenerator<T> {
  const { table, join = '', where, orderBy } = query
  const sql = `select ${fieldsOf(query)} from ${table} ${join} where ${where.sql} order by ${orderBy}`
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // The statement timeout would include the time the reader takes. Each batch still has a timeout (client.ts).
    await transaction.executeQuery(CompiledQuery.raw('set local statement_timeout = 0'))
    const batches = transaction.getExecutor().stream<T>(CompiledQuery.raw(sql, where.values), 500)
    for await (const { rows } of batches) yield* rows
  } finally {
    await transaction.rollback().execute()
  }
}
