import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { JobLevel } from '../../db/schema.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/** A contact at a company that is an account. */
export type PlacedContact = {
  crm_id: string
  account_id: string
  full_name: string
  email: string | null
  title: string | null
  phone: string | null
  country: string | null
  /** The person it became, at this account. */
  person_id: string | null
}

/** The contacts at accounts: those given, or the next that are no person yet. */
export async function findPlacedContacts(db: Db, key: SyncKey, which: string[] | { limit: number }) {
  const condition = Array.isArray(which) ? sql`one.crm_id = any(${which}::text[])` : sql`one.person_id is null`
  // Materialized and lateral: without statistics, a join reads all companies for each contact.
  const { rows } = await sql<PlacedContact>`
    with one as materialized (
      select * from pulled_contacts as one where ${ofCrm(key, 'one')} and ${condition} and company_crm_id is not null
        and full_name is not null and not is_erased and deleted_at is null
    )
    select one.crm_id, company.account_id, one.full_name, one.email, one.title, one.phone, one.country,
      (select id from people where people.workspace_id = one.workspace_id and people.id = one.person_id
        and people.account_id = company.account_id) as person_id
    from one cross join lateral (
      select account_id from pulled_companies as company where ${ofCrm(key, 'company')}
        and company.crm_id = one.company_crm_id and company.deleted_at is null offset 0) as company
    where company.account_id is not null
    order by one.crm_id ${Array.isArray(which) ? sql`` : sql`limit ${which.limit}`}`.execute(db)
  return rows
}

export type SamePerson = { id: string; account_id: string; full_name: string; emails: string[] }

/** The people of accounts who have one of the emails or one of the names. */
export async function findSamePeople(
  db: Db,
  workspaceId: string,
  { accountIds, emails, names }: { accountIds: string[]; emails: string[]; names: string[] },
): Promise<SamePerson[]> {
  const { rows } = await sql<SamePerson>`
    select id, account_id, full_name,
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
  given_email: string | null
  title: string | null
  job_level: JobLevel | null
  phone: string | null
  country_code: string | null
}

/**
 * Adds the CRM to the sources of people and fills what is not known of them. Of a person whom only the CRM knows, the newer
 * values of the CRM replace the stored ones. Returns the accounts of the people who changed.
 */
export async function updatePeopleFromCrm(db: Db, workspaceId: string, people: CrmPerson[]): Promise<string[]> {
  if (people.length === 0) return []
  const merged = (column: string) =>
    sql`case when known.sources = '{crm}' then coalesce(${sql.ref(`given.${column}`)}, ${sql.ref(`known.${column}`)})
      else coalesce(${sql.ref(`known.${column}`)}, ${sql.ref(`given.${column}`)}) end`
  // Without statistics, a join alone reads all people.
  const ids = [...new Set(people.map(({ id }) => id))]
  const { rows } = await sql<{ account_id: string }>`
    with given as materialized (
      select distinct on (id) * from json_to_recordset(${JSON.stringify(people)}::json) as every (id uuid, full_name text,
        given_email text, title text, job_level text, phone text, country_code text)
      order by id
    ),
    merged as materialized (
      select known.id, case when known.sources = '{crm}' then given.full_name else known.full_name end as full_name,
        ${merged('given_email')} as given_email, ${merged('title')} as title, ${merged('job_level')} as job_level,
        ${merged('phone')} as phone, ${merged('country_code')} as country_code
      from people as known join given on known.id = given.id
      where known.workspace_id = ${workspaceId} and known.id = any(${ids}::uuid[])
      order by known.id for no key update of known
    )
    update people set full_name = merged.full_name, given_email = merged.given_email, title = merged.title,
      job_level = merged.job_level, phone = merged.phone, country_code = merged.country_code, crm_deleted_on = null,
      phone_checked_at = case when people.phone is null and merged.phone is not null then now() else people.phone_checked_at end,
      sources = case when people.sources @> '{crm}' then people.sources else people.sources || '{crm}' end,
      title_history = case when search_fold(merged.title) <> search_fold(people.title)
          and jsonb_array_length(people.title_history) < 20
        then people.title_history || jsonb_build_array(jsonb_build_object('title', people.title, 'until', current_date))
        else people.title_history end
    from merged where people.workspace_id = ${workspaceId} and people.id = merged.id and people.id = any(${ids}::uuid[])
      and ((people.full_name, people.given_email, people.title, people.phone, people.country_code)
          is distinct from (merged.full_name, merged.given_email, merged.title, merged.phone, merged.country_code)
        or people.crm_deleted_on is not null or not people.sources @> '{crm}')
    returning people.account_id`.execute(db)
  return [...new Set(rows.map(({ account_id }) => account_id))]
}

/** Stores who the contacts are, and the record that a push of the person updates. */
export async function linkContacts(
  db: Db,
  key: SyncKey,
  portal: string,
  links: { crm_id: string; person_id: string }[],
): Promise<void> {
  if (links.length === 0) return
  const given = sql`json_to_recordset(${JSON.stringify(links)}::json) as given (crm_id text, person_id uuid)`
  await sql`update pulled_contacts as one set person_id = given.person_id from ${given}
    where ${ofCrm(key, 'one')} and one.crm_id = given.crm_id and one.person_id is distinct from given.person_id`.execute(
    db,
  )
  await sql`
    insert into crm_contacts (workspace_id, provider, portal, person_id, crm_id)
    select distinct on (person_id) ${key.workspace_id}::uuid, ${key.provider}, ${portal}, person_id, crm_id from ${given}
    order by person_id, crm_id
    on conflict do nothing`.execute(db)
}

/** Empties contacts of erased people: only the id stays, so that they are not stored again. */
export async function eraseContacts(db: Db, key: SyncKey, ids: string[]): Promise<void> {
  await sql`
    update pulled_contacts as one set is_erased = true, full_name = null, email = null, title = null, phone = null,
      country = null, person_id = null
    where ${ofCrm(key, 'one')} and crm_id = any(${ids}::text[])`.execute(db)
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
      and not exists (select from pulled_contacts as other where other.workspace_id = people.workspace_id
        and other.person_id = people.id and other.deleted_at is null)
    returning people.account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}
