import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import type { RegisterRecord } from '../../providers/registers/types.ts'

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

type Asked = { id: number; keys: readonly string[]; domains: readonly string[] }

/** The limit of names found for one value; the other accounts get their items with their next scan. */
const MOST = 10_000

const COMPANY_KEY = sql`company_key(name)`

/** An active account of any workspace with a subscription. */
const isServed = (table: string) => sql`${sql.ref(`${table}.status`)} = 'active' and exists (
  select from subscriptions as plan where plan.workspace_id = ${sql.ref(`${table}.workspace_id`)} and plan.status = 'active')`

/** Those of the keys that a name of an active account of any workspace has. */
export async function findAccountKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct ${sql.raw(ALL_WORKSPACES)} ${COMPANY_KEY} as key from account_names as named
    where ${COMPANY_KEY} = any(${keys}::text[]) and ${isServed('named')}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * The active accounts of all workspaces that have the name or the register record of an item's company, or a name or a
 * domain that the item mentions, once for each of these names.
 */
export async function findMatchingAccounts(db: Db, items: readonly Asked[]): Promise<MatchingAccount[]> {
  const subjects = await listSubjects(
    db,
    items.map(({ id }) => id),
  )
  const keys = [...subjects.flatMap(({ key }) => key ?? []), ...items.flatMap((item) => item.keys)]
  const [byKey, byDomain, byRecord] = await Promise.all([
    findNames(db, COMPANY_KEY, keys),
    findNames(
      db,
      sql`domain`,
      items.flatMap((item) => item.domains),
    ),
    findRegistered(db, subjects),
  ])
  const found = new Map<string, MatchingAccount>()
  function add(item_id: number, is_subject: boolean, named: readonly Named[] = []): void {
    for (const { workspace_id, account_id, name, domain, account_domain, legal_names, records } of named) {
      const key = JSON.stringify([item_id, workspace_id, account_id, name, domain])
      const known = found.get(key)
      const domains = [...new Set([account_domain, domain])].filter((one) => one !== null)
      if (known) known.is_subject ||= is_subject
      else found.set(key, { item_id, is_subject, workspace_id, account_id, name, domains, legal_names, records })
    }
  }
  for (const { id, key, record } of subjects) {
    add(id, true, key === null ? [] : byKey.get(key))
    add(id, true, record === null ? [] : byRecord.get(record))
  }
  for (const { id, keys, domains } of items) {
    for (const key of keys) add(id, false, byKey.get(key))
    for (const domain of domains) add(id, false, byDomain.get(domain))
  }
  return [...found.values()]
}

type Subject = { id: number; key: string | null; record: string | null }

/** What the streams state about the companies of items: the key of the name, and the register record. */
async function listSubjects(db: Db, ids: readonly number[]): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select id, nullif(company_key, '') as key, ref ->> 'register' || ' ' || (ref ->> 'register_id') as record
    from stream_items where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

type Named = Omit<MatchingAccount, 'item_id' | 'is_subject' | 'domains'> & {
  matched: string
  domain: string | null
  account_domain: string | null
}

const REGISTER_FIELDS = sql`
  array(select legal_name from account_registrations as listed where listed.workspace_id = named.workspace_id
    and listed.account_id = named.account_id and listed.status = 'active')
  || array(select relation.name from company_relations as relation where relation.workspace_id = named.workspace_id
    and relation.account_id = named.account_id and relation.kind = 'former_name' and relation.status = 'active') as legal_names,
  array(select register_id from account_registrations as listed where listed.workspace_id = named.workspace_id
    and listed.account_id = named.account_id and listed.status = 'active') as records`

/** The names of active accounts for which the expression, which has an index, has one of the values; by that value. */
async function findNames(db: Db, by: RawBuilder<unknown>, values: readonly string[]): Promise<Map<string, Named[]>> {
  return Map.groupBy(await findNamesOf(db, by, [...new Set(values)]), ({ matched }) => matched)
}

async function findNamesOf(db: Db, by: RawBuilder<unknown>, values: readonly string[]): Promise<Named[]> {
  if (values.length === 0) return []
  const { rows } = await sql<Named>`
    select ${sql.raw(ALL_WORKSPACES)} ${by} as matched, workspace_id, account_id, name, domain, account_domain, ${REGISTER_FIELDS}
    from account_names as named where ${by} = any(${values}::text[]) and ${isServed('named')}
    limit ${sql.lit(MOST)}`.execute(db)
  if (rows.length < MOST || values.length === 1) return rows
  // A frequent name must not leave out others.
  const half = Math.ceil(values.length / 2)
  return [...(await findNamesOf(db, by, values.slice(0, half))), ...(await findNamesOf(db, by, values.slice(half)))]
}

/** The same for accounts with the register records of items. */
async function findRegistered(db: Db, subjects: readonly Subject[]): Promise<Map<string, Named[]>> {
  const records = subjects.flatMap(({ record }) => record ?? [])
  if (records.length === 0) return new Map()
  const registers = [...new Set(records.map((record) => record.slice(0, record.indexOf(' '))))]
  const ids = [...new Set(records.map((record) => record.slice(record.indexOf(' ') + 1)))]
  const { rows } = await sql<Named>`
    select ${sql.raw(ALL_WORKSPACES)} named.register || ' ' || named.register_id as matched, named.workspace_id, named.account_id,
      named.legal_name as name, null as domain, account.domain as account_domain, ${REGISTER_FIELDS}
    from account_registrations as named
    join accounts as account on account.workspace_id = named.workspace_id and account.id = named.account_id
    where named.register = any(${registers}::text[]) and named.register_id = any(${ids}::text[])
      and named.status = 'active' and ${isServed('account')}
    limit ${sql.lit(MOST)}`.execute(db)
  return Map.groupBy(rows, ({ matched }) => matched)
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
