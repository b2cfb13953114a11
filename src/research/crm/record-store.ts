import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { PulledDeal, PulledObject, PulledOwner } from '../../providers/crm/vendor/types.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'

const TABLES = { company: 'pulled_companies', contact: 'pulled_contacts', deal: 'pulled_deals' } as const

/** The rows of one CRM in a table of pulled records. */
export const ofCrm = ({ workspace_id, provider }: SyncKey, alias: string) =>
  sql<boolean>`${sql.ref(`${alias}.workspace_id`)} = ${workspace_id} and ${sql.ref(`${alias}.provider`)} = ${provider}`

/**
 * Stores the owners with the members who have their email; owners that are missing are no longer active. Returns those
 * whose member changed.
 */
export async function saveOwners(db: Db, key: SyncKey, owners: PulledOwner[]): Promise<string[]> {
  const { rows } = await sql<{ crm_id: string }>`
    with given as materialized (
      select one.id as crm_id, one.name, one.email, one.is_active, members.id as member_id
      from json_to_recordset(${JSON.stringify(owners)}::json) as one (id text, name text, email text, is_active boolean)
      left join members on members.workspace_id = ${key.workspace_id} and lower(members.email) = lower(one.email)
    ),
    before as materialized (select crm_id, member_id from pulled_owners as known where ${ofCrm(key, 'known')}),
    gone as (
      update pulled_owners as known set is_active = false
      where ${ofCrm(key, 'known')} and is_active and crm_id not in (select crm_id from given)
    ),
    stored as (
      insert into pulled_owners as known (workspace_id, provider, crm_id, name, email, is_active, member_id)
      select distinct on (crm_id) ${key.workspace_id}::uuid, ${key.provider}, crm_id, name, email, is_active, member_id
      from given order by crm_id
      on conflict (workspace_id, provider, crm_id) do update set name = excluded.name, email = excluded.email,
        is_active = excluded.is_active, member_id = excluded.member_id, pulled_at = excluded.pulled_at
    )
    select given.crm_id from given left join before using (crm_id)
    where before.member_id is distinct from given.member_id`.execute(db)
  return rows.map(({ crm_id }) => crm_id)
}

export type PulledCompanyRow = {
  crm_id: string
  name: string
  domain: string | null
  fields: Record<string, string | number>
  is_customer: boolean
  is_former_customer: boolean
  owner_crm_id: string | null
  modified_at: string
}

export type PulledContactRow = {
  crm_id: string
  company_crm_id: string | null
  full_name: string | null
  email: string | null
  title: string | null
  phone: string | null
  country: string | null
  owner_crm_id: string | null
  is_erased: boolean
  modified_at: string
}

/** A newer version replaces the stored one. The same version of a deleted record follows when it was restored. */
const IS_NEWER = sql`excluded.modified_at >= known.modified_at`
const RETURNED = sql`pulled_at = excluded.pulled_at, deleted_at = null, modified_at = excluded.modified_at`

/** Returns the ids of the companies that were stored; the others are older than the stored version. */
export function upsertCompanies(db: Db, key: SyncKey, rows: PulledCompanyRow[]): Promise<string[]> {
  return stored(
    db,
    sql`
    insert into pulled_companies as known (workspace_id, provider, crm_id, name, domain, fields, is_customer,
      is_former_customer, owner_crm_id, modified_at)
    select ${key.workspace_id}::uuid, ${key.provider}, crm_id, name, domain, fields, is_customer, is_former_customer,
      owner_crm_id, modified_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (crm_id text, name text, domain text, fields jsonb,
      is_customer boolean, is_former_customer boolean, owner_crm_id text, modified_at timestamptz(3))
    order by crm_id
    on conflict (workspace_id, provider, crm_id) do update set name = excluded.name, domain = excluded.domain,
      fields = excluded.fields, is_customer = excluded.is_customer, is_former_customer = excluded.is_former_customer,
      owner_crm_id = excluded.owner_crm_id, merged_into = null, ${RETURNED}
    where ${IS_NEWER}
    returning crm_id`,
  )
}

