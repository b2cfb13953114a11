import { CompiledQuery } from 'kysely'
import { PLANNED_EACH_TIME } from './client.ts'
import type { Conditions, QueryShape } from './conditions.ts'
import type { Db } from './connect.ts'
import type { KnownLists } from './known-lists.ts'
import { etagOf, type ListName, matchesEtag } from './list-versions.ts'
import type { TextForm } from './record-text.ts'

type ListQuery = {
  /** Lists whose changes can change the total; none where nothing tells of its changes. */
  lists: ListName[]
  /** Lists beside them whose changes can change what is shown. */
  shownFrom?: ListName[]
  columns: readonly string[]
  /** Fields that are no column, each with its SQL: worked out for the rows that are shown. */
  computed?: Readonly<Record<string, string>>
  /** How its fields come as text, where they are plain enough for a page to be written here instead of by PostgreSQL. */
  form?: TextForm
  table: string
  /** What conditions and computed fields need beside the table: a row of it for each row of the table. */
  join?: string
  where: Conditions
  orderBy: string
}

type Request = { page: number; per_page: number }

/** What a page is read with: what this process knows, and the etags that the caller has. */
export type ListReader = { lists: KnownLists; ifNoneMatch: string | undefined }

/** A page as the JSON text of the answer; without a body it is still as its etag says. */
export type ListPage = { etag: string | null; body: string | Buffer | null }

/**
 * One page and the exact total, as the JSON text of the answer. The records are no objects on the way: reading a thousand
 * values only to write them out again cost more than the query (docs/decisions/0004).
 *
 * The total is counted again only when a list it depends on has changed since: page and version are read in one
 * statement, and so are total and version. A caller whose etag is that of the version now is told so without a page, and
 * a page that was read at the version now is not read again.
 */
export async function readListPage(
  db: Db,
  query: ListQuery,
  { page, per_page }: Request,
  { lists: known, ifNoneMatch }: ListReader,
): Promise<ListPage> {
  const { table, join = '', where, orderBy, lists, shownFrom = [] } = query
  const offset = (page - 1) * per_page
  // Written out, because a plan made without knowing the limit expects a tenth of the table. Both are whole numbers.
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
  // Further pages find their ids in the index first and fetch only the rows they show.
  const rows =
    page === 1
      ? `select ${fields} from ${from} ${window}`
      : `select ${fields} from (select ${table}.workspace_id, ${table}.id from ${from} ${window}) as shown
         join ${table} using (workspace_id, id) ${join} order by ${orderBy}`
  // Every further page is a text of its own: prepared, they would fill the server's memory.
  const prefix = page > 1 ? PLANNED_EACH_TIME : shape === 'planned' ? where.prefix : ''
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
  // A page that is not full is the last one, so it tells the total itself.
  const isLast = shown < per_page && (shown > 0 || page === 1)
  const total = isLast ? offset + shown : await readTotal(db, query, version, known)
  if (isLast && where.hasShapes) known.setTotal(keyOf(query), { version, total })
  const text = pageText(records, total, { page, per_page })
  if (lists.length === 0) return { etag: null, body: text }
  // A total that was counted later belongs to a later version: then neither etag nor page are of a version that comes again.
  const etag = etagOf(key, shown_version ?? version)
  known.setPage(key, { version: shown_version ?? version, etag, text })
  return { etag, body: text }
}

/**
 * How to look for the rows of a condition whose best plan depends on its value, from how many there were at the last count:
 * walking the list in its order passes `size / total` rows for each that is shown, and an index finds all that match.
 */
function shapeOf(query: ListQuery, perPage: number, known: KnownLists): QueryShape {
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

/** The ids of a list in its order, as many as the limit allows, and how many there are. */
export async function readListIds(db: Db, query: ListQuery, limit: number, known: KnownLists) {
  const { table, where, orderBy, lists } = query
  const sql = `${where.prefix}select coalesce(json_agg(id), '[]') as ids, ${versionsOf(lists)}
    from (select ${table}.id from ${table} where ${where.sql} order by ${orderBy} limit ${Math.trunc(limit) + 1}) as listed`
  const { rows } = await db.executeQuery<{ ids: string[]; version: number }>(CompiledQuery.raw(sql, where.values))
  const { ids, version } = rows[0] as (typeof rows)[number]
  if (ids.length <= limit) return { ids, total: ids.length, truncated: false }
  return { ids: ids.slice(0, limit), total: await readTotal(db, query, version, known), truncated: true }
}

/** The answer for a filter that names something that cannot be. */
export function emptyPage(request: Request): ListPage {
  return { etag: null, body: pageText('', 0, request) }
}

function pageText(records: string, total: number, { page, per_page }: Request): string {
  const pagination = { total, page, per_page, has_more: page * per_page < total }
  return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`
}

async function readTotal(db: Db, query: ListQuery, version: number, known: KnownLists): Promise<number> {
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
/** Of the whole list, whoever looks at it. */
const sizeKeyOf = ({ table, where }: ListQuery): string => `${table} ${where.values[0]}`

/**
 * The versions of the lists, as columns: `version` of those a total depends on, `shown_version` of all that is shown. $1 is
 * the workspace in every list. They stay far below 2^53.
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

/** What a statement over the rows of a list answers, such as counts of them. */
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
    // Its clock goes on while the reader takes their time. Each batch has to come in time all the same (client.ts).
    await transaction.executeQuery(CompiledQuery.raw('set local statement_timeout = 0'))
    const batches = transaction.getExecutor().stream<T>(CompiledQuery.raw(sql, where.values), 500)
    for await (const { rows } of batches) yield* rows
  } finally {
    await transaction.rollback().execute()
  }
}
