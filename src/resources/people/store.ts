import { sql } from 'kysely'
import type { Static } from 'typebox'
import { compileJsonQuery, compileOnce } from '../../db/compiled.ts'
import type { Db } from '../../db/connect.ts'
import type { JobLevel, PersonSource } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Candidate } from '../../engine/recipient/index.ts'
import { notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { isContactOf } from '../accounts/crm-store.ts'
import { requireMembers } from '../members/store.ts'
import type { HistoryJob } from './history-schema.ts'

export const PERSON_COLUMNS = [
  ...(['id', 'account_id', 'full_name', 'title', 'headline', 'network_url', 'email', 'email_checked_at'] as const),
  ...(['phone', 'phone_checked_at', 'location', 'country_code', 'connections_count', 'profile_picture_url'] as const),
  ...(['job_level', 'source', 'icp_tier', 'ranking', 'owner_id', 'created_at', 'sources'] as const),
] as const

/** Whether the email address is verified, was not found, or is not checked yet. */
const EMAIL_STATUS = `case when people.email is not null then 'verified'
  when people.email_checked_at is not null then 'not_found' else 'unchecked' end`

/** Computed fields of a person: the account's name, and why there is no email address or phone number. $1 is the workspace. */
export const PERSON_COMPUTED_SQL = {
  account_name: `(select accounts.name from accounts
    where accounts.workspace_id = $1 and accounts.id = people.account_id)`,
  email_reason: 'case when people.email is null then people.email_note end',
  phone_reason: 'case when people.phone is null then people.phone_note end',
  left_on: 'people.left_on',
  email_status: EMAIL_STATUS,
} as const

/** The same fields for a Kysely query. */
export const personComputedFields = (workspaceId: string) =>
  [
    sql<string>`(select accounts.name from accounts
      where accounts.workspace_id = ${workspaceId} and accounts.id = people.account_id)`.as('account_name'),
    sql.raw<string | null>(PERSON_COMPUTED_SQL.email_reason).as('email_reason'),
    sql.raw<string | null>(PERSON_COMPUTED_SQL.phone_reason).as('phone_reason'),
    sql.raw<string | null>(PERSON_COMPUTED_SQL.left_on).as('left_on'),
    sql.raw<'verified' | 'not_found' | 'unchecked'>(PERSON_COMPUTED_SQL.email_status).as('email_status'),
  ] as const

const FULL_COLUMNS = ['email_source', 'phone_url', 'title_history', 'found_source', 'found_url'] as const

/** Employment history, current jobs first. */
const historyOf = (workspaceId: string) => sql<Static<typeof HistoryJob>[]>`coalesce((
  select jsonb_agg(jsonb_build_object('employer', employer, 'employer_domain', employer_domain, 'account_id', job.account_id,
      'title', job.title, 'from', from_day, 'until', until_day, 'is_over', is_over, 'sources', sources)
    order by is_over, coalesce(until_day, from_day, job.created_at::date) desc, job.id)
  from person_jobs as job where job.workspace_id = ${workspaceId} and job.person_id = people.id), '[]')`

function selectPerson(db: Db, workspace_id: string, id: string, scoped_to: string | null) {
  return db
    .selectFrom('people')
    .select(PERSON_COLUMNS)
    .select(personComputedFields(workspace_id))
    .select(FULL_COLUMNS)
    .select(
      sql<string[]>`array(select list_id::text from people_list_members as saved
        where saved.workspace_id = ${workspace_id} and saved.person_id = people.id order by list_id)`.as('list_ids'),
    )
    .select(historyOf(workspace_id).as('history'))
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where(visibleTo({ workspace_id, scoped_to }))
}

const selectAny = (db: Db, workspaceId: string, id: string) => selectPerson(db, workspaceId, id, null)
const readAny = compileOnce(selectAny)
const readScoped = compileOnce(selectPerson)

const readAnyJson = compileJsonQuery(selectAny)
const readScopedJson = compileJsonQuery(selectPerson)

/** Returns the full person as JSON text; null if the viewer may not see them. */
export function readPersonJson(db: Db, { workspace_id, scoped_to }: Viewer, id: string): Promise<string | null> {
  return scoped_to === null ? readAnyJson(db, workspace_id, id) : readScopedJson(db, workspace_id, id, scoped_to)
}

/** Returns the full person with their lists. Throws not_found if the viewer may not see them. */
export async function getPerson(db: Db, { workspace_id, scoped_to }: Viewer, id: string) {
  const [found] = await (scoped_to === null
    ? readAny(db, workspace_id, id)
    : readScoped(db, workspace_id, id, scoped_to))
  if (!found) throw notFound('person')
  return found
}

export type SavedPerson = Pick<Awaited<ReturnType<typeof getPerson>>, (typeof PERSON_COLUMNS)[number]>

/** Throws not_found. */
async function setPersonOwner(db: Db, viewer: Viewer, id: string, ownerId: string | null) {
  const updated = await db
    .updateTable('people')
    .set({ owner_id: ownerId })
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '=', id)
    .where(visibleTo(viewer))
    .returning(['id', 'owner_id'])
    .executeTakeFirst()
  if (!updated) throw notFound('person')
  return updated
}

