import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addCompanies } from '../../../test/support/companies.ts'
import { testService } from '../../../test/support/service.ts'
import { buildIndustryFilter, matchesIndustry } from '../../engine/companies/industries.ts'
import {
  type CompanyFilter,
  findCompanies,
  findCompaniesByName,
  markResearched,
} from '../../resources/companies/store.ts'

const service = await testService()
const { db } = service.deps
const { workspaceId } = service

const COUNTRIES = ['US', 'Germany', 'AT', 'CH', 'FR', '']
const INDUSTRIES = ['Software', 'SaaS', 'FinTech', 'Logistics', 'Candle making', '']
const SIZES = ['', '0', '10', '11', '50', '200', '201', '999', '10000', '10001', '200000']
const all = Array.from({ length: 3000 }, (_, n) => ({
  domain: `c${n}.example`,
  name: n % 100 === 0 ? 'Twin Ltd' : `Company ${n}`,
  country: COUNTRIES[n % 6] as string,
  industry: INDUSTRIES[Math.floor(n / 6) % 6] as string,
  employees: SIZES[Math.floor(n / 36) % 11] as string,
}))

await addCompanies(service.databaseUrl, workspaceId, all)

const filter = (fields: Partial<CompanyFilter>): CompanyFilter => ({
  country_codes: null,
  industries: null,
  employee_min: null,
  employee_max: null,
  ...fields,
})
const FILTERS = {
  any: filter({}),
  country: filter({ country_codes: ['FR'] }),
  countries: filter({ country_codes: ['DE', 'AT', 'CH'] }),
  industry: filter({ industries: buildIndustryFilter(['Software']) }),
  words: filter({ industries: buildIndustryFilter(['candle MAKING']) }),
  'industry and words': filter({ industries: buildIndustryFilter(['Financial services', 'Candle making']) }),
  'least employees': filter({ employee_min: 11 }),
  'most employees': filter({ employee_max: 10 }),
  'inside one band': filter({ employee_min: 210, employee_max: 5000 }),
  'on the edges': filter({ employee_min: 11, employee_max: 200 }),
  everything: filter({
    country_codes: ['DE', 'US'],
    industries: buildIndustryFilter(['Software', 'candle making']),
    employee_min: 50,
    employee_max: 10_000,
  }),
  'no such country': filter({ country_codes: ['BR'] }),
}
const CODES: Record<string, string> = { Germany: 'DE' }

function expected({ country_codes, industries, employee_min, employee_max }: CompanyFilter): string[] {
  return all
    .filter(({ country, industry, employees }) => {
      const size = employees === '' ? null : Number(employees)
      return (
        (!country_codes || country_codes.includes(CODES[country] ?? country)) &&
        (!industries || matchesIndustry(industries, industry || null)) &&
        (employee_min === null || (size !== null && size >= employee_min)) &&
        (employee_max === null || (size !== null && size <= employee_max))
      )
    })
    .map(({ domain }) => domain)
}

/** For any limit, and page by page. */
async function finds(asked: CompanyFilter, wanted: string[], name: string): Promise<void> {
  // For few the first facets suffice, for many all are merged.
  for (const limit of [7, 100, 5000]) {
    const found = await findCompanies(db, workspaceId, asked, limit)
    assert.deepEqual(
      found.map(({ domain }) => domain),
      wanted.slice(0, limit),
      `the first ${limit} of ${name}`,
    )
  }
  const paged: string[] = []
  for (let page = await findCompanies(db, workspaceId, asked, 1000); page.length > 0; ) {
    paged.push(...page.map(({ domain }) => domain))
    page = await findCompanies(db, workspaceId, asked, 1000, page.at(-1))
  }
  assert.deepEqual(paged, wanted, `the pages of ${name}`)
}

for (const [name, asked] of Object.entries(FILTERS)) {
  test(`companies by filter: ${name}`, () => finds(asked, expected(asked), name))
}

test('recently researched companies come last', async () => {
  await markResearched(db, workspaceId, ['c0.example', 'c2.example'])
  const first = await findCompanies(db, workspaceId, FILTERS.any, 2)
  assert.deepEqual(
    first.map(({ domain }) => domain),
    ['c1.example', 'c3.example'],
  )
  const found = await findCompanies(db, workspaceId, FILTERS.any, 3000)
  assert.deepEqual(
    [found[0]?.domain, found[1]?.domain, ...found.slice(-2).map(({ domain }) => domain)],
    ['c1.example', 'c3.example', 'c0.example', 'c2.example'],
  )
})

test('a company is found by a unique name, and not in another workspace', async () => {
  const keys = ['company 1', 'twin', 'nobody']
  assert.deepEqual(await findCompaniesByName(db, workspaceId, keys), [{ name_key: 'company 1', domain: 'c1.example' }])
  const stranger = await service.stranger()
  assert.deepEqual(await findCompaniesByName(db, stranger.workspaceId, keys), [])
  assert.deepEqual(await findCompanies(db, stranger.workspaceId, FILTERS.any, 10), [])
})

test('every filter keeps the order when companies change facets and most of the first were researched', async () => {
  // A facet that starts at the end, into which one of the first companies moves; and one without companies.
  const late = { domain: 'late.example', name: 'Late', country: 'JP', industry: 'Software', employees: '40' }
  const moved = [
    { ...(all[4] as (typeof all)[number]), country: 'JP', industry: 'Software', employees: '40' },
    { ...(all[5] as (typeof all)[number]), country: 'NZ', industry: 'FinTech', employees: '7000' },
  ]
  await addCompanies(service.databaseUrl, workspaceId, [late])
  // By an importer of the previous release, which writes only the facet.
  const movedEarlier = { ...(all[10] as (typeof all)[number]), country: 'JP', industry: 'Software', employees: '40' }
  await sql`
    update companies set country_code = 'JP', industry_key = 'software', employees = 40, facet_id = late.facet_id
    from companies as late where late.domain = 'late.example' and companies.domain = ${movedEarlier.domain}`.execute(db)
  const changed = [...moved, movedEarlier]
  await addCompanies(service.databaseUrl, workspaceId, moved)
  all.push(late)
  for (const company of changed) Object.assign(all.find(({ domain }) => domain === company.domain) ?? {}, company)
  const filters = { ...FILTERS, 'those that moved': filter({ country_codes: ['FR', 'JP', 'NZ'] }) }
  /** How often each was researched before: those that never were come first. */
  const rank = new Map([
    ['c0.example', 1],
    ['c2.example', 1],
  ])
  const holds = async (when: string) => {
    for (const [name, asked] of Object.entries(filters)) {
      const wanted = expected(asked).toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
      await finds(asked, wanted, `${name}, ${when}`)
    }
  }
  const research = async (companies: typeof all, nth: number) => {
    for (const { domain } of companies) rank.set(domain, nth)
    await markResearched(
      db,
      workspaceId,
      companies.map(({ domain }) => domain),
    )
  }
  await holds('moved')
  await research(
    all.filter((_, n) => n < 1500 && n % 5 !== 4),
    2,
  )
  await holds('the first of most facets researched')
  await research(
    all.filter(({ employees }) => ['', '0', '10'].includes(employees)),
    3,
  )
  await holds('all of the first facets researched')
})
