import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import type { Database, RegisterName, RelationKind } from '../../db/schema.ts'
import { AppError, notFound } from '../../shared/errors.ts'

const REGISTRATION_FIELDS = [
  ...(['register', 'register_id', 'legal_name', 'proof', 'source_url', 'status', 'checked_at'] as const),
] as const

/** The register records of an account, the rejected ones last. */
export function listRegistrations(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('account_registrations')
    .select(REGISTRATION_FIELDS)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .orderBy('status')
    .orderBy('register')
    .orderBy('register_id')
    .execute()
}

/** The account of the workspace that is the related company, by its domain or else by its register record. */
const relatedAccount = (workspaceId: string) => sql<string | null>`coalesce(
  (select related.id from accounts related
    where related.workspace_id = ${workspaceId} and related.domain = relation.domain
      and related.id <> relation.account_id limit 1),
  (select registration.account_id from account_registrations registration
    where registration.workspace_id = ${workspaceId} and registration.account_id <> relation.account_id
      and registration.register = relation.register and registration.register_id = relation.register_id
      and registration.status = 'active'
    order by registration.account_id limit 1))`

function selectRelations(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('company_relations as relation')
    .select(['id', 'kind', 'name', 'domain', 'register', 'register_id', 'source', 'source_url'])
    .select(['counts_as_account', 'status', 'created_by', 'found_at', 'edited_at'])
    .select(relatedAccount(workspaceId).as('related_account_id'))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
}

