import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { JobLevel } from '../../db/schema.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { type GoneRecord, ofCrm } from './record-store.ts'

/** A contact at a company that is an account. */
export type PlacedContact = {
  crm_id: string
  account_id: string
  full_name: string
  email: string | null
  title: string | null
  phone: string | null
  country: string | null
  /** The person it became, was before, or was pushed from, at this account. */
  person_id: string | null
  /** Whether it was this person before. */
  is_known: boolean
  /** Hashes of the values that the service wrote to it. */
  written: Record<string, string>
  /** Whether only the CRM knows the person it was pushed from. */
  is_crm_only: boolean
}

/** The contacts at accounts: those given, or the next that are no person yet. */
export async function findPlacedContacts(db: Db, key: SyncKey, portal: string, which: string[] | { limit: number }) {
  const condition = Array.isArray(which) ? sql`one.crm_id = any(${which}::text[])` : sql`one.person_id is null`
  // Materialized and lateral: without statistics, a join reads all companies for each contact.
  const { rows } = await sql<PlacedContact>`
    with one as materialized (
      select * from pulled_contacts as one where ${ofCrm(key, 'one')} and ${condition} and company_crm_id is not null
        and full_name is not null and not is_erased and deleted_at is null
    )
    select one.crm_id, company.account_id, one.full_name, one.email, one.title, one.phone, one.country,
      coalesce(people.id, former.id, case when link.account_id = company.account_id then link.person_id end) as person_id,
      people.id is not null as is_known, coalesce(link.written, '{}') as written,
      coalesce(link.sources = '{crm}', false) as is_crm_only
    from one cross join lateral (
        select account_id from pulled_companies as company where ${ofCrm(key, 'company')}
          and company.crm_id = one.company_crm_id and company.deleted_at is null offset 0) as company
      left join lateral (
        select id from people where people.workspace_id = ${key.workspace_id} and people.id = one.person_id
          and people.account_id = company.account_id offset 0) as people on true
      left join lateral (
        select id from people where people.workspace_id = ${key.workspace_id} and people.id = one.former_person_id
          and people.account_id = company.account_id offset 0) as former on true
      left join lateral (
        select pushed.person_id, pushed.written, linked.account_id, linked.sources from crm_contacts as pushed
          join people as linked on linked.workspace_id = pushed.workspace_id and linked.id = pushed.person_id
        where ${ofCrm(key, 'pushed')} and pushed.portal = ${portal}
          and pushed.crm_id = one.crm_id
        order by linked.account_id = company.account_id desc, pushed.person_id limit 1) as link on true
    where company.account_id is not null
    order by one.crm_id ${Array.isArray(which) ? sql`` : sql`limit ${which.limit}`}`.execute(db)
  return rows
}

/** A contact that has another company than the person it became, or none any more. */
type MovedContact = { crm_id: string; person_id: string; account_id: string }

/** Those of the contacts, or of the contacts of companies, that have moved. */
export async function findMovedContacts(
  db: Db,
  key: SyncKey,
  which: { contacts: string[] } | { companies: string[] },
): Promise<MovedContact[]> {
  const condition =
    'contacts' in which
      ? sql`one.crm_id = any(${which.contacts}::text[])`
      : sql`one.company_crm_id = any(${which.companies}::text[])`
  const { rows } = await sql<MovedContact>`
    select one.crm_id, one.person_id, people.account_id from pulled_contacts as one
      join people on people.workspace_id = one.workspace_id and people.id = one.person_id
      left join pulled_companies as company on company.workspace_id = one.workspace_id and company.provider = one.provider
        and company.crm_id = one.company_crm_id and company.deleted_at is null
    where ${ofCrm(key, 'one')} and ${condition} and (one.company_crm_id is null or company.crm_id is not null)
      and company.account_id is distinct from people.account_id`.execute(db)
  return rows
}

/**
 * Separates moved contacts from the people they were. A person whom only the CRM knows has left, another is no longer in the
 * CRM, unless another contact of theirs exists. Returns these people.
 */
export async function releaseMovedContacts(db: Db, key: SyncKey, portal: string, moved: MovedContact[]) {
  if (moved.length === 0) return []
  const given = sql`json_to_recordset(${JSON.stringify(moved)}::json) as given (crm_id text, person_id uuid)`
  await sql`update pulled_contacts as one
    set person_id = nullif(one.person_id, given.person_id), former_person_id = given.person_id from ${given}
    where ${ofCrm(key, 'one')} and one.crm_id = given.crm_id and not one.is_erased`.execute(db)
  await sql`delete from crm_contacts as link using ${given}
    where ${ofCrm(key, 'link')} and link.portal = ${portal} and link.crm_id = given.crm_id
      and link.person_id = given.person_id`.execute(db)
  const { rows } = await sql<{ id: string; account_id: string }>`
    update people set
      left_on = case when sources = '{crm}' then coalesce(left_on, clock.today) else left_on end,
      ranking = case when sources = '{crm}' then null else ranking end,
      crm_deleted_on = case when sources = '{crm}' then crm_deleted_on else coalesce(crm_deleted_on, clock.today) end
    from (select current_date as today) as clock
    where people.workspace_id = ${key.workspace_id} and id = any(${moved.map(({ person_id }) => person_id)}::uuid[])
      and not exists (select from pulled_contacts as other where other.workspace_id = ${key.workspace_id}
        and other.person_id = people.id and other.deleted_at is null)
    returning id, account_id`.execute(db)
  return rows
}