/** Assigns a person to a member, or removes the owner with null. Throws not_found, unknown_member. */
export async function assignPerson(db: Db, viewer: Viewer, id: string, ownerId: string | null) {
  const person = await getPerson(db, viewer, id)
  if (ownerId === person.owner_id) return { id: person.id, owner_id: ownerId }
  await requireMembers(db, viewer.workspace_id, [ownerId])
  return setPersonOwner(db, viewer, id, ownerId)
}

/** Deletes a person and returns their identifying fields. Throws not_found. */
export async function deletePersonRow(db: Db, viewer: Viewer, id: string) {
  const gone = await db
    .deleteFrom('people')
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '=', id)
    .where(visibleTo(viewer))
    .returning(['account_id', 'identity', 'full_name', 'network_url', 'email', 'given_email', 'published_email'])
    .returning(['phone', 'found_phone'])
    .executeTakeFirst()
  if (!gone) throw notFound('person')
  return gone
}

export type PersonRow = {
  id: string
  account_id: string
  identity: string
  full_name: string
  title: string | null
  headline: string | null
  network_url: string | null
  email: string | null
  /** From an import or a vendor, and not verified. */
  given_email: string | null
  published_email: string | null
  published_url: string | null
  phone: string | null
  found_phone: string | null
  found_phone_source: string | null
  found_phone_url: string | null
  location: string | null
  country_code: string | null
  connections_count: number | null
  profile_picture_url: string | null
  job_level: JobLevel | null
  icp_tier: number | null
  ranking: number | null
  left_on: string | null
  /** The source from which a search added the person. */
  found_source: string | null
  found_url: string | null
  /** The company's own page that shows them, and the title there. */
  shown_url: string | null
  shown_title: string | null
}

/** Limits the title history, because sources that disagree about a title would grow it without bound. */
const MAX_TITLES = 20

/** The day of the upsert as text, by immutable functions: ON CONFLICT cannot call others in a distributed database. */
const TODAY = sql`regexp_replace((extract(year from excluded.created_at at time zone 'UTC') * 10000
  + extract(month from excluded.created_at at time zone 'UTC') * 100
  + extract(day from excluded.created_at at time zone 'UTC'))::text, '(..)(..)$', '-\\1-\\2')`

/**
 * Upserts people in one statement. A stored value is replaced by a newer one and never by null; a replaced title is added to
 * the history; sources are accumulated. A checked email or phone, the owner, the lists and the earliest departure day are
 * not changed. A person who left has no ranking. Returns the stored people with their `identity` and whether they were
 * `created`.
 */
