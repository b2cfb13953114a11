import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import type { RegisterRecord } from '../../providers/registers/types.ts'
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

/** An active account that an item may be about, by one of its names. */
export type MatchingAccount = {
  item_id: number
  /** Whether the name is that of the company that the stream states; otherwise it or a domain occurs in the item. */
  is_subject: boolean
  workspace_id: string
  account_id: string
  name: string
  /** The domain of the account, and that of the name. */
  domains: readonly string[]
  /** The names that registers list for the account, now or before. */
  legal_names: readonly string[]
  /** The ids of its register records. */
  records: readonly string[]
}

/** Those of the keys that a name of an active account of any workspace has. */
export async function findAccountKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select ${sql.raw(ALL_WORKSPACES)} asked.key from unnest(${keys}::text[]) as asked (key) cross join lateral (
      -- Key by key, so that the index is used: computing the key of every account would be slow.
      select from account_names account
      where company_key(account.name) = asked.key and account.status = 'active' and exists (
        select from subscriptions plan where plan.workspace_id = account.workspace_id and plan.status = 'active')
      limit 1) as held`.execute(db)
  return rows.map(({ key }) => key)
}

type Asked = { id: number; keys: readonly string[]; domains: readonly string[] }

/** The limit of accounts of the same name over all workspaces; the others get the item with their next scan. */
const MOST = 10_000

/**
 * The active accounts of all workspaces that have the name or the register record of an item's company, or a name or a
 * domain that the item mentions, once for each of these names.
 */
export async function findMatchingAccounts(db: Db, items: readonly Asked[]): Promise<MatchingAccount[]> {
  const keys = items.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
  const domains = items.flatMap(({ id, domains }) => domains.map((domain) => ({ id, domain })))
  const { rows } = await sql<MatchingAccount>`
    with ${sql.raw(ALL_WORKSPACES)} asked as materialized (
      select id as item_id, company_key as key, true as is_subject from stream_items
      where id = any(${items.map(({ id }) => id)}::bigint[]) and company_key <> ''
      union all
      select * , false from unnest(${keys.map(({ id }) => id)}::bigint[], ${keys.map(({ key }) => key)}::text[])
    ), held as (
      select asked.item_id, asked.is_subject, named.* from asked cross join lateral (
        -- Key by key, so that the indexes are used: computing the key of every name would be slow.
        select * from account_names where company_key(name) = asked.key and status = 'active' limit ${sql.lit(MOST)}) as named
      union all
      select given.item_id, false, named.*
      from unnest(${domains.map(({ id }) => id)}::bigint[], ${domains.map(({ domain }) => domain)}::text[]) as given (item_id, domain)
      cross join lateral (
        select * from account_names where domain = given.domain and status = 'active' limit ${sql.lit(MOST)}) as named
      union all
      select item.id, true, account.workspace_id, account.id, registration.legal_name, null, account.domain, account.status
      from stream_items item
      join account_registrations registration on registration.register = item.ref->>'register'
        and registration.register_id = item.ref->>'register_id' and registration.status = 'active'
      join accounts account on account.workspace_id = registration.workspace_id and account.id = registration.account_id
      where item.id = any(${items.map(({ id }) => id)}::bigint[]) and account.status = 'active'
    )
    select item_id, bool_or(is_subject) as is_subject, workspace_id, account_id, name,
      array_remove(array[account_domain, nullif(domain, account_domain)], null) as domains,
      array(
        select legal_name from account_registrations where workspace_id = held.workspace_id and account_id = held.account_id
          and status = 'active'
        union select name from company_relations where workspace_id = held.workspace_id and account_id = held.account_id
          and kind = 'former_name' and status = 'active') as legal_names,
      array(
        select register_id from account_registrations where workspace_id = held.workspace_id and account_id = held.account_id
          and status = 'active') as records
    from held
    where exists (select from subscriptions plan where plan.workspace_id = held.workspace_id and plan.status = 'active')
    group by item_id, workspace_id, account_id, name, domain, account_domain
    order by item_id, workspace_id, account_id, name`.execute(db)
  return rows
}

/**
 * The companies of active accounts of all workspaces with these ids in a register, each once. The name is that in the
 * register, because a workspace must not see how another one names its accounts.
 */
export function listRegisteredCompanies(db: Db, register: RegisterRecord['register'], ids: readonly string[]) {
  return db
    .selectFrom('account_registrations as registration')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .innerJoin('accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'registration.workspace_id')
        .onRef('account.id', '=', 'registration.account_id'),
    )
    .select(['registration.register_id as id', 'registration.legal_name as name'])
    .distinctOn('registration.register_id')
    .where('registration.register', '=', register)
    .where('registration.register_id', 'in', ids.length > 0 ? [...ids] : [''])
    .where('registration.status', '=', 'active')
    .where('account.status', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscriptions as plan')
          .select(sql`1`.as('one'))
          .whereRef('plan.workspace_id', '=', 'account.workspace_id')
          .where('plan.status', '=', 'active'),
      ),
    )
    .orderBy('registration.register_id')
    .orderBy('registration.checked_at', 'desc')
    .execute()
}
