import type pg from 'pg'
import { withQueryTimeout } from '../../db/client.ts'
import { copyFrom, copyLine } from '../../db/copy.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { yieldToEventLoop } from '../../shared/event-loop.ts'
import { sizeBand } from '../../shared/size-bands.ts'

/** A company as the file has it; null where the file has no value. */
export type LoadedCompany = {
  domain: string
  name: string | null
  name_key: string | null
  country_code: string | null
  country: string | null
  industry: string | null
  industry_key: string | null
  industry_words: string | null
  employees: number | null
  location: string | null
  short_description: string | null
  network_url: string | null
  founded_year: number | null
}

const COLUMNS = [
  'domain',
  'name',
  'name_key',
  'country_code',
  'country',
  'industry',
  'industry_key',
  'industry_words',
  'employees',
  'location',
  'short_description',
  'network_url',
  'founded_year',
] as const satisfies (keyof LoadedCompany)[]

/** Columns that belong together and are updated together. */
export const FACET_GROUPS = [
  ['name', 'name_key'],
  ['country_code', 'country'],
  ['industry', 'industry_key', 'industry_words'],
  ['employees'],
  ['location'],
  ['short_description'],
  ['network_url'],
  ['founded_year'],
] as const

const LIST = COLUMNS.join(', ')
/** Serializing this many takes about a millisecond. */
const LINES_AT_ONCE = 200
const LONGEST_VACUUM_MS = 6 * 3_600_000
/** The SQLSTATE of a statement that exceeds its timeout. */
const QUERY_CANCELED = '57014'

/** Not prepared, because each runs once per connection. */
function run(client: pg.ClientBase, text: string, values?: unknown[]) {
  return client.query(values ? { text, values } : { text })
}

/** An import of a workspace, on a dedicated connection. */
export type CompanyLoad = {
  client: pg.ClientBase
  workspaceId: string
  /** The ids of stored facets by their keys. */
  facets: Map<string, number>
  /** Whether the last batch contained known companies: then the next one is likely to. */
  meetsKnown: boolean
}

export const newLoad = (client: pg.ClientBase, workspaceId: string): CompanyLoad => ({
  client,
  workspaceId,
  facets: new Map(),
  meetsKnown: false,
})

/**
 * Stores companies of different domains: inserts new ones and updates known ones with the values of the file. Returns
 * the number of new ones. Atomic; `along` writes in the same transaction.
 */
export async function loadCompanies(
  load: CompanyLoad,
  companies: LoadedCompany[],
  along?: (client: pg.ClientBase, created: number) => Promise<void>,
): Promise<{ created: number }> {
  const { client, workspaceId } = load
  await run(client, 'begin')
  try {
    // One import of a workspace at a time, so that a new company cannot become known in between.
    await run(client, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`companies ${workspaceId}`])
    const { added, facets } = (await addUnseen(load, companies)) ?? (await addAndChange(load, companies))
    await along?.(client, added)
    await run(client, 'commit')
    for (const [key, id] of facets) load.facets.set(key, id)
    return { created: added }
  } catch (error) {
    await run(client, 'rollback')
    throw error
  }
}

type Added = { added: number; facets: [string, number][] }

/** Inserts all of them as new, without reading known ones; returns null, with nothing stored, when a key conflicts. */
async function addUnseen(load: CompanyLoad, companies: LoadedCompany[]): Promise<Added | null> {
  if (load.meetsKnown) return null
  const { client } = load
  await run(client, 'savepoint unseen')
  try {
    return { added: companies.length, facets: await addNew(load, companies) }
  } catch (error) {
    if (!isUniqueViolation(error, 'companies_pkey')) throw error
    await run(client, 'rollback to savepoint unseen')
    return null
  }
}

async function addAndChange(load: CompanyLoad, companies: LoadedCompany[]): Promise<Added> {
  const known = await findKnown(load, companies)
  load.meetsKnown = known.size > 0
  const added = known.size === 0 ? companies : companies.filter(({ domain }) => !known.has(domain))
  const facets = added.length > 0 ? await addNew(load, added) : []
  if (known.size > 0) {
    const given = companies.filter(({ domain }) => known.has(domain))
    await changeKnown(load, given)
  }
  return { added: added.length, facets }
}

