import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import type { FeedState, OpenItemResult, StreamItem } from '../../providers/streams/types.ts'

/** An item of a stream as it is stored. */
export type StoredItem = StreamItem & {
  id: number
  stream: string
  /** There is nothing more to fetch. */
  is_whole: boolean
  /** It has the full text, not the summary of one that could not be fetched. */
  is_opened: boolean
}

const MAX_TEXT_CHARS = 60_000
const MAX_CLAIM_CHARS = 500
const MAX_NAMED = 20

/**
 * Stores the items of a stream; an existing item only gets further signals in `about`, or becomes a lead. Returns the number
 * of new items.
 */
export async function saveItems(
  db: Db,
  stream: string,
  items: readonly StreamItem[],
  canOpen: boolean,
): Promise<number> {
  // The first of two items with the same key counts; a statement cannot write a row twice.
  const byKey = new Map(items.toReversed().map((item) => [item.key, item]))
  const rows = [...byKey.values()].flatMap(({ key, company, document, about, isLead, hints, ref }) => {
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
        is_lead: isLead ?? true,
        hints: boundedHints(hints),
        ref: ref ?? null,
      },
    ]
  })
  if (rows.length === 0) return 0
  const { rows: written } = await sql<{ is_new: boolean }>`
    insert into stream_items as known (stream, key, company, domain, url, kind, title, text, published_date, language, tells, about,
      is_lead, hints, ref, is_whole)
    select ${stream}, key, company, domain, url, kind, title, text, published_date, language, tells, about, is_lead,
      hints, ref, not ${canOpen}::boolean
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (key text, company text, domain text, url text, kind text,
      title text, text text, published_date date, language text, tells jsonb, about text[], is_lead boolean,
      hints jsonb, ref jsonb)
    order by key
    on conflict (stream, key) do update set about = array(
        select distinct signal from unnest(known.about || excluded.about) as signal order by signal),
        is_lead = known.is_lead or excluded.is_lead
      where not known.about @> excluded.about or excluded.is_lead > known.is_lead
    returning found_at = now()::timestamptz(3) as is_new`.execute(db)
  return written.filter(({ is_new }) => is_new).length
}

function boundedHints(hints: StreamItem['hints']) {
  const { named = [], witnesses = [], country } = hints ?? {}
  const bounded = { named: named.slice(0, MAX_NAMED), witnesses: witnesses.slice(0, MAX_NAMED).map(toStorable) }
  return { ...bounded, ...(country && { country }) }
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
}: Row): StoredItem {
  const known = { id, stream, key, company: { name: company, domain }, document, about, hints, is_whole }
  return { ...known, is_opened: is_whole && failures < MAX_FAILURES, ...(ref && { ref }) }
}

/** Items that were not matched yet, in the order of their arrival. */
export async function listUnmatched(db: Db, after: number, limit: number): Promise<StoredItem[]> {
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

/** Returns the ids that no other process has marked. */
export async function markMatched(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    update stream_items set matched_at = now() where id = any(${ids}::bigint[]) and matched_at is null returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const MAX_FAILURES = 3

/** Counts a failure to open an item; after the third one its summary is final. */
export async function countOpenFailure(db: Db, id: number): Promise<void> {
  await sql`
    update stream_items set failures = failures + 1, is_whole = failures + 1 >= ${sql.lit(MAX_FAILURES)}
    where id = ${id} and not is_whole`.execute(db)
}

/** Stores the result of opening an item. */
export async function saveOpenedItem(
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
      published_date: document.published_date ?? sql`published_date`,
      hints: JSON.stringify(boundedHints(hints)),
      tells: JSON.stringify(document.tells ?? []),
      is_whole: true,
      failures: 0,
    })
    .where('id', '=', id)
    .execute()
}

export async function listItems(db: Db, ids: readonly number[]): Promise<StoredItem[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('stream_items')
    .select(FIELDS)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows.map(itemOf)
}