export function listRelations(db: Db, workspaceId: string, accountId: string) {
  return selectRelations(db, workspaceId, accountId)
    .orderBy(sql`array_position(array['parent', 'ultimate_parent', 'subsidiary', 'brand', 'former_name'], kind)`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** Throws not_found. */
export async function getRelation(db: Db, workspaceId: string, accountId: string, id: string) {
  const found = await selectRelations(db, workspaceId, accountId).where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('relation')
  return found
}

const nameTaken = () =>
  new AppError('name_taken', 'This account already has a relation of this kind with this name. Change that one.')

type RelationRow = Selectable<Database['company_relations']>

/** How many relations members have added to an account. */
export async function countAddedRelations(db: Db, workspaceId: string, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('company_relations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('source', '=', 'member')
    .executeTakeFirstOrThrow()
  return count
}

/** Throws name_taken. */
export async function insertRelation(
  db: Db,
  row: Pick<
    RelationRow,
    'workspace_id' | 'id' | 'account_id' | 'kind' | 'name' | 'domain' | 'counts_as_account' | 'created_by'
  >,
): Promise<void> {
  await db
    .insertInto('company_relations')
    .values({ ...row, source: 'member', edited_at: sql<string>`now()` })
    .execute()
    .catch(onUniqueViolation('company_relations_name', nameTaken))
}

/** Writes a member's correction. The name that research found stays the one that identifies the row. Throws name_taken. */
export async function updateRelation(
  db: Db,
  workspaceId: string,
  id: string,
  { name, ...fields }: Partial<Pick<RelationRow, 'name' | 'domain' | 'counts_as_account' | 'status'>>,
): Promise<void> {
  const renamed =
    name === undefined
      ? {}
      : { name, found_name: sql<string>`case when source <> 'member' then coalesce(found_name, name) end` }
  await db
    .updateTable('company_relations')
    .set({ ...fields, ...renamed, edited_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
    .catch(onUniqueViolation('company_relations_name', nameTaken))
}

export async function deleteRelation(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('company_relations').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/**
 * Rejects or restores a register record. Without its record, what the register reported is removed, but not what a member
 * changed. Throws not_found.
 */
export async function setRegistrationStatus(
  db: Db,
  workspaceId: string,
  accountId: string,
  registerId: string,
  status: 'active' | 'rejected',
) {
  const of = { workspaceId, accountId }
  const known = (await listRegistrations(db, workspaceId, accountId)).find((one) => one.register_id === registerId)
  if (!known) throw notFound('register record')
  if (known.status === status) return known
  // The record that a member chose replaces one that research found in the meantime.
  await removeRegistration(db, of, known.register, status === 'active' ? registerId : null)
  await db
    .updateTable('account_registrations')
    .set({ status })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('register', '=', known.register)
    .where('register_id', '=', registerId)
    .execute()
  return { ...known, status }
}

type Target = { workspaceId: string; accountId: string }

/** Removes what a register reported about an account; with `except`, also its records other than this one. */
async function removeRegistration(db: Db, of: Target, register: RegisterName, except: string | null): Promise<void> {
  if (except !== null) {
    await db
      .deleteFrom('account_registrations')
      .where('workspace_id', '=', of.workspaceId)
      .where('account_id', '=', of.accountId)
      .where('register', '=', register)
      .where('register_id', '<>', except)
      .where('status', '=', 'active')
      .execute()
  }
  await deleteFound(db, of, [register])
}

/** Deletes relations that sources reported and no member has changed. */
async function deleteFound(db: Db, { workspaceId, accountId }: Target, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return
  await db
    .deleteFrom('company_relations')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('source', 'in', [...sources])
    .where('edited_at', 'is', null)
    .execute()
}

export type FoundRegistration = {
  register: RegisterName
  register_id: string
  legal_name: string
  proof: string
  source_url: string
}

export type FoundRelation = {
  id: string
  kind: RelationKind
  name: string
  domain: string | null
  register: RegisterName | null
  register_id: string | null
  source: string
  source_url: string | null
}

/** What research found about the company's names and its related companies. */
export type FoundStructure = {
  /** The account's domain when research began: with another one it may be another company. */
  domain: string | null
  registrations: readonly FoundRegistration[]
  relations: readonly FoundRelation[]
  /** What was read completely: what a source reported before and does not now is out of date. */
  read: readonly { source: string; kind: RelationKind }[]
}

/** Whether a relation of a kind counts as the account unless a member decides otherwise. */
export const countsByDefault = (kind: RelationKind) => kind === 'brand' || kind === 'former_name'

/**
 * A site may list the makers of the products it sells as its brands, so a brand with its own domain counts only when a
 * member says so.
 */
const isCounted = ({ kind, source, domain }: FoundRelation) =>
  countsByDefault(kind) && !(source === 'website' && domain !== null)

/** Stores what research found, except for what a member has changed or rejected. The account must be locked. */
export async function saveStructure(
  db: Db,
  workspaceId: string,
  accountId: string,
  { registrations, relations, read }: FoundStructure,
): Promise<void> {
  const of = { workspaceId, accountId }
  for (const found of registrations) await saveRegistration(db, of, found)
  const rejected = new Set(
    (await listRegistrations(db, workspaceId, accountId))
      .filter(({ status }) => status === 'rejected')
      .map(({ register_id }) => register_id),
  )
  const isRejected = ({ source }: FoundRelation) =>
    registrations.some(({ register, register_id }) => register === source && rejected.has(register_id))
  const given = relations.filter((one) => !isRejected(one))
  await sql`
    delete from company_relations as known
    where workspace_id = ${workspaceId} and account_id = ${accountId} and edited_at is null
      and exists (select from json_to_recordset(${JSON.stringify(read)}::json) as read (source text, kind text)
        where read.source = known.source and read.kind = known.kind)
      and not exists (select from json_to_recordset(${JSON.stringify(given)}::json) as given (kind text, name text, source text)
        where given.kind = known.kind and given.source = known.source
          and company_key(given.name) = company_key(known.name))`.execute(db)
  if (given.length === 0) return
  const rows = given.map((one) => ({ ...one, counts_as_account: isCounted(one) }))
  await sql`
    insert into company_relations as known (workspace_id, id, account_id, kind, name, domain, register, register_id, source,
      source_url, counts_as_account)
    select distinct on (kind, company_key(name)) ${workspaceId}::uuid, id, ${accountId}::uuid, kind, name, domain, register,
      register_id, source, source_url, counts_as_account
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, kind text, name text, domain text, register text,
      register_id text, source text, source_url text, counts_as_account boolean)
    order by kind, company_key(name), source
    on conflict (workspace_id, account_id, kind, company_key(coalesce(found_name, name))) do update
      set name = excluded.name, domain = excluded.domain, register = excluded.register, register_id = excluded.register_id,
        source_url = excluded.source_url, counts_as_account = excluded.counts_as_account
      where known.source = excluded.source and known.edited_at is null`.execute(db)
}

async function saveRegistration(db: Db, of: Target, found: FoundRegistration): Promise<void> {
  const { register, register_id, legal_name, proof, source_url } = found
  const known = await listRegistrations(db, of.workspaceId, of.accountId)
  const isRejected = known.some((one) => one.register_id === register_id && one.status === 'rejected')
  if (isRejected) return
  const isOther = known.some(
    (one) => one.register === register && one.status === 'active' && one.register_id !== register_id,
  )
  if (isOther) await removeRegistration(db, of, register, register_id)
  await sql`
    insert into account_registrations (workspace_id, account_id, register, register_id, legal_name, proof, source_url)
    values (${of.workspaceId}, ${of.accountId}, ${register}, ${register_id}, ${legal_name}, ${proof}, ${source_url})
    on conflict (workspace_id, account_id, register, register_id) do update set legal_name = excluded.legal_name,
      proof = excluded.proof, source_url = excluded.source_url, checked_at = excluded.checked_at`.execute(db)
}

/** Deletes what research found, when the account gets another domain and may be another company. */
export async function forgetStructure(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await db
    .deleteFrom('account_registrations')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .execute()
  await db
    .deleteFrom('company_relations')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('edited_at', 'is', null)
    .execute()
}

/**
 * The domains of the accounts that the names belong to, as legal names, former names or brands; and of the workspace's own
 * company for the names of all companies of its group. A name that several accounts have is left out. `own`: the domains
 * of the workspace's own company. By name.
 */
export async function findDomainsByAlias(
  db: Db,
  workspaceId: string,
  names: readonly string[],
  own: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ asked: string; domain: string }>`
    select asked.name as asked, min(held.domain) as domain
    from unnest(${names}::text[]) as asked (name) cross join lateral (
      select account_id from account_registrations
      where workspace_id = ${workspaceId} and company_key(legal_name) = company_key(asked.name) and status = 'active'
      union all
      select account_id from company_relations
      where workspace_id = ${workspaceId} and company_key(name) = company_key(asked.name) and status = 'active'
        and counts_as_account
      union all
      select relation.account_id from accounts join company_relations relation
        on relation.workspace_id = accounts.workspace_id and relation.account_id = accounts.id
      where accounts.workspace_id = ${workspaceId} and accounts.domain = any(${own}::text[])
        and company_key(relation.name) = company_key(asked.name) and relation.status = 'active') as named
    join accounts held on held.workspace_id = ${workspaceId} and held.id = named.account_id
    where company_key(asked.name) <> ''
    group by asked.name
    having count(distinct held.id) = 1 and min(held.domain) is not null`.execute(db)
  return new Map(rows.map(({ asked, domain }) => [asked, domain]))
}

/** Those of the domains that belong to brands of accounts. */
export async function findBrandDomains(db: Db, workspaceId: string, domains: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct domain from company_relations
    where workspace_id = ${workspaceId} and domain = any(${domains}::text[]) and counts_as_account
      and status = 'active'`.execute(db)
  return rows.map(({ domain }) => domain)
}