async function findKnown({ client, workspaceId }: CompanyLoad, companies: LoadedCompany[]): Promise<Set<string>> {
  // Leaves the primary key as the only index in the order of the limit. Without current statistics, the planner would read
  // and sort the whole universe of the workspace for every company.
  await run(client, 'set local enable_sort = off')
  const { rows } = await run(
    client,
    // One string instead of an array, which pg would escape character by character. One lookup per key with a limit:
    // otherwise the planner reads the whole universe of the workspace.
    `select known.domain from string_to_table($2, ' ') as given (domain) cross join lateral (
       select domain from companies where companies.workspace_id = $1 and companies.domain >= given.domain
       order by domain limit 1
     ) as known where known.domain = given.domain`,
    [workspaceId, companies.map(({ domain }) => domain).join(' ')],
  )
  await run(client, 'set local enable_sort = on')
  return new Set(rows.map(({ domain }) => domain))
}

/**
 * Directly into the table: a staging table would write every row twice and join it three times. Returns the facets that
 * were not known to be stored.
 */
async function addNew(
  { client, workspaceId, facets }: CompanyLoad,
  companies: LoadedCompany[],
): Promise<[string, number][]> {
  /** The first position of each unknown facet. */
  const firsts = new Map<string, number>()
  const yields = yieldToEventLoop()
  for (const [at, company] of companies.entries()) {
    await yields()
    const key = facetKey(company)
    if (!facets.has(key) && !firsts.has(key)) firsts.set(key, at)
  }
  const missing = firsts.size > 0 ? await findOrAddFacets(client, workspaceId, firsts) : []
  const ids = new Map(missing)
  const line = (company: LoadedCompany) => {
    const { domain, name, name_key, country_code, country, industry, industry_key, industry_words } = company
    const key = facetKey(company)
    return copyLine([
      workspaceId,
      domain,
      name ?? domain,
      name_key ?? domain,
      country_code ?? '',
      country,
      industry,
      industry_key ?? '',
      industry_words,
      company.employees,
      company.location,
      company.short_description,
      company.network_url,
      company.founded_year,
      facets.get(key) ?? (ids.get(key) as number),
    ])
  }
  await copyFrom(client, `copy companies (workspace_id, ${LIST}, facet_id) from stdin`, linesOf(companies, line))
  return missing
}

const facetKey = ({ country_code, industry_key, employees }: LoadedCompany) =>
  `${country_code ?? ''}\t${industry_key ?? ''}\t${sizeBand(employees)}`

/** The first position of each facet among the companies that are about to be inserted. */
async function findOrAddFacets(
  client: pg.ClientBase,
  workspaceId: string,
  firsts: Map<string, number>,
): Promise<[string, number][]> {
  const ask = async (keys: string[], text: (wanted: string) => string) => {
    const parts = keys.map((key) => [...key.split('\t'), firsts.get(key)])
    const values = [workspaceId, ...[0, 1, 2, 3].map((at) => parts.map((part) => part[at]))]
    const wanted = `unnest($2::text[], $3::text[], $4::smallint[], $5::integer[])
      as wanted (country_code, industry_key, size_band, nth)`
    const { rows } = await run(client, text(wanted), values)
    return rows.map(({ id, ...facet }): [string, number] => [Object.values(facet).join('\t'), id])
  }
  const found = await ask(
    [...firsts.keys()],
    (wanted) => `select country_code, industry_key, size_band, id from ${wanted}
      join company_facets using (country_code, industry_key, size_band) where company_facets.workspace_id = $1`,
  )
  const missing = new Set(firsts.keys()).difference(new Map(found))
  if (missing.size === 0) return found
  const added = await ask(
    [...missing],
    // Concurrent imports may take positions: then these are higher.
    (wanted) => `insert into company_facets (workspace_id, country_code, industry_key, size_band, first_position)
      select $1::uuid, country_code, industry_key, size_band, last_value + nth from ${wanted}, companies_position_seq
      returning country_code, industry_key, size_band, id`,
  )
  return [...found, ...added]
}

/** The values of the file, and the resulting rows for those that differ from the stored ones. */
const STAGE = ['company_loading', 'company_changed']
  .map(
    (table) => `create temporary table ${table} (
    domain text not null, name text, name_key text, country_code text, country text, industry text, industry_key text,
    industry_words text, employees integer, location text, short_description text, network_url text, founded_year smallint,
    position bigint
  ) on commit drop`,
  )
  .join('; ')

/** The planner estimates a scan of a large table as cheaper than some thousand key lookups; it is not. */
const BY_KEY = 'set local enable_hashjoin = off; set local enable_mergejoin = off'

const CHANGED = COLUMNS.slice(1)

