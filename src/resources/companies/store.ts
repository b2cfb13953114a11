import { type RawBuilder, sql } from 'kysely'
import { UNPREPARED } from '../../db/client.ts'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'

/** A filter for companies; null matches any value. An unknown value does not match. */
export type CompanyFilter = {
  country_codes: string[] | null
  industries: { keys: string[]; words: string[] } | null
  employee_min: number | null
  employee_max: number | null
}

export type Company = {
  domain: string
  name: string
  country_code: string
  country: string | null
  industry: string | null
  employees: number | null
  location: string | null
  short_description: string | null
  network_url: string | null
  founded_year: number | null
  /** The position in the order; the cursor of the next page. */
  researched_at: string
  position: number
}

export type CompanyCursor = Pick<Company, 'researched_at' | 'position'>

const COLUMNS = sql.raw(
  'domain, name, country_code, country, industry, employees, location, short_description, network_url, founded_year, companies.researched_at, companies.position',
)

/** The number of companies to scan in order per wanted one, before falling back to merging facets. */
const WALK = 10

/** The largest integer of PostgreSQL. */
const MOST_EMPLOYEES = 2_147_483_647

const BEGINNING: CompanyCursor = { researched_at: '1900-01-01T00:00:00Z', position: 0 }

/**
 * The matching companies, the least recently researched first, then in the order of their import. The filter selects
 * facets (combinations of country, industry and size), and an index has the companies of each facet in order. The
 * facets that start first are merged; those that start after the last wanted company need not be read. Once the first
 * companies of most facets were researched, a short scan in the order finds enough of a frequent kind; for a rare one
 * all its facets are merged.
 */
export async function findCompanies(
  db: Db,
  workspaceId: string,
  filter: CompanyFilter,
  limit: number,
  after: CompanyCursor = BEGINNING,
): Promise<Company[]> {
  const byFacet = await findByFacet(db, workspaceId, filter, limit, after)
  if (!filter.industries || filter.industries.words.length === 0) return byFacet
  const byWords = await findByWords(db, workspaceId, filter, filter.industries.words, limit, after)
  return [...byFacet, ...byWords].toSorted(byOrder).slice(0, limit)
}

const byOrder = (a: CompanyCursor, b: CompanyCursor) =>
  a.researched_at === b.researched_at ? a.position - b.position : a.researched_at < b.researched_at ? -1 : 1

async function findByFacet(
  db: Db,
  workspaceId: string,
  filter: CompanyFilter,
  limit: number,
  after: CompanyCursor,
): Promise<Company[]> {
  const matching = facetsOf(workspaceId, filter)
  const employees = employeesBetween(filter)
  const inOrder = sql`workspace_id = ${workspaceId} and (researched_at, position) > (${after.researched_at}, ${after.position})`
  const read = async (firsts: RawBuilder<unknown>) => {
    // The index that finds them does not contain all columns.
    const { rows } = await sql<Company>`${sql.raw(UNPREPARED)}
      with first as materialized (${firsts})
      select ${COLUMNS} from first join companies on companies.workspace_id = ${workspaceId}
        and companies.researched_at = first.researched_at and companies.position = first.position
      order by companies.researched_at, companies.position`.execute(db)
    return rows
  }
  const walk = (length: number, fits: RawBuilder<unknown>) =>
    read(sql`
      select researched_at, position from (
        select researched_at, position, facet_id, employees from companies where ${inOrder}
        order by researched_at, position limit ${sql.lit(length)}
      ) as walked ${fits} where ${employees}
      order by researched_at, position limit ${sql.lit(limit)}`)
  if (isAny(filter)) return walk(limit, sql``)
  const { rows: facets } = await sql<{ id: number; first_position: number }>`
    ${matching} order by first_position limit ${sql.lit(limit + 1)}`.execute(db)
  const ids = facets.slice(0, limit).map(({ id }) => id)
  const merge = (ids: RawBuilder<unknown>) => read(merged(workspaceId, ids, employees, limit, after))
  const first = await merge(sql`unnest(${ids}::integer[])`)
  const next = facets[limit]
  const last = first[limit - 1]
  // A company that was never researched has the epoch as its time, so it comes first.
  const end = last && new Date(last.researched_at).getTime() === 0 ? last.position : null
  if (!next || (end !== null && end < next.first_position)) return first
  const near = await walk(limit * WALK, sql`cross join lateral (${matching} and id = walked.facet_id limit 1) as fits`)
  if (near.length === limit) return near
  const behind = end === null ? sql`` : sql`and first_position <= ${end}`
  return merge(sql`(select id from (${matching} ${behind}) as fits)`)
}

/**
 * The first companies of some facets, in order, from the index of each. Reading `limit` companies of each of thousands
 * of facets would be too slow. So a few of each are read first, and more only of those facets whose few all precede the
 * last wanted one; there are at most `limit / few` of them.
 */
function merged(
  workspaceId: string,
  facetIds: RawBuilder<unknown>,
  employees: RawBuilder<unknown>,
  limit: number,
  after: CompanyCursor,
) {
  const few = Math.ceil(Math.sqrt(limit) / 4)
  const ofFacet = (id: string, from: RawBuilder<unknown>) => sql`
    select researched_at, position from companies where workspace_id = ${workspaceId} and facet_id = ${sql.raw(id)}
      and (researched_at, position) > (${from}) and ${employees}`
  return sql`
    select researched_at, position from (
      with heads as materialized (
        select wanted.id, found.* from ${facetIds} as wanted (id) cross join lateral (
          select researched_at, position, row_number() over (order by researched_at, position) as nth
          from (${ofFacet('wanted.id', sql`${after.researched_at}, ${after.position}`)}) as of_facet
          order by researched_at, position limit ${sql.lit(few)}
        ) as found
      ), last as materialized (
        select researched_at, position from heads order by researched_at, position offset ${sql.lit(limit - 1)} limit 1
      )
      select researched_at, position from heads
      union all
      select found.researched_at, found.position
      from (
        select * from heads where nth = ${sql.lit(few)}
          and not exists (select from last where (last.researched_at, last.position) <= (heads.researched_at, heads.position))
      ) as ended cross join lateral (
        ${ofFacet('ended.id', sql`ended.researched_at, ended.position`)}
          and (researched_at, position) < (
            coalesce((select researched_at from last), 'infinity'), coalesce((select position from last), 0))
        order by researched_at, position limit ${sql.lit(limit)}
      ) as found
    ) as first order by researched_at, position limit ${sql.lit(limit)}`
}