/** The newest items of each stream since a day about companies with one of these names. */
export async function listItemsNamed(
  db: Db,
  streams: readonly string[],
  names: readonly string[],
  since: string,
  limit: number,
): Promise<StoredItem[]> {
  const { rows } = await sql<Row>`
    select newest.* from unnest(${streams}::text[]) as asked (stream) cross join lateral (
      select ${FIELD_LIST} from stream_items item
      where item.company_key = any(array(select company_key(name) from unnest(${names}::text[]) as name))
        and item.company_key <> '' and item.stream = asked.stream
        and published_date >= ${since} and not is_dropped
      order by published_date desc, id desc limit ${limit}) as newest`.execute(db)
  return rows.map(itemOf)
}

/** The newest items of each stream that are likely about one of the signals, one for each company. */
export async function listLeadItems(
  db: Db,
  streams: readonly string[],
  signalIds: readonly string[],
  since: string,
  limit: number,
): Promise<StoredItem[]> {
  const { rows } = await sql<Row>`
    select newest.* from unnest(${streams}::text[]) as asked (stream) cross join lateral (
      select ${FIELD_LIST} from (
        select distinct on (company_key) * from (
          select * from stream_items item
          where item.stream = asked.stream and published_date >= ${since} and about && ${signalIds}::text[] and is_lead
            and not is_dropped and company_key <> ''
          order by published_date desc, id desc limit ${limit * 4}) as recent
        order by company_key, published_date desc, id desc) as one
      order by published_date desc, id desc limit ${limit}) as newest`.execute(db)
  return rows.map(itemOf)
}

/** The retention time of items. */
const KEPT_DAYS = 100

export const oldStreamItems = purgeOlderThan({ table: 'stream_items', time: 'found_at', days: KEPT_DAYS })

export type DueFeed = { stream: string; feed: string; state: FeedState['state']; read_at: string | null }

/** The lease of a feed: after this another process reads it. */
const LEASE_MINUTES = 15

type Wanted = { stream: string; feed: string }

/**
 * Claims the feeds that are due, so that no other process reads them; with `onlyNew`, only those that were never read.
 * A feed that fails, or whose process is killed, becomes due again.
 */
export async function claimDueFeeds(db: Db, wanted: readonly Wanted[], onlyNew: boolean): Promise<DueFeed[]> {
  const { rows } = await sql<DueFeed>`
    insert into stream_feeds as known (stream, feed, due_at)
    select stream, feed, now() + make_interval(mins => ${LEASE_MINUTES})
    from json_to_recordset(${JSON.stringify(wanted)}::json) as given (stream text, feed text) order by stream, feed
    on conflict (stream, feed) do update set due_at = excluded.due_at
      where known.due_at <= now() and (not ${onlyNew}::boolean or known.read_at is null)
    returning stream, feed, state, read_at`.execute(db)
  return rows
}

/** A read that failed and is to be repeated has no state; a partly failed one has both. */
type Outcome = { state?: FeedState['state']; failure: string | null }

/** Records the outcome of a read, and when the next one is due; null while the same process continues to read. */
export async function recordFeedReading(
  db: Db,
  stream: string,
  feed: string,
  everyMinutes: number | null,
  outcome: Outcome,
) {
  const { state, failure } = outcome
  const json = state ? JSON.stringify(state) : null
  const read = state === undefined ? sql`` : sql`, read_at = now(), state = ${json}::jsonb`
  await sql`
    update stream_feeds set due_at = now() + make_interval(mins => ${everyMinutes ?? LEASE_MINUTES}), failure = ${failure}${read}
    where stream = ${stream} and feed = ${feed}`.execute(db)
}

/** Releases a feed that was claimed and not read. */
export async function releaseFeed(db: Db, stream: string, feed: string): Promise<void> {
  await sql`update stream_feeds set due_at = now() where stream = ${stream} and feed = ${feed}`.execute(db)
}

/** The outcome of the last read of each feed. */
export function listFeeds(db: Db, streams: readonly string[]) {
  return db
    .selectFrom('stream_feeds')
    .select(['stream', 'feed', 'read_at', 'failure'])
    .where('stream', 'in', streams.length > 0 ? [...streams] : [''])
    .orderBy('stream')
    .orderBy('feed')
    .execute()
}
