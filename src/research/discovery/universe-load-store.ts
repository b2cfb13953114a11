import type pg from 'pg'
import { withQueryLimit } from '../../db/client.ts'
import { copyFrom, copyLine } from '../../db/copy.ts'
import { takingTurns } from '../../turns.ts'

/** A company as a file has it; null where the file says nothing. */
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

/** Columns that tell the same thing change together. */
export const GROUPS = [
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
/** So many are put into words in about a millisecond. */
const LINES_AT_ONCE = 200
const LONGEST_VACUUM_MS = 6 * 3_600_000

/** Not prepared: each is asked once for a connection. */
function run(client: pg.ClientBase, text: string, values: unknown[] = []) {
  return client.query({ text, values })
}

/** A connection set up to take companies in. */
export async function prepareLoad(client: pg.ClientBase): Promise<void> {
  await run(
    client,
    `create temporary table if not exists company_loading (
      domain text not null, name text, name_key text, country_code text, country text, industry text, industry_key text,
      industry_words text, employees integer, location text, short_description text, network_url text,
      founded_year smallint, is_new boolean not null default true
    ) on commit delete rows`,
  )
  await run(client, 'create temporary table if not exists company_planned (domain text primary key)')
}

/** What is not said in the file stays as it was. */
const KEEP_KNOWN = `
  update company_loading as loading set is_new = false, ${GROUPS.flatMap((columns) =>
    columns.map(
      (column) => `${column} = case when loading.${columns[0]} is null then known.${column} else loading.${column} end`,
    ),
  ).join(', ')}
  from companies as known where known.workspace_id = $1 and known.domain = loading.domain`

const ADD_FACETS = `
  insert into company_facets (workspace_id, country_code, industry_key, size_band)
  select distinct $1::uuid, coalesce(country_code, ''), coalesce(industry_key, ''), company_size_band(employees) from company_loading
  on conflict do nothing`

const WITH_FACET = `
  company_loading as loading join company_facets as facet on facet.workspace_id = $1
    and facet.country_code = coalesce(loading.country_code, '') and facet.industry_key = coalesce(loading.industry_key, '')
    and facet.size_band = company_size_band(loading.employees)`

const VALUES = `coalesce(loading.name, loading.domain) as name, coalesce(loading.name_key, loading.domain) as name_key,
  coalesce(loading.country_code, '') as country_code, loading.country, loading.industry,
  coalesce(loading.industry_key, '') as industry_key, loading.industry_words, loading.employees, loading.location,
  loading.short_description, loading.network_url, loading.founded_year, facet.id as facet_id`

const ADD = `
  insert into companies (workspace_id, ${LIST}, facet_id)
  select $1::uuid, loading.domain, ${VALUES} from ${WITH_FACET} where loading.is_new`

const CHANGED = [...COLUMNS.slice(1), 'facet_id']
const CHANGE = `
  update companies as known set ${CHANGED.map((column) => `${column} = given.${column}`).join(', ')}, imported_at = now()
  from (select loading.domain, ${VALUES} from ${WITH_FACET} where not loading.is_new) as given
  where known.workspace_id = $1 and known.domain = given.domain
    and (${CHANGED.map((column) => `known.${column}`).join(', ')}) is distinct from (${CHANGED.map((column) => `given.${column}`).join(', ')})`

/**
 * Stores companies of different domains: new ones are added, known ones take what the file says and keep the rest. Answers
 * how many were new. All or nothing; `along` writes in the same transaction.
 */
export async function loadCompanies(
  client: pg.ClientBase,
  workspaceId: string,
  companies: LoadedCompany[],
  along?: (client: pg.ClientBase, created: number) => Promise<void>,
): Promise<{ created: number }> {
  const turn = takingTurns()
  const lines: Buffer[] = []
  for (let at = 0; at < companies.length; at += LINES_AT_ONCE) {
    const some = companies.slice(at, at + LINES_AT_ONCE)
    lines.push(Buffer.from(some.map((company) => copyLine(COLUMNS.map((column) => company[column]))).join('')))
    await turn()
  }
  await run(client, 'begin')
  try {
    // One import of a workspace at a time: what is new cannot become known in between.
    await run(client, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`companies ${workspaceId}`])
    await copyFrom(client, `copy company_loading (${LIST}) from stdin`, Buffer.concat(lines))
    const known = await run(client, KEEP_KNOWN, [workspaceId])
    await run(client, ADD_FACETS, [workspaceId])
    const { rowCount } = await run(client, ADD, [workspaceId])
    if (known.rowCount) await run(client, CHANGE, [workspaceId])
    await along?.(client, rowCount ?? 0)
    await run(client, 'commit')
    return { created: rowCount ?? 0 }
  } catch (error) {
    await run(client, 'rollback')
    throw error
  }
}

/** Answers what loading would, without storing: which domains came before is kept aside for the connection. */
export async function planCompanies(
  client: pg.ClientBase,
  workspaceId: string,
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

/** Leaves the connection as it was. After a change, the planner learns of it now and not when autovacuum comes by. */
export async function finishLoad(client: pg.ClientBase, { changed }: { changed: boolean }): Promise<void> {
  await run(client, 'drop table company_loading, company_planned')
  if (!changed) return
  // Of a large table it takes longer than any query may.
  await withQueryLimit(LONGEST_VACUUM_MS, async () => {
    await run(client, 'set statement_timeout = 0')
    // Index-only scans skip the table only where it was vacuumed.
    await run(client, 'vacuum (analyze) companies')
    await run(client, 'analyze company_facets')
    await run(client, 'reset statement_timeout')
  })
}
