import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { olderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import type { OpenItemResult, StreamItem } from '../../providers/streams/types.ts'

/** What a stream told, as it is kept. */
export type KeptItem = StreamItem & {
  id: number
  stream: string
  /** There is no more of it to be had. */
  is_whole: boolean
  /** It is not a summary of something that could not be had. */
  is_opened: boolean
}

const MAX_TEXT_CHARS = 60_000
const MAX_CLAIM_CHARS = 500
const MAX_NAMED = 20

/**
 * Keeps what a stream told; what is known already learns only what else it is about. Answers how many were new.
 */
export async function saveItems(
  db: Db,
  stream: string,
  items: readonly StreamItem[],
  canOpen: boolean,
): Promise<number> {
  // The first of two with one key stands; a statement cannot write a row twice.
  const byKey = new Map(items.toReversed().map((item) => [item.key, item]))
  const rows = [...byKey.values()].flatMap(({ key, company, document, about, hints, ref }) => {
    const { url, kind, title, text, published_date, language = null, tells } = document
    if (published_date === null) return []
    return [
      {
        key: toStorable(key).slice(0, 300),
        company: cutText(toStorable(company.name), 300),
        domain: company.domain,
        url,
        kind,
        title: title && cutText(toStorable(title), 1_000),
        text: cutText(toStorable(text), MAX_TEXT_CHARS),
        published_date,
        language,
        tells: (tells ?? []).map(({ signal_id, claim }) => ({
          signal_id,
          claim: cutText(toStorable(claim), MAX_CLAIM_CHARS),
        })),
        about,
        hints: boundedHints(hints),
        ref: ref ?? null,
      },
    ]
  })
  if (rows.length === 0) return 0
  const { rows: written } = await sql<{ is_new: boolean }>`
    insert into stream_items as known (stream, key, company, domain, url, kind, title, text, published_date, language, tells, about,
      hints, ref, is_whole)
    select ${stream}, key, company, domain, url, kind, title, text, published_date, language, tells, about, hints, ref,
      not ${canOpen}::boolean
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (key text, company text, domain text, url text, kind text,
      title text, text text, published_date date, language text, tells jsonb, about text[], hints jsonb, ref jsonb)
    order by key
    on conflict (stream, key) do update set about = array(
        select distinct signal from unnest(known.about || excluded.about) as signal order by signal)
      where not known.about @> excluded.about
    returning found_at = now()::timestamptz(3) as is_new`.execute(db)
  return written.filter(({ is_new }) => is_new).length
}

function boundedHints(hints: StreamItem['hints']) {
  const { named = [], witnesses = [] } = hints ?? {}
  return { named: named.slice(0, MAX_NAMED), witnesses: witnesses.slice(0, MAX_NAMED).map(toStorable) }
}

const FIELDS = [
  ...(['id', 'stream', 'key', 'company', 'domain', 'url', 'kind', 'title', 'text', 'published_date'] as const),
  ...(['language', 'tells', 'about', 'hints', 'ref', 'is_whole', 'failures'] as const),
] as const

const FIELD_LIST = sql.join(FIELDS.map((field) => sql.ref(field)))

type Row = Pick<Selectable<Database['stream_items']>, (typeof FIELDS)[number]>

function itemOf({
  id,
  stream,
  key,
  company,
  domain,
  about,
  hints,
  ref,
  is_whole,
  failures,
  ...document
}: Row): KeptItem {
  const known = { id, stream, key, company: { name: company, domain }, document, about, hints, is_whole }
  return { ...known, is_opened: is_whole && failures < MAX_FAILURES, ...(ref && { ref }) }
}

/** What nobody has looked up yet, in the order it came. */
export async function listUnmatched(db: Db, after: number, limit: number): Promise<KeptItem[]> {
  const rows = await db
    .selectFrom('stream_items')
    .select(FIELDS)
    .where('matched_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}

/** Answers those that nobody else has marked meanwhile. */
export async function markMatched(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    update stream_items set matched_at = now() where id = any(${ids}::bigint[]) and matched_at is null returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const MAX_FAILURES = 3

/** Counts that an item could not be opened; after the third time it stays as it is. */
export async function countFailure(db: Db, id: number): Promise<void> {
  await sql`
    update stream_items set failures = failures + 1, is_whole = failures + 1 >= ${sql.lit(MAX_FAILURES)}
    where id = ${id} and not is_whole`.execute(db)
}

/** Keeps what opening an item gave. */
export async function saveOpened(
  db: Db,
  id: number,
  opened: Exclude<OpenItemResult, { outcome: 'failed' }>,
): Promise<void> {
  if (opened.outcome === 'dropped') {
    await sql`update stream_items set is_dropped = true, is_whole = true, matched_at = now() where id = ${id}`.execute(
      db,
    )
    return
  }
  const { document, hints } = opened
  await db
    .updateTable('stream_items')
    .set({
      text: cutText(toStorable(document.text), MAX_TEXT_CHARS),
      language: document.language ?? null,
      hints: JSON.stringify(boundedHints(hints)),
      tells: JSON.stringify(document.tells ?? []),
      is_whole: true,
      failures: 0,
    })
    .where('id', '=', id)
    .execute()
}

export async function listItems(db: Db, ids: readonly number[]): Promise<KeptItem[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('stream_items')
    .select(FIELDS)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows.map(itemOf)
}

/** What each of some streams told since a day of somebody of this name, the newest. */
export async function listItemsNamed(
  db: Db,
  streams: readonly string[],
  name: string,
  since: string,
  limit: number,
): Promise<KeptItem[]> {
  const { rows } = await sql<Row>`
    select told.* from unnest(${streams}::text[]) as asked (stream) cross join lateral (
      select ${FIELD_LIST} from stream_items item
      where item.company_key = company_key(${name}) and item.company_key <> '' and item.stream = asked.stream
        and published_date >= ${since} and not is_dropped
      order by published_date desc, id desc limit ${limit}) as told`.execute(db)
  return rows.map(itemOf)
}

/** The newest items of each stream that are likely about one of the signals, one for each company. */
export async function listLeadItems(
  db: Db,
  streams: readonly string[],
  signalIds: readonly string[],
  since: string,
  limit: number,
): Promise<KeptItem[]> {
  const { rows } = await sql<Row>`
    select told.* from unnest(${streams}::text[]) as asked (stream) cross join lateral (
      select ${FIELD_LIST} from (
        select distinct on (company_key) * from (
          select * from stream_items item
          where item.stream = asked.stream and published_date >= ${since} and about && ${signalIds}::text[] and not is_dropped
            and company_key <> ''
          order by published_date desc, id desc limit ${limit * 4}) as newest
        order by company_key, published_date desc, id desc) as one
      order by published_date desc, id desc limit ${limit}) as told`.execute(db)
  return rows.map(itemOf)
}

/** So long a stream's items may be asked for. */
const KEPT_DAYS = 100

export const oldStreamItems = olderThan({ table: 'stream_items', time: 'found_at', days: KEPT_DAYS })
