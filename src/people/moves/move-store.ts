import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import type { Database } from '../../db/schema.ts'
import { isContactOf } from '../../resources/accounts/crm-store.ts'

/** Maximum number of sources stored for a move or a job; further sources add no information. */
const MAX_SOURCES = 10

/** Tags that mark an account as won, compared without case. */
const WON_TAGS = ['customer', 'won']

/** Whether a person is followed: they are in a list, at an account that was won, or a contact of a won deal in the CRM. */
export const isFollowed = (workspaceId: string) => sql<boolean>`(
  exists (select from people_list_members as saved
    where saved.workspace_id = ${workspaceId} and saved.person_id = people.id)
  or exists (select from unnest(account.tags) as tag where lower(tag) = any(${sql.lit(`{${WON_TAGS.join()}}`)}::text[]))
  or account.relationship = 'customer'
  or exists (select from pulled_contacts as contact
    join pulled_deals as deal on deal.workspace_id = contact.workspace_id and deal.provider = contact.provider
      and deal.contact_crm_ids @> array[contact.crm_id] and deal.is_won and deal.deleted_at is null
    where contact.workspace_id = ${workspaceId} and ${isContactOf('people.id')}))`

/** Whether a move of this person sends an alert: people at active accounts, and people who are followed. */
const sendsAlert = (workspaceId: string) => sql<boolean>`(account.status = 'active' or ${isFollowed(workspaceId)})`

/** A row without the columns that the database or the caller fills in. */
type InsertableRow<T> = Omit<Selectable<T>, 'workspace_id' | 'created_at'>

export type PersonMoveRow = InsertableRow<Database['person_moves']>

/**
 * Inserts moves of people who still exist, and merges the evidence into moves that are already stored. A departure is
 * skipped when the person is already known to have joined another company from there. Returns each move with the person's
 * account, whether it is new, and whether it sends an alert.
 */
export async function insertMoves(db: Db, workspaceId: string, rows: readonly PersonMoveRow[]) {
  const { rows: written } = await sql<{
    id: string
    person_id: string
    key: string
    account_id: string
    sends_alert: boolean
    is_new: boolean
  }>`
    with written as (
      insert into person_moves (workspace_id, id, person_id, key, kind, from_employer, from_title, to_employer, to_title,
        to_domain, to_account_id, happened_on, evidence)
      select people.workspace_id, given.id, given.person_id, key, kind, from_employer, from_title, to_employer, to_title,
        to_domain, to_account_id, happened_on, evidence
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, person_id uuid, key text, kind text,
          from_employer text, from_title text, to_employer text, to_title text, to_domain text, to_account_id uuid,
          happened_on date, evidence jsonb)
        join people on people.workspace_id = ${workspaceId} and people.id = given.person_id
      where given.kind <> 'left' or not exists (select from person_moves as known
        where known.workspace_id = ${workspaceId} and known.person_id = given.person_id and known.kind = 'joined'
          and search_fold(known.from_employer) = search_fold(given.from_employer))
      on conflict on constraint person_moves_key do update set
        evidence = ${mergeSources(sql`person_moves.evidence`, sql`excluded.evidence`)},
        happened_on = coalesce(person_moves.happened_on, excluded.happened_on),
        to_domain = coalesce(person_moves.to_domain, excluded.to_domain),
        to_account_id = coalesce(person_moves.to_account_id, excluded.to_account_id)
      returning id, person_id, key, xmax = 0 as is_new
    )
    select written.id, person_id, key, is_new, people.account_id, ${sendsAlert(workspaceId)} as sends_alert
    from written join people on people.workspace_id = ${workspaceId} and people.id = written.person_id
      join accounts as account on account.workspace_id = people.workspace_id and account.id = people.account_id`.execute(
    db,
  )
  return written
}

/** Concatenates two lists of sources without duplicates, by immutable functions. */
function mergeSources(known: ReturnType<typeof sql>, given: ReturnType<typeof sql>) {
  return sql`(select ('[' || string_agg(source::text, ',' order by at) || ']')::jsonb from (
    select source, min(at) as at
    from jsonb_array_elements(${known} || ${given}) with ordinality as all_of (source, at)
    group by source order by min(at) limit ${sql.lit(MAX_SOURCES)}) as kept)`
}

export type PersonJobRow = InsertableRow<Database['person_jobs']>