export type SamePerson = { id: string; account_id: string; identity: string; full_name: string; emails: string[] }

/** The people of accounts who have one of the emails or one of the names. */
export async function findSamePeople(
  db: Db,
  workspaceId: string,
  { accountIds, emails, names }: { accountIds: string[]; emails: string[]; names: string[] },
): Promise<SamePerson[]> {
  const { rows } = await sql<SamePerson>`
    select id, account_id, identity, full_name,
      array_remove(array[lower(email), lower(given_email), lower(published_email)], null) as emails
    from people where workspace_id = ${workspaceId} and account_id = any(${accountIds}::uuid[])
      and (array[lower(email), lower(given_email), lower(published_email)] && ${emails}::text[]
        or search_fold(full_name) = any(${names}::text[]))
    order by id`.execute(db)
  return rows
}

export type CrmPerson = {
  id: string
  full_name: string
  identity: string
  given_email: string | null
  title: string | null
  job_level: JobLevel | null
  phone: string | null
  country_code: string | null
  /** Whether the contact has become this person just now. */
  is_new: boolean
  /** Whether the CRM has a value that the service did not write. */
  is_foreign: boolean
}

/**
 * Adds the CRM to the sources of people and fills what is not known of them. Of a person whom only the CRM knows, the newer
 * values of the CRM replace the stored ones, also with nothing if no other contact is this person. Returns the accounts of
 * the people who changed.
 */
export async function updatePeopleFromCrm(db: Db, workspaceId: string, people: CrmPerson[]): Promise<string[]> {
  if (people.length === 0) return []
  const merged = (column: string, isOnlyFromCrm = sql`true`) =>
    sql`case when known.sources = '{crm}' and given.contacts = 1 and ${isOnlyFromCrm} then ${sql.ref(`given.${column}`)}
      when known.sources = '{crm}' then coalesce(${sql.ref(`given.${column}`)}, ${sql.ref(`known.${column}`)})
      else coalesce(${sql.ref(`known.${column}`)}, ${sql.ref(`given.${column}`)}) end`
  // Without statistics, a join alone reads all people.
  const ids = [...new Set(people.map(({ id }) => id))]
  const given = sql`
    select distinct on (id) *, (select count(*) from pulled_contacts as one where one.workspace_id = ${workspaceId}
      and one.person_id = every.id and one.deleted_at is null) as contacts
    from json_to_recordset(${JSON.stringify(people)}::json) as every (id uuid, full_name text, identity text,
      given_email text, title text, job_level text, phone text, country_code text, is_new boolean, is_foreign boolean)
    order by id`
  const { rows } = await sql<{ account_id: string }>`
    with given as materialized (${given}),
    merged as materialized (
      select known.id, given.is_foreign, case when known.sources = '{crm}' then given.full_name else known.full_name end as full_name,
        ${merged('given_email')} as given_email, ${merged('title')} as title, ${merged('job_level')} as job_level,
        ${merged('phone', sql`known.phone_source is null and known.phone_url is null and known.found_phone is null`)} as phone,
        ${merged('country_code')} as country_code,
        case when known.sources = '{crm}' and given.is_new then null else known.left_on end as left_on,
        now() as at, jsonb_build_array(jsonb_build_object('title', known.title, 'until', current_date)) as former_title
      from people as known join given on known.id = given.id
      where known.workspace_id = ${workspaceId} and known.id = any(${ids}::uuid[])
      order by known.id for no key update of known
    )
    update people set full_name = merged.full_name, given_email = merged.given_email, title = merged.title,
      job_level = merged.job_level, phone = merged.phone, country_code = merged.country_code, left_on = merged.left_on,
      crm_deleted_on = null,
      phone_checked_at = case when people.phone is null and merged.phone is not null then merged.at else people.phone_checked_at end,
      sources = case when people.sources @> '{crm}' or not merged.is_foreign then people.sources
        else people.sources || '{crm}' end,
      title_history = case when search_fold(merged.title) <> search_fold(people.title)
          and jsonb_array_length(people.title_history) < 20
        then people.title_history || merged.former_title
        else people.title_history end
    from merged where people.workspace_id = ${workspaceId} and people.id = merged.id and people.id = any(${ids}::uuid[])
      and ((people.full_name, people.given_email, people.title, people.phone, people.country_code, people.left_on)
          is distinct from (merged.full_name, merged.given_email, merged.title, merged.phone, merged.country_code, merged.left_on)
        or people.crm_deleted_on is not null or (merged.is_foreign and not people.sources @> '{crm}'))
    returning people.account_id`.execute(db)
  // A person who was renamed is found by the new name; one whose name and title another has keeps the old identity.
  await sql`
    update people set identity = given.identity
    from (select distinct on (known.account_id, one.identity) known.id, known.account_id, one.identity
      from (${given}) as one join people as known on known.workspace_id = ${workspaceId} and known.id = one.id
      where known.sources = '{crm}' and known.identity like 'name:%' and known.identity <> one.identity
      order by known.account_id, one.identity, known.id) as given
    where people.workspace_id = ${workspaceId} and people.id = given.id
      and not exists (select from people as other where other.workspace_id = ${workspaceId}
        and other.account_id = people.account_id and other.identity = given.identity)`.execute(db)
  return [...new Set(rows.map(({ account_id }) => account_id))]
}