const isAny = ({ country_codes, industries, employee_min, employee_max }: CompanyFilter) =>
  !country_codes && !industries && employee_min === null && employee_max === null

/** Bounds that include everything are left out, because an unknown headcount does not match a bound. */
function employeesBetween({ employee_min, employee_max }: CompanyFilter) {
  if (employee_min === null && employee_max === null) return sql`true`
  return sql`employees between ${employee_min ?? 0} and ${employee_max ?? MOST_EMPLOYEES}`
}

function facetsOf(workspaceId: string, { country_codes, industries, employee_min, employee_max }: CompanyFilter) {
  const conditions = [sql`workspace_id = ${workspaceId}`]
  if (country_codes) conditions.push(sql`country_code = any(${country_codes}::text[])`)
  if (industries) conditions.push(sql`industry_key = any(${industries.keys}::text[])`)
  if (employee_min !== null || employee_max !== null) {
    conditions.push(sql`size_band between company_size_band(${employee_min ?? 0}::integer)
      and company_size_band(${employee_max ?? MOST_EMPLOYEES}::integer)`)
  }
  return sql`select id, first_position from company_facets where ${sql.join(conditions, sql` and `)}`
}

async function findByWords(
  db: Db,
  workspaceId: string,
  filter: CompanyFilter,
  words: string[],
  limit: number,
  after: CompanyCursor,
): Promise<Company[]> {
  const country = filter.country_codes ? sql`country_code = any(${filter.country_codes}::text[])` : sql`true`
  const { rows } = await sql<Company>`
    select ${COLUMNS} from companies
    where workspace_id = ${workspaceId} and industry_words = any(${words}::text[]) and ${country}
      and ${employeesBetween(filter)} and (researched_at, position) > (${after.researched_at}, ${after.position})
    order by researched_at, position limit ${limit}`.execute(db)
  return rows
}

/** Which of these industries outside the taxonomy occur in the universe. */
export async function findIndustryWords(db: Db, workspaceId: string, words: string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set()
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as asked (word)
    where exists (select from companies where workspace_id = ${workspaceId} and industry_words = asked.word)`.execute(
    db,
  )
  return new Set(rows.map(({ word }) => word))
}

/** The companies with these domains. */
export async function findCompaniesByDomain(db: Db, workspaceId: string, domains: string[]): Promise<Company[]> {
  if (domains.length === 0) return []
  const { rows } = await sql<Company>`select ${COLUMNS} from companies
    where workspace_id = ${workspaceId} and domain = any(${domains}::text[])`.execute(db)
  return rows
}

/** The companies with these name keys. A name that several companies share is left out, because it does not identify one. */
export async function findCompaniesByName(
  db: Db,
  workspaceId: string,
  nameKeys: string[],
): Promise<{ name_key: string; domain: string }[]> {
  if (nameKeys.length === 0) return []
  return db
    .selectFrom('companies')
    .select(['name_key', sql<string>`min(domain)`.as('domain')])
    .where('workspace_id', '=', workspaceId)
    .where('name_key', '=', sql<string>`any(${nameKeys}::text[])`)
    .groupBy('name_key')
    .having(sql`count(*)`, '=', 1)
    .execute()
}

/** The workspaces with imported companies. */
export async function listUniverses(db: Db): Promise<string[]> {
  // A few index probes per workspace, where a distinct would read millions of rows.
  const { rows } = await sql<{ id: string }>`select ${sql.raw(ALL_WORKSPACES)} id from workspaces
    where exists (select from companies where companies.workspace_id = workspaces.id) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether the workspace has imported companies. */
export async function hasCompanies(db: Db, workspaceId: string): Promise<boolean> {
  const found = await db
    .selectFrom('companies')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Moves companies to the end of the order. */
export async function markResearched(db: Db, workspaceId: string, domains: string[]): Promise<void> {
  if (domains.length === 0) return
  await db
    .updateTable('companies')
    .set({ researched_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute()
}

/** The limit of industries outside the taxonomy, the most frequent first. */
const MOST_WORDS = 50

export type FacetCount = { country_code: string; industry_key: string; size_band: number; count: number }

/** The number of companies per facet, and per industry outside the taxonomy. */
export async function countFacets(db: Db, workspaceId: string) {
  const [facets, words] = await Promise.all([
    sql<FacetCount>`
      select country_code, industry_key, size_band, counted.count
      from (select facet_id, count(*)::int as count from companies where workspace_id = ${workspaceId} group by facet_id) as counted
      join company_facets on company_facets.workspace_id = ${workspaceId} and id = counted.facet_id`.execute(db),
    sql<{ name: string; count: number }>`
      select industry_words as name, count(*)::int as count from companies
      where workspace_id = ${workspaceId} and industry_words is not null
      group by industry_words order by count desc, name limit ${MOST_WORDS}`.execute(db),
  ])
  return { facets: facets.rows, words: words.rows }
}