/** Values that the file does not have do not change. */
const FIND_CHANGED = `
  insert into company_changed (domain, ${FACET_GROUPS.flat().join(', ')}, position)
  select merged.* from company_loading as loading
  join companies as known on known.workspace_id = $1 and known.domain = loading.domain
  cross join lateral (select known.domain, ${FACET_GROUPS.flatMap((columns) =>
    columns.map(
      (column) =>
        `case when loading.${columns[0]} is null then known.${column} else loading.${column} end as ${column}`,
    ),
  ).join(', ')}, known.position) as merged
  where (${CHANGED.map((column) => `known.${column}`).join(', ')}) is distinct from (${CHANGED.map((column) => `merged.${column}`).join(', ')})`

/** A trigger lowers the first position of existing facets. */
const ADD_FACETS = `
  insert into company_facets (workspace_id, country_code, industry_key, size_band, first_position)
  select $1::uuid, country_code, industry_key, company_size_band(employees), min(position) from company_changed
  group by country_code, industry_key, company_size_band(employees)
  on conflict (workspace_id, country_code, industry_key, size_band) do nothing`

const CHANGE = `
  update companies as known set ${CHANGED.map((column) => `${column} = given.${column}`).join(', ')}, facet_id = facet.id,
    imported_at = now()
  from company_changed as given join company_facets as facet on facet.workspace_id = $1
    and facet.country_code = given.country_code and facet.industry_key = given.industry_key
    and facet.size_band = company_size_band(given.employees)
  where known.workspace_id = $1 and known.domain = given.domain`

async function changeKnown({ client, workspaceId }: CompanyLoad, companies: LoadedCompany[]): Promise<void> {
  await run(client, STAGE)
  const line = (company: LoadedCompany) => copyLine(COLUMNS.map((column) => company[column]))
  await copyFrom(client, `copy company_loading (${LIST}) from stdin`, linesOf(companies, line))
  await run(client, BY_KEY)
  const { rowCount } = await run(client, FIND_CHANGED, [workspaceId])
  if (!rowCount) return
  await run(client, ADD_FACETS, [workspaceId])
  await run(client, CHANGE, [workspaceId])
}

async function* linesOf(companies: LoadedCompany[], line: (company: LoadedCompany) => string): AsyncGenerator<Buffer> {
  const turn = yieldToEventLoop()
  for (let at = 0; at < companies.length; at += LINES_AT_ONCE) {
    await turn()
    yield Buffer.from(
      companies
        .slice(at, at + LINES_AT_ONCE)
        .map(line)
        .join(''),
    )
  }
}

/**
 * Prepares a dry run: the domains already seen are stored in a temporary table of the connection. Behind a pooler it is a table of
 * one transaction, during which PostgreSQL cannot remove old rows anywhere.
 */
export async function prepareDryRun(client: pg.ClientBase, { session }: { session: boolean }): Promise<void> {
  // The file may be standard input, which can take any time.
  if (!session) await run(client, 'begin; set local idle_in_transaction_session_timeout = 0')
  await run(client, 'create temporary table if not exists company_planned (domain text primary key)')
}

export async function endDryRun(client: pg.ClientBase, { session }: { session: boolean }): Promise<void> {
  await run(client, session ? 'drop table if exists company_planned' : 'rollback')
}

/** Returns the result of loading without storing anything. */
export async function planCompanies(
  { client, workspaceId }: CompanyLoad,
  companies: LoadedCompany[],
): Promise<{ created: number }> {
  const { rowCount } = await run(
    client,
    `insert into company_planned select domain from unnest($2::text[]) as given (domain)
     where not exists (select from companies where workspace_id = $1 and companies.domain = given.domain)
     on conflict do nothing`,
    [workspaceId, companies.map(({ domain }) => domain)],
  )
  return { created: rowCount ?? 0 }
}

/** Updates the statistics of the planner instead of waiting for autovacuum. */
export async function updateStatistics(client: pg.ClientBase, { session }: { session: boolean }): Promise<void> {
  // On a large table this exceeds the timeout of queries.
  await withQueryTimeout(LONGEST_VACUUM_MS, async () => {
    if (session) await run(client, 'set statement_timeout = 0')
    try {
      // Index-only scans avoid the table only after a vacuum.
      await run(client, 'vacuum (analyze) companies')
      await run(client, 'vacuum (analyze) company_facets')
    } catch (error) {
      // Behind a pooler the timeout of the server applies, and autovacuum does it later.
      if (session || (error as { code?: string }).code !== QUERY_CANCELED) throw error
    }
    if (session) await run(client, 'reset statement_timeout')
  })
}
