import { CompiledQuery, sql } from 'kysely'
import type { WorkforceBasis } from '../../db/account-tables.ts'
import { compileJsonQuery, compileOnce } from '../../db/compiled.ts'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import type { AccountSource, AccountStatus, Firmographics } from '../../db/schema.ts'
import { AppError, accountNotActive, notFound } from '../../shared/errors.ts'
import type { TechnologyFact } from './schema.ts'
import { suggestionReason, unqualifiedReason } from './suggestion-store.ts'

/** The file that an account came in with. */
const importOf = (workspaceId: string) =>
  sql<{ id: string; file_name: string | null } | null>`case when accounts.import_id is not null then (
    select json_build_object('id', imports.id, 'file_name', imports.file_name) from imports
    where imports.workspace_id = ${workspaceId} and imports.id = accounts.import_id) end`.as('import')

const isoTime = (column: string) =>
  sql.raw(`to_char(used.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/**
 * The technologies found on the account's pages and in its DNS records, including those that disappeared recently.
 * PostgreSQL writes the JSON, so the timestamps have its format.
 */
const technologyFacts = (workspaceId: string) =>
  sql<TechnologyFact[]>`coalesce((select json_agg(json_build_object('name', used.technology, 'category', used.category,
      'first_seen', ${isoTime('first_seen')}, 'last_seen', ${isoTime('last_seen')}, 'gone_at', ${isoTime('gone_at')},
      'evidence', used.evidence, 'evidence_url', used.evidence_url)
      order by used.gone_at is not null, used.category, used.technology)
    from account_technologies used
    where used.workspace_id = ${workspaceId} and used.account_id = accounts.id), '[]')`.as('technology_facts')

export const LIST_COLUMNS = [
  ...(['id', 'name', 'domain', 'status', 'score', 'employees', 'industry', 'location', 'country', 'tags'] as const),
  ...([
    'owner_id',
    'network_url',
    'short_description',
    'logo_url',
    'created_at',
    'last_signal_at',
    'is_hot',
    'qualified',
    'relationship',
  ] as const),
] as const

export const FULL_COLUMNS = [
  ...LIST_COLUMNS,
  ...(['why_now_md', 'source', 'last_scanned_at', 'activated_at', 'founded_year', 'technologies'] as const),
  ...(['workforce_by_department', 'workforce_by_country', 'overridden'] as const),
  ...(['relationship_on', 'relationship_reason'] as const),
] as const

/** The previous version counts people only, and may still run: its counts are completed here. */
const WORKFORCE_BASIS = sql<WorkforceBasis | null>`
  case when (workforce_basis ->> 'people')::integer = coalesce(workforce_based_on, 0) then workforce_basis
    when workforce_based_on is not null then jsonb_build_object(
      'text', 'from ' || workforce_based_on || case when workforce_based_on = 1 then ' person' else ' people' end,
      'people', workforce_based_on, 'postings', 0, 'postings_on', null,
      'departments_of', case when workforce_by_department is not null then 'people' end,
      'countries_of', case when workforce_by_country is not null then 'people' end,
      'postings_by_department', jsonb_build_object(), 'postings_by_country', jsonb_build_object()) end`.as(
  'workforce_basis',
)

/** Fields of an account that are not columns. */
const computedFields = (workspaceId: string) =>
  [
    ...([technologyFacts(workspaceId), WORKFORCE_BASIS, importOf(workspaceId)] as const),
    ...([suggestionReason(workspaceId), unqualifiedReason] as const),
  ] as const

const domainTaken = () => new AppError('domain_taken', 'Another account of this workspace has this domain.')

function selectAccount(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('accounts')
    .select(FULL_COLUMNS)
    .select(computedFields(workspaceId))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
}

const readAccount = compileOnce(selectAccount)

/** The account as JSON text; null when it does not exist. */
export const readAccountJson = compileJsonQuery(selectAccount)

export async function findAccount(db: Db, workspaceId: string, id: string) {
  const [found] = await readAccount(db, workspaceId, id)
  return found ?? null
}

/** Throws not_found. */
export async function getAccount(db: Db, workspaceId: string, id: string) {
  const found = await findAccount(db, workspaceId, id)
  if (!found) throw notFound('account')
  return found
}

/** Throws not_found, account_not_active. */
export async function getActiveAccount(db: Db, workspaceId: string, id: string) {
  const found = await getAccount(db, workspaceId, id)
  if (found.status !== 'active') throw accountNotActive()
  return found
}

export type LockedAccount = Awaited<ReturnType<typeof lockAccounts>>[number]

/**
 * Locks accounts until the transaction ends and returns what the rules need. Locked in the order of ids to avoid a
 * deadlock.
 */
export function lockAccounts(db: Db, workspaceId: string, ids: readonly string[]) {
  return (
    db
      .selectFrom('accounts')
      .select([
        'id',
        'name',
        'status',
        'source',
        'domain',
        'owner_id',
        'tags',
        'credited_period',
        'overridden',
        'researched',
        'from_crm',
      ])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('id')
      // Weaker than `for update`, so that inserts that reference the account do not wait.
      .forNoKeyUpdate()
      .execute()
  )
}

/** The same for one account. Throws not_found. */
export async function lockAccount(db: Db, workspaceId: string, id: string) {
  const [found] = await lockAccounts(db, workspaceId, [id])
  if (!found) throw notFound('account')
  return found
}

/** The owner of an account. Throws not_found. */
export async function getOwner(db: Db, workspaceId: string, id: string): Promise<string | null> {
  const found = await db
    .selectFrom('accounts')
    .select('owner_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('account')
  return found.owner_id
}

export type NewAccountRow = {
  id: string
  name: string
  domain: string | null
  tags: string[]
  owner_id: string | null
  import_id?: string | null
  founded_year?: number | null
} & Partial<Firmographics>

/** Parameters: the workspace, the status, the source and the rows. */
export const INSERT_ACCOUNTS = `insert into accounts (workspace_id, id, name, domain, status, source, tags, owner_id, import_id,
    employees, industry, location, country, network_url, short_description, founded_year)
  select $1::uuid, id, name, domain, $2, $3, tags, owner_id, import_id,
    employees, industry, location, country, network_url, short_description, founded_year
  from json_to_recordset($4::json) as given (id uuid, name text, domain text, tags text[], owner_id uuid, import_id uuid,
    employees integer, industry text, location text, country text, network_url text, short_description text, founded_year integer)
  on conflict (workspace_id, domain) where domain is not null do nothing
  returning ${FULL_COLUMNS.join(', ')}, '[]'::json as technology_facts, null::jsonb as workforce_basis, null::json as import,
    null::text as suggestion_reason, null::text as unqualified_reason`

/**
 * Inserts accounts and returns them; existing domains are skipped. Accounts from discovery are new until they are
 * assessed. Imported ones, and those from the CRM, are new until a member activates them, because the team's own list needs no review.
 */
export async function insertAccounts(db: Db, workspaceId: string, source: AccountSource, rows: NewAccountRow[]) {
  const status = source === 'discovery' ? 'new' : undecidedStatus(source)
  const values = [workspaceId, status, source, JSON.stringify(rows)]
  const added = await db.executeQuery(CompiledQuery.raw(INSERT_ACCOUNTS, values))
  return added.rows as Awaited<ReturnType<typeof getAccount>>[]
}

export function findAccountsByDomain(db: Db, workspaceId: string, domains: string[]) {
  return db
    .selectFrom('accounts')
    .select(FULL_COLUMNS)
    .select(computedFields(workspaceId))
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute()
}

type SameAccount = { id: string; name: string; domain: string | null }

/**
 * The account of each company: the one with its domain. A company without a domain is that of the account with its name,
 * unless several accounts with different domains have it.
 */
export async function findSameAccounts(
  db: Db,
  workspaceId: string,
  companies: readonly { name: string; domain: string | null }[],
): Promise<(SameAccount | null)[]> {
  const { rows } = await sql<SameAccount & { at: number }>`
    with given as materialized (
      select at::int - 1 as at, company ->> 'domain' as domain,
        case when company ->> 'domain' is null then search_fold(company ->> 'name') end as folded
      from jsonb_array_elements(${JSON.stringify(companies.map(({ name, domain }) => ({ name, domain })))}::jsonb)
        with ordinality as every (company, at)
    ),
    -- An array, so that a scan without statistics computes search_fold once for each account, not for each pair.
    named as (
      select id, name, domain, search_fold(name) as folded,
        row_number() over (partition by search_fold(name) order by domain is not null, id) as place
      from accounts
      where workspace_id = ${workspaceId}
        and search_fold(name) = any (array(select folded from given where folded is not null))
    )
    select at, account.id, account.name, account.domain, 1 as place
    from given join accounts as account on account.workspace_id = ${workspaceId} and account.domain = given.domain
    union all
    select at, named.id, named.name, named.domain, named.place
    from given join named on named.folded = given.folded and named.place <= 2
    order by at, place`.execute(db)
  const found = Map.groupBy(rows, ({ at }) => at)
  return companies.map((_, at) => {
    const [first, second] = found.get(at) ?? []
    if (!first || (second && first.domain !== null)) return null
    const { id, name, domain } = first
    return { id, name, domain }
  })
}

export type AccountFields = Firmographics & {
  name: string
  domain: string | null
  status: AccountStatus
  tags: string[]
  owner_id: string | null
  overridden: string[]
  researched: string
  from_crm: string[]
  activated_at: Date
  credited_period: string
  logo_url: string
  founded_year: number
  technologies: string[]
  workforce_by_department: string | null
  workforce_by_country: string | null
  workforce_basis: string | null
  workforce_based_on: number | null
}

/** Throws not_found, domain_taken. */
export async function updateAccountRow(db: Db, workspaceId: string, id: string, fields: Partial<AccountFields>) {
  const updated = await db
    .with('updated', (db) =>
      db
        .updateTable('accounts')
        .set(fields)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .returningAll(),
    )
    .selectFrom('updated as accounts')
    .select(FULL_COLUMNS)
    .select(computedFields(workspaceId))
    .executeTakeFirst()
    .catch(onUniqueViolation('accounts_domain', domainTaken))
  if (!updated) throw notFound('account')
  return updated
}

/** Records that a member has chosen the owner whom the CRM named, so that the next one it names is not used. */
export async function confirmOwner(db: Db, workspaceId: string, id: string): Promise<void> {
  await sql`update accounts set crm_fields = jsonb_set(crm_fields, '{owner_id,is_applied}', 'false')
    where workspace_id = ${workspaceId} and id = ${id} and crm_fields #>> '{owner_id,is_applied}' = 'true'`.execute(db)
}

