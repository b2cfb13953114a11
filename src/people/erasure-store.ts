import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { visibleTo } from '../db/visibility.ts'
import type { Viewer } from '../shared/member.ts'

export async function insertSuppressions(db: Db, workspaceId: string, hashes: Buffer[]): Promise<void> {
  await db
    .insertInto('people_suppressions')
    .values(hashes.map((hash) => ({ workspace_id: workspaceId, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns those of the hashes that are stored, as hex. */
export async function findSuppressedHashes(
  db: Db,
  workspaceId: string,
  hashes: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('people_suppressions')
    .select('hash')
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .execute()
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

/** Returns the email addresses of a person, also those of their contacts in CRMs. */
export async function findEmailsOf(db: Db, workspaceId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct lower(one) as email from people, unnest(array[email, given_email, published_email]) as one
    where people.workspace_id = ${workspaceId} and id = ${id} and one is not null
    union
    select lower(email) from pulled_contacts
    where workspace_id = ${workspaceId} and person_id = ${id} and email is not null`.execute(db)
  return rows.map(({ email }) => email)
}

/** Returns the other people the viewer may see who have one of the email addresses, in lower case. */
export async function findPeopleByEmails(
  db: Db,
  viewer: Viewer,
  emails: string[],
  exceptId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from people where workspace_id = ${viewer.workspace_id} and id <> ${exceptId} and ${visibleTo(viewer)}
      and array[lower(email), lower(given_email), lower(published_email)] && ${emails}::text[]
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Empties the contacts of a person in all CRMs, also those at other companies with the same email: only their ids stay, so that
 * they are not stored again. Returns their emails.
 */
export async function emptyPulledContacts(db: Db, workspaceId: string, personId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string | null }>`
    with same as materialized (
      select provider, crm_id, email from pulled_contacts where workspace_id = ${workspaceId} and (person_id = ${personId}
        or lower(email) in (select lower(one) from people, unnest(array[email, given_email, published_email]) as one
          where people.workspace_id = ${workspaceId} and id = ${personId}))
    ),
    emptied as (
      update pulled_contacts as contact set is_erased = true, full_name = null, email = null, title = null, phone = null,
        country = null, person_id = null, former_person_id = null
      from same where contact.workspace_id = ${workspaceId} and contact.provider = same.provider
        and contact.crm_id = same.crm_id
    )
    select email from same`.execute(db)
  return rows.flatMap(({ email }) => email ?? [])
}

/** Returns the counter that every erasure increments in its transaction; null before the first erasure. */
export async function findErasureVersion(db: Db, workspaceId: string): Promise<string | null> {
  const found = await db
    .selectFrom('workspaces')
    .select(sql<string>`erasures::text`.as('version'))
    .where('id', '=', workspaceId)
    .where(sql<boolean>`erasures > 0`)
    .executeTakeFirst()
  return found?.version ?? null
}

/** Returns the next batch of hash prefixes after a hash, concatenated in hash order, and the last hash of the batch. */
export async function findHashPrefixes(db: Db, workspaceId: string, after: Buffer, bytes: number, limit: number) {
  const { rows } = await sql<{ prefixes: Buffer | null; last: Buffer | null }>`
    select string_agg(substring(hash for ${bytes}), ''::bytea order by hash) as prefixes,
      (array_agg(hash order by hash desc))[1] as last
    from (select hash from people_suppressions where workspace_id = ${workspaceId} and hash > ${after}
      order by hash limit ${limit}) as batch`.execute(db)
  return rows[0]?.prefixes && rows[0].last ? { prefixes: rows[0].prefixes, last: rows[0].last } : null
}

/** Stores the company of an erased person. Locks the account, so that its domain does not change concurrently. */
export async function insertErasureScope(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await sql`
    insert into erasure_scopes (workspace_id, company, account_id, name)
    select workspace_id, erasure_company(domain, name), id, name from accounts
    where workspace_id = ${workspaceId} and id = ${accountId}
    for share
    on conflict (workspace_id, company, account_id) do update set name = excluded.name`.execute(db)
}

export function findCompaniesOfAccounts(db: Db, workspaceId: string, accountIds: string[]) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .execute()
}

type Company = { id: string; name: string; site: string | null }

/**
 * Returns the accounts, including deleted ones, that are the same company as each of these: the same account, a domain of
 * the same site, or the same name if one of the two has no domain.
 */
export async function selectErasureScopes(db: Db, workspaceId: string, companies: readonly Company[]) {
  const { rows } = await sql<{ id: string; scope: string }>`
    select distinct given.id, scope.account_id as scope
    from jsonb_to_recordset(${JSON.stringify(companies)}::jsonb) as given (id uuid, name text, site text)
    join erasure_scopes as scope on scope.workspace_id = ${workspaceId} and (scope.account_id = given.id
      or scope.company = given.site or right(scope.company, length(given.site) + 1) = '.' || given.site
      or scope.company = 'name:' || search_fold(given.name)
      or (given.site is null and search_fold(scope.name) = search_fold(given.name)))`.execute(db)
  return rows
}

/** Lists every company at which a person was erased, by the name that texts use for it. */
export async function listNamedErasureScopes(db: Db, workspaceId: string) {
  return db
    .selectFrom('erasure_scopes')
    .select(['account_id', 'company', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('name', 'is not', null)
    .$narrowType<{ name: string }>()
    .execute()
}