/** Upserts jobs of people who still exist; a job that is already stored gets the values it lacks. */
export async function savePersonJobs(db: Db, workspaceId: string, rows: readonly PersonJobRow[]): Promise<void> {
  await sql`
    insert into person_jobs (workspace_id, id, person_id, key, employer, employer_domain, account_id, title, from_day,
      until_day, is_over, sources)
    select people.workspace_id, given.id, person_id, key, employer, employer_domain, given.account_id, given.title, from_day,
      until_day, is_over, given.sources
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, person_id uuid, key text, employer text,
        employer_domain text, account_id uuid, title text, from_day date, until_day date, is_over boolean, sources jsonb)
      join people on people.workspace_id = ${workspaceId} and people.id = given.person_id
    on conflict on constraint person_jobs_key do update set
      employer_domain = coalesce(excluded.employer_domain, person_jobs.employer_domain),
      account_id = coalesce(excluded.account_id, person_jobs.account_id),
      from_day = coalesce(person_jobs.from_day, excluded.from_day),
      until_day = coalesce(person_jobs.until_day, excluded.until_day),
      is_over = person_jobs.is_over or excluded.is_over,
      sources = ${mergeSources(sql`person_jobs.sources`, sql`excluded.sources`)}`.execute(db)
}

/** Days for which the company of a move without an account or a domain is looked up again, because the failure may be temporary. */
const RETRY_DAYS = 7
const IS_UNRESOLVED = sql<boolean>`(kind = 'joined' and to_domain is null and to_account_id is null
  and person_moves.created_at > now() - make_interval(days => ${sql.lit(RETRY_DAYS)}))`

/** Lists moves of all workspaces whose new company is not resolved yet, newest first. */
export function listUnresolvedMoves(db: Db, limit: number) {
  return db
    .selectFrom('person_moves')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .innerJoin('people', (join) =>
      join
        .onRef('people.workspace_id', '=', 'person_moves.workspace_id')
        .onRef('people.id', '=', 'person_moves.person_id'),
    )
    .select(['person_moves.workspace_id', 'person_id', 'account_id', 'from_employer', 'from_title', 'to_title'])
    .select(['to_employer', 'happened_on', 'evidence'])
    .where(IS_UNRESOLVED)
    .orderBy('person_moves.created_at', 'desc')
    .limit(limit)
    .execute()
}

/** Returns those of the moves that are stored, keyed by `person key`, and whether their company is still unresolved. */
export async function findKnownMoves(
  db: Db,
  workspaceId: string,
  moves: readonly { person_id: string; key: string }[],
): Promise<Map<string, { is_unresolved: boolean }>> {
  const rows = await db
    .selectFrom('person_moves')
    .select(['person_id', 'key', IS_UNRESOLVED.as('is_unresolved')])
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', sql<string>`any(${moves.map(({ person_id }) => person_id)}::uuid[])`)
    .execute()
  return new Map(rows.map(({ person_id, key, is_unresolved }) => [`${person_id} ${key}`, { is_unresolved }]))
}

/** Stores the day on which people left their account. An earlier day is not overwritten. A person who left has no ranking. */
export async function markLeft(db: Db, workspaceId: string, ids: readonly string[], day: string): Promise<void> {
  await db
    .updateTable('people')
    .set({ left_on: day, ranking: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('left_on', 'is', null)
    .execute()
}

/** Deletes departures of people whom the employer's pages show again, and reopens their jobs. */
export async function deleteDepartures(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  employer: string,
): Promise<void> {
  await sql`delete from person_moves where workspace_id = ${workspaceId} and person_id = any(${ids}::uuid[])
    and kind = 'left' and from_employer = ${employer}`.execute(db)
  await sql`update person_jobs set is_over = false, until_day = null from people
    where person_jobs.workspace_id = ${workspaceId} and person_id = any(${ids}::uuid[]) and employer = ${employer}
      and people.workspace_id = person_jobs.workspace_id and people.id = person_id
      and person_jobs.title is not distinct from people.title`.execute(db)
}

/** Returns people of other accounts with one of these profile pages. */
export function findPeopleByProfilePage(db: Db, workspaceId: string, accountId: string, identities: readonly string[]) {
  return db
    .selectFrom('people')
    .innerJoin('accounts as account', (join) =>
      join.onRef('account.workspace_id', '=', 'people.workspace_id').onRef('account.id', '=', 'people.account_id'),
    )
    .select(['people.id', 'people.account_id', 'people.identity', 'people.title', 'people.left_on', 'people.shown_url'])
    .select(['people.created_at', 'account.name as employer', 'account.domain'])
    .where('people.workspace_id', '=', workspaceId)
    .where('people.account_id', '<>', accountId)
    .where('people.identity', '=', sql<string>`any(${identities}::text[])`)
    .where('people.identity', 'like', 'page:%')
    .orderBy('people.created_at')
    .execute()
}

/** Links a move, and the job it created, to the account that its company became. */
export async function setMoveAccount(db: Db, workspaceId: string, moveId: string, accountId: string): Promise<void> {
  await sql`
    with moved as (update person_moves set to_account_id = ${accountId}
      where workspace_id = ${workspaceId} and id = ${moveId} returning person_id, to_employer)
    update person_jobs set account_id = ${accountId} from moved
    where person_jobs.workspace_id = ${workspaceId} and person_jobs.person_id = moved.person_id
      and person_jobs.employer = moved.to_employer`.execute(db)
}