/** Renames an account that still has the name `from`, so that a member's new name stays. Returns whether it was renamed. */
export async function renameAccount(
  db: Db,
  workspaceId: string,
  id: string,
  { from, to }: { from: string; to: string },
) {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ name: to })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('name', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writes the firmographics of an account. */
export async function updateFirmographics(db: Db, workspaceId: string, id: string, fields: Partial<AccountFields>) {
  await db.updateTable('accounts').set(fields).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Writes the same fields to locked accounts. */
export async function updateAccountRows(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  fields: Partial<Omit<AccountFields, 'domain'>>,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set(fields)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** The status of an account before any decision: imported ones and those from the CRM are in the team's own list, others in the suggestions. */
export const undecidedStatus = (source: AccountSource): AccountStatus =>
  source === 'import' || source === 'crm' ? 'new' : 'suggested'

/** Resets the status of locked accounts by the rule of `undecidedStatus`. */
export async function markInactive(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ status: sql<AccountStatus>`case when source in ('import', 'crm') then 'new' else 'suggested' end` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Records for locked accounts that a member has set their status, so that assessments do not change it. */
export async function pinStatus(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ overridden: sql`overridden || '{status}'` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(sql<boolean>`not overridden @> '{status}'`)
    .execute()
}

/** Writes tags to locked accounts, each its own. */
export async function writeTags(db: Db, workspaceId: string, rows: { id: string; tags: string[] }[]): Promise<void> {
  await sql`
    update accounts set tags = given.tags
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, tags text[])
    where accounts.workspace_id = ${workspaceId} and accounts.id = given.id`.execute(db)
}

/** Deletes accounts with their people, detections and events. */
export async function deleteAccountRows(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('accounts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function markScanned(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ last_scanned_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** A batch of active accounts in the order of their ids. */
export function listActiveAccounts(db: Db, workspaceId: string, after: string | null, limit: number) {
  let query = db
    .selectFrom('accounts')
    .select(['id', 'name', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
  if (after) query = query.where('id', '>', after)
  return query.orderBy('id').limit(limit).execute()
}

/** Active accounts with a domain, the least recently scanned first. */
export function listLeastScanned(db: Db, workspaceId: string, limit: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .where('domain', 'is not', null)
    .$narrowType<{ domain: string }>()
    .orderBy('last_scanned_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(limit)
    .execute()
}