/** The same for contacts. An erased contact stays empty. */
export function upsertContacts(db: Db, key: SyncKey, rows: PulledContactRow[]): Promise<string[]> {
  return stored(
    db,
    sql`
    insert into pulled_contacts as known (workspace_id, provider, crm_id, company_crm_id, full_name, email, title, phone,
      country, owner_crm_id, is_erased, modified_at)
    select ${key.workspace_id}::uuid, ${key.provider}, crm_id, company_crm_id, full_name, email, title, phone, country,
      owner_crm_id, is_erased, modified_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (crm_id text, company_crm_id text, full_name text,
      email text, title text, phone text, country text, owner_crm_id text, is_erased boolean, modified_at timestamptz(3))
    order by crm_id
    on conflict (workspace_id, provider, crm_id) do update set company_crm_id = excluded.company_crm_id,
      full_name = excluded.full_name, email = excluded.email, title = excluded.title, phone = excluded.phone,
      country = excluded.country, owner_crm_id = excluded.owner_crm_id, is_erased = excluded.is_erased,
      person_id = case when excluded.is_erased then null else known.person_id end, merged_into = null, ${RETURNED}
    where not known.is_erased and ${IS_NEWER}
    returning crm_id`,
  )
}

/** The same for deals. Returns the companies of the deals, as they were and as they are. */
export async function upsertDeals(db: Db, key: SyncKey, deals: PulledDeal[]): Promise<string[]> {
  const before = await findDealCompanies(
    db,
    key,
    deals.map(({ id }) => id),
  )
  const after = await stored(
    db,
    sql`
    insert into pulled_deals as known (workspace_id, provider, crm_id, name, company_crm_id, contact_crm_ids, owner_crm_id,
      stage, amount, currency, is_closed, is_won, lost_reason, closes_on, opened_on, modified_at)
    select ${key.workspace_id}::uuid, ${key.provider}, id, name, company_id, coalesce(contact_ids, '{}'), owner_id, stage,
      amount, currency, is_closed, is_won, lost_reason, closes_on, opened_on, modified_at
    from json_to_recordset(${JSON.stringify(deals)}::json) as given (id text, name text, company_id text, contact_ids text[],
      owner_id text, stage text, amount numeric, currency text, is_closed boolean, is_won boolean, lost_reason text,
      closes_on date, opened_on date, modified_at timestamptz(3))
    order by id
    on conflict (workspace_id, provider, crm_id) do update set name = excluded.name,
      company_crm_id = excluded.company_crm_id, contact_crm_ids = excluded.contact_crm_ids,
      owner_crm_id = excluded.owner_crm_id, stage = excluded.stage, amount = excluded.amount, currency = excluded.currency,
      is_closed = excluded.is_closed, is_won = excluded.is_won, lost_reason = excluded.lost_reason,
      closes_on = excluded.closes_on, opened_on = excluded.opened_on, ${RETURNED}
    where ${IS_NEWER}
    returning company_crm_id as crm_id`,
  )
  return [...new Set([...before, ...after])]
}

async function stored(db: Db, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await (query as RawBuilder<{ crm_id: string | null }>).execute(db)
  return rows.flatMap(({ crm_id }) => crm_id ?? [])
}

/** The companies of deals. */
export async function findDealCompanies(db: Db, key: SyncKey, ids: string[]): Promise<string[]> {
  return stored(
    db,
    sql`select distinct company_crm_id as crm_id from pulled_deals as known
      where ${ofCrm(key, 'known')} and crm_id = any(${ids}::text[])`,
  )
}

/** Marks records as present in a complete read, although the stored version is newer. */
export async function touchRecords(db: Db, key: SyncKey, object: PulledObject, ids: string[]): Promise<void> {
  await sql`update ${sql.table(TABLES[object])} as known set pulled_at = now()
    where ${ofCrm(key, 'known')} and crm_id = any(${ids}::text[]) and pulled_at < now()`.execute(db)
}

export type GoneRecord = { id: string; merged_into: string | null }

