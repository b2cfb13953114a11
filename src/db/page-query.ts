import { CompiledQuery } from 'kysely'
import { UNPREPARED } from './client.ts'
import type { Conditions, QueryShape } from './conditions.ts'
import type { Db } from './connect.ts'
import type { Counted, ListCache } from './list-cache.ts'
import { etagOf, type ListName, matchesEtag } from './list-versions.ts'
import { RECORD_AS_JSON, writeTimestamps } from './record-json.ts'
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
  /** The total as SQL over the versions of `lists`, if they contain it (accountTotal in list-versions.ts). */
  total?: string | undefined
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
 * The total is read with the page where the versions contain it (docs/decisions/0053). Otherwise it is counted again only
 * when a list it depends on has changed: page and version are read in one statement, and so are total and version. When
 * the caller's etag matches the current version, no page is read; a page cached at the current version is returned from the
 * cache.
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
  type Row = { data: string; shown: number } & Versions
  const read = async (data: string) => {
    const sql = `${prefix}select * from (select ${data} as data, count(*)::int as shown from (${rows}) as record) as page,
      ${versionsOf(query)}`
    return (await db.executeQuery<Row>(CompiledQuery.raw(sql, where.values))).rows[0] as Row
  }
  const { form } = query
  let found = await read(form?.sql ?? AS_JSON)
  let records = form ? form.jsonOf(found.data, found.shown) : writeTimestamps(found.data)
  if (records === null) {
    found = await read(AS_JSON)
    records = writeTimestamps(found.data)
  }
  const { shown, version, shown_version } = found
  // A page that is not full is the last one, so the total follows from it.
  const isLast = shown < per_page && (shown > 0 || page === 1)
  const total = found.total ?? (isLast ? offset + shown : await readTotal(db, query, version, known))
  if (isLast && where.hasShapes) known.setTotal(keyOf(query), { version, total })
  if (where.isAll) known.setTotal(sizeKeyOf(query), { version, total })
  const text = pageText(records, total, { page, per_page })
  if (lists.length === 0) return { etag: null, body: text }
  // If the total was counted at a later version, the current version differs too: this etag and page never match it.
  const etag = etagOf(key, shown_version)
  known.setPage(key, { version: shown_version, etag, text })
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

const AS_JSON = `coalesce(string_agg(${RECORD_AS_JSON}, ','), '')`

function fieldsOf({ columns, computed = {}, table }: Pick<ListQuery, 'columns' | 'computed' | 'table'>): string {
  const own = columns.map((column) => `${table}.${column}`)
  return [...own, ...Object.entries(computed).map(([name, sql]) => `${sql} as ${name}`)].join(', ')
}

/** The first ids of a list in its order, up to the limit, and the total. */
export async function readListIds(db: Db, query: ListQuery, limit: number, known: ListCache) {
  const { table, where, orderBy } = query
  const first = `select ${table}.id from ${table} where ${where.sql} order by ${orderBy} limit ${Math.trunc(limit) + 1}`
  const sql = `${where.prefix}select * from (select coalesce(json_agg(id), '[]') as ids from (${first}) as listed) as page,
    ${versionsOf(query)}`
  const { rows } = await db.executeQuery<{ ids: string[] } & Versions>(CompiledQuery.raw(sql, where.values))
  const { ids, version, total } = rows[0] as (typeof rows)[number]
  if (ids.length <= limit) return { ids, total: ids.length, truncated: false }
  return { ids: ids.slice(0, limit), total: total ?? (await readTotal(db, query, version, known)), truncated: true }
}

/** The page of a filter that cannot match, such as a malformed id. */
export function emptyPage(request: Request): ListPage {
  return { etag: null, body: pageText('', 0, request) }
}

function pageText(records: string, total: number, { page, per_page }: Request): string {
  const pagination = { total, page, per_page, has_more: page * per_page < total }
  return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`
}

/** Counts the rows, at most once for each version of the lists and for all callers with the same conditions. */
async function readTotal(db: Db, query: ListQuery, version: number, known: ListCache): Promise<number> {
  const { table, join = '', where, lists } = query
  const counting = `select count(*)::float8 as total from ${table} ${join} where ${where.sql}`
  const sql = `${where.prefix}select counted.total, version from (${counting}) as counted, ${versionsOf({ lists })}`
  const count = async () => {
    const { rows } = await db.executeQuery<Counted>(CompiledQuery.raw(sql, where.values))
    return rows[0] as Counted
  }
  const { total } = await (lists.length === 0 ? count() : known.count(keyOf(query), version, count))
  return total
}

const keyOf = ({ lists, table, where }: ListQuery): string => JSON.stringify([lists, table, where.sql, where.values])
/** Key of the total of the unfiltered list, the same for every viewer. */
const sizeKeyOf = ({ table, where }: ListQuery): string => `${table} ${where.values[0]}`

type Versions = { version: number; shown_version: number; total: number | null }

/**
 * The list versions as a row: `version` of the lists the total depends on, `shown_version` of all lists of the page, and the
 * total if the versions contain it. $1 is the workspace in every list. Versions stay far below 2^53.
 */
function versionsOf({
  lists,
  shownFrom = [],
  total = 'null',
}: Pick<ListQuery, 'lists' | 'shownFrom' | 'total'>): string {
  const sum = (condition: string) => `coalesce(sum(version)${condition}, 0)::float8`
  const named = (names: ListName[]) => `list = any('{${names.join()}}')`
  const counted = shownFrom.length === 0 ? '' : ` filter (where ${named(lists)})`
  return `(select ${sum(counted)} as version, ${sum('')} as shown_version, ${total}::float8 as total
    from list_versions where workspace_id = $1 and ${named([...lists, ...shownFrom])}) as versions`
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