/** Stores who the contacts are, and the record that a push of the person updates. */
export async function linkContacts(
  db: Db,
  key: SyncKey,
  portal: string,
  links: { crm_id: string; person_id: string; written: Record<string, string> }[],
): Promise<void> {
  if (links.length === 0) return
  const given = sql`json_to_recordset(${JSON.stringify(links)}::json) as given (crm_id text, person_id uuid, written jsonb)`
  await sql`update pulled_contacts as one set person_id = given.person_id from ${given}
    where ${ofCrm(key, 'one')} and one.crm_id = given.crm_id and one.person_id is distinct from given.person_id`.execute(
    db,
  )
  await sql`
    insert into crm_contacts (workspace_id, provider, portal, person_id, crm_id, written)
    select distinct on (person_id) ${key.workspace_id}::uuid, ${key.provider}, ${portal}, person_id, crm_id, written from ${given}
    order by person_id, crm_id
    on conflict do nothing`.execute(db)
}

/** Empties contacts of erased people: only the id stays, so that they are not stored again. */
export async function eraseContacts(db: Db, key: SyncKey, ids: string[]): Promise<void> {
  await sql`
    update pulled_contacts as one set is_erased = true, full_name = null, email = null, title = null, phone = null,
      country = null, person_id = null, former_person_id = null
    where ${ofCrm(key, 'one')} and crm_id = any(${ids}::text[])`.execute(db)
}

/** The contacts that erased ones were merged into, unless they are empty already. */
export async function findErasedSurvivors(db: Db, key: SyncKey, merged: GoneRecord[]) {
  const { rows } = await sql<{ crm_id: string; email: string | null; person_id: string | null }>`
    select distinct kept.crm_id, lower(kept.email) as email, kept.person_id
    from json_to_recordset(${JSON.stringify(merged)}::json) as given (id text, merged_into text)
      join pulled_contacts as gone on ${ofCrm(key, 'gone')} and gone.crm_id = given.id and gone.is_erased
      join pulled_contacts as kept on ${ofCrm(key, 'kept')} and kept.crm_id = given.merged_into and not kept.is_erased`.execute(
    db,
  )
  return rows
}

/** Deletes those of the people whom only the CRM knew and who are no contact any more. */
export async function deleteUnknownPeople(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await sql`delete from people where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and sources = '{crm}'
    and not exists (select from pulled_contacts as other where other.workspace_id = ${workspaceId}
      and other.person_id = people.id)`.execute(db)
}

/**
 * Marks the people whose contacts were deleted, unless another contact of theirs exists. The contact that one was merged into
 * becomes the same person, if it is none yet. Returns their accounts.
 */
export async function markDeletedContacts(db: Db, key: SyncKey, ids: string[]): Promise<string[]> {
  await sql`
    update pulled_contacts as kept set person_id = gone.person_id
    from pulled_contacts as gone
    where ${ofCrm(key, 'kept')} and ${ofCrm(key, 'gone')} and gone.crm_id = any(${ids}::text[])
      and kept.crm_id = gone.merged_into and kept.person_id is null and not kept.is_erased`.execute(db)
  const { rows } = await sql<{ account_id: string }>`
    update people set crm_deleted_on = current_date
    from pulled_contacts as gone
    where ${ofCrm(key, 'gone')} and gone.crm_id = any(${ids}::text[]) and people.workspace_id = gone.workspace_id
      and people.id = gone.person_id and people.crm_deleted_on is null
      and not exists (select from pulled_contacts as other where other.workspace_id = ${key.workspace_id}
        and other.person_id = people.id and other.deleted_at is null)
    returning people.account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}