/** Marks records as deleted. */
export async function markGone(db: Db, key: SyncKey, object: PulledObject, gone: GoneRecord[]): Promise<void> {
  const merged = object === 'deal' ? sql`` : sql`, merged_into = coalesce(given.merged_into, known.merged_into)`
  await sql`
    update ${sql.table(TABLES[object])} as known set deleted_at = coalesce(known.deleted_at, given.at)${merged}
    from (select distinct on (id) id, merged_into, now() as at
      from json_to_recordset(${JSON.stringify(gone)}::json) as every (id text, merged_into text)
      order by id, merged_into nulls last) as given
    where ${ofCrm(key, 'known')} and known.crm_id = given.id`.execute(db)
}

/** The next records that a complete read did not return. */
export async function findUnseen(db: Db, key: SyncKey, object: PulledObject, since: string, limit: number) {
  return stored(
    db,
    sql`select crm_id from ${sql.table(TABLES[object])} as known
      where ${ofCrm(key, 'known')} and deleted_at is null and pulled_at < ${since} limit ${limit}`,
  )
}

/** Makes contacts, deals and links of merged companies those of the company they were merged into. */
export async function followMergedCompanies(db: Db, key: SyncKey, portal: string, merged: GoneRecord[]): Promise<void> {
  const given = sql`json_to_recordset(${JSON.stringify(merged)}::json) as given (id text, merged_into text)`
  for (const table of ['pulled_contacts', 'pulled_deals'] as const)
    await sql`update ${sql.table(table)} as known set company_crm_id = given.merged_into from ${given}
      where ${ofCrm(key, 'known')} and known.company_crm_id = given.id`.execute(db)
  await followLinks(db, key, portal, 'crm_companies', merged)
  // A push of two accounts would write to one record: the account that the survivor is matched with keeps it.
  await sql`
    delete from crm_companies as link
    using (
      select linked.account_id, linked.crm_id, row_number() over (partition by linked.crm_id
        order by linked.account_id = known.account_id desc nulls last, accounts.domain = known.domain desc nulls last,
          linked.account_id) as place
      from crm_companies as linked
        join accounts on accounts.workspace_id = linked.workspace_id and accounts.id = linked.account_id
        left join pulled_companies as known on known.workspace_id = linked.workspace_id
          and known.provider = linked.provider and known.crm_id = linked.crm_id
      where ${ofCrm(key, 'linked')} and linked.portal = ${portal}
        and linked.crm_id = any(${merged.map(({ merged_into }) => merged_into)}::text[])
    ) as ranked
    where ${ofCrm(key, 'link')} and link.portal = ${portal} and link.crm_id = ranked.crm_id
      and link.account_id = ranked.account_id and ranked.place > 1`.execute(db)
}

/** Makes deals and links of merged contacts those of the contact they were merged into. */
export async function followMergedContacts(db: Db, key: SyncKey, portal: string, merged: GoneRecord[]): Promise<void> {
  await sql`
    update pulled_deals as known
    set contact_crm_ids = array(select distinct coalesce(given.merged_into, one) from unnest(known.contact_crm_ids) as one
      left join json_to_recordset(${JSON.stringify(merged)}::json) as given (id text, merged_into text) on given.id = one)
    where ${ofCrm(key, 'known')} and known.contact_crm_ids && ${merged.map(({ id }) => id)}::text[]`.execute(db)
  await followLinks(db, key, portal, 'crm_contacts', merged)
}

/** The values written to the merged record are not those of the surviving one. */
async function followLinks(
  db: Db,
  { workspace_id, provider }: SyncKey,
  portal: string,
  table: 'crm_companies' | 'crm_contacts',
  merged: GoneRecord[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} as link set crm_id = given.merged_into, written = '{}'
    from json_to_recordset(${JSON.stringify(merged)}::json) as given (id text, merged_into text)
    where link.workspace_id = ${workspace_id} and link.provider = ${provider} and link.portal = ${portal}
      and link.crm_id = given.id`.execute(db)
}

const GROWING = {
  company: ['pulled_companies', 'crm_companies'],
  contact: ['pulled_contacts', 'crm_contacts', 'people'],
  deal: ['pulled_deals'],
} as const

/** Updates the statistics of the tables that a first read fills; PostgreSQL does it once a minute, and plans are poor until then. */
export async function analyzeRecords(db: Db, object: PulledObject): Promise<void> {
  await sql`analyze (skip_locked) ${sql.join(GROWING[object].map((table) => sql.table(table)))}`.execute(db)
}