export async function upsertPeople(db: Db, workspaceId: string, source: PersonSource, rows: PersonRow[]) {
  const { rows: saved } = await sql`
    insert into people (workspace_id, id, account_id, identity, full_name, title, headline, network_url, email, given_email, email_checked_at,
      phone, phone_checked_at, location, country_code, connections_count, profile_picture_url, job_level, sources, icp_tier, ranking,
      published_email, published_url, found_phone, found_phone_source, found_phone_url, left_on, found_source, found_url, shown_url, shown_title)
    select ${workspaceId}::uuid, id, account_id, identity, full_name, title, headline, network_url, email, given_email,
      case when email is not null then now() end, phone, case when phone is not null then now() end,
      location, country_code, connections_count, profile_picture_url, job_level, array[${source}::text], icp_tier, ranking,
      published_email, published_url, found_phone, found_phone_source, found_phone_url, left_on, found_source, found_url, shown_url, shown_title
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, account_id uuid, identity text, full_name text, title text,
      headline text, network_url text, email text, given_email text, phone text, location text, country_code text, connections_count integer,
      profile_picture_url text, job_level text, icp_tier integer, ranking integer, published_email text, published_url text,
      found_phone text, found_phone_source text, found_phone_url text, left_on date, found_source text, found_url text,
      shown_url text, shown_title text)
    on conflict on constraint people_identity do update set
      full_name = excluded.full_name,
      title = coalesce(excluded.title, people.title),
      headline = coalesce(excluded.headline, people.headline),
      network_url = coalesce(excluded.network_url, people.network_url),
      email = coalesce(people.email, excluded.email),
      given_email = coalesce(excluded.given_email, people.given_email),
      email_checked_at = case when people.email is null and excluded.email is not null then excluded.email_checked_at else people.email_checked_at end,
      phone = coalesce(people.phone, excluded.phone),
      phone_checked_at = case when people.phone is null and excluded.phone is not null then excluded.phone_checked_at else people.phone_checked_at end,
      location = coalesce(excluded.location, people.location),
      country_code = coalesce(excluded.country_code, people.country_code),
      connections_count = coalesce(excluded.connections_count, people.connections_count),
      profile_picture_url = coalesce(excluded.profile_picture_url, people.profile_picture_url),
      job_level = coalesce(excluded.job_level, people.job_level),
      sources = case when people.sources @> excluded.sources then people.sources else people.sources || excluded.sources end,
      icp_tier = coalesce(excluded.icp_tier, people.icp_tier),
      ranking = case when coalesce(excluded.left_on, people.left_on) is null then coalesce(excluded.ranking, people.ranking) end,
      published_email = coalesce(excluded.published_email, people.published_email),
      published_url = case when excluded.published_email is not null then excluded.published_url else people.published_url end,
      found_phone = coalesce(excluded.found_phone, people.found_phone),
      found_phone_source = case when excluded.found_phone is not null then excluded.found_phone_source else people.found_phone_source end,
      found_phone_url = case when excluded.found_phone is not null then excluded.found_phone_url else people.found_phone_url end,
      left_on = least(excluded.left_on, people.left_on),
      shown_url = coalesce(excluded.shown_url, people.shown_url),
      shown_title = case when excluded.shown_url is null then people.shown_title else excluded.shown_title end,
      title_history = case
        when search_fold(excluded.title) <> search_fold(people.title) and jsonb_array_length(people.title_history) < ${MAX_TITLES}
        then people.title_history || jsonb_object(array['title', people.title, 'until', ${TODAY}])
        else people.title_history end
    returning ${sql.join(PERSON_COLUMNS.map((column) => sql.ref(column)))}, identity, (xmax = 0) as created`.execute(db)
  return saved as (SavedPerson & { identity: string; created: boolean })[]
}

/**
 * The company where a person of `people` was a contact of a won deal before they joined their account, unless the owner of the
 * account, who sends the message, may not see the people there.
 */
const knownFrom = (workspaceId: string) => sql<string | null>`(
  select coalesce(former.name, company.name)
  from person_moves as move
    join people as mover on mover.workspace_id = move.workspace_id and mover.id = move.person_id
      and lower(mover.full_name) = lower(people.full_name)
    join pulled_contacts as contact on contact.workspace_id = move.workspace_id and ${isContactOf('move.person_id')}
    join pulled_deals as deal on deal.workspace_id = contact.workspace_id and deal.provider = contact.provider
      and deal.contact_crm_ids @> array[contact.crm_id] and deal.is_won and deal.deleted_at is null
    join pulled_companies as company on company.workspace_id = deal.workspace_id and company.provider = deal.provider
      and company.crm_id = deal.company_crm_id and company.deleted_at is null
    left join accounts as former on former.workspace_id = company.workspace_id and former.id = company.account_id
    join accounts as joined on joined.workspace_id = ${workspaceId} and joined.id = people.account_id
    left join members as sender on sender.workspace_id = joined.workspace_id and sender.id = joined.owner_id
      and sender.visibility = 'scoped' and sender.role <> 'admin'
  where move.workspace_id = ${workspaceId} and move.to_account_id = people.account_id and move.kind = 'joined'
    and company.account_id is distinct from people.account_id
    and (sender.id is null or sender.id in (former.owner_id, mover.owner_id))
  order by deal.closes_on desc nulls last, deal.crm_id limit 1)`

/** The people of an account who may be contacted, those closest to the personas first. */
export function listCandidates(db: Db, workspaceId: string, accountId: string): Promise<Candidate[]> {
  return db
    .selectFrom('people')
    .select(['id', 'full_name', 'title'])
    .select((eb) => [
      eb('email', 'is not', null).$castTo<boolean>().as('has_email'),
      sql<boolean>`email is null and email_note is not null`.as('lacks_email'),
      eb('phone', 'is not', null).$castTo<boolean>().as('has_phone'),
      knownFrom(workspaceId).as('known_from'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('left_on', 'is', null)
    .orderBy(sql`ranking nulls last`)
    .orderBy('id')
    .limit(200)
    .execute()
}

/** Counts the people of an account by title and country. */
export function countTitles(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('people')
    .select((eb) => ['title', 'country_code', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('left_on', 'is', null)
    .groupBy(['title', 'country_code'])
    .execute()
}
