import type { Db } from '../db/connect.ts'
import type { Organization } from '../engine/page/index.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { readWebLink } from '../engine/text/web-address.ts'
import { countryCode, countryName } from '../providers/countries.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { type Company, findCompaniesByDomain } from '../resources/companies/store.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'
import type { AssessedAccount } from './assess.ts'

const LINKS = new Set(['network_url', 'logo_url'])
const FIRST_YEAR = 1200
const MOST_EMPLOYEES = 10_000_000

/** Of each field what the first source says that says anything sensible. The name stays the one the team knows it by. */
export function mergeFirmographics(
  sources: readonly FoundFirmographics[],
  now: Date,
): Omit<FoundFirmographics, 'name'> {
  const all: FoundFirmographics = {}
  for (const source of sources.toReversed()) Object.assign(all, withoutNonsense(clean(source), now.getUTCFullYear()))
  return all
}

/** Texts that an account takes: no longer than a person may set them, so that what is read can be written back; links of the web only. */
function clean(source: FoundFirmographics): FoundFirmographics {
  const limits: Record<string, number> = ACCOUNT_MAX_LENGTHS
  const texts = Object.entries(source).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [[name, value]]
    const text = LINKS.has(name)
      ? readWebLink(toStorable(value))
      : cutText(toStorable(value), limits[name] ?? value.length)
    return text === null ? [] : [[name, text]]
  })
  return Object.fromEntries(texts) as FoundFirmographics
}

function withoutNonsense(
  { name: _, employees, founded_year, ...rest }: FoundFirmographics,
  thisYear: number,
): FoundFirmographics {
  return {
    ...rest,
    ...(employees !== undefined && employees > 0 && employees < MOST_EMPLOYEES ? { employees } : {}),
    ...(founded_year !== undefined && founded_year >= FIRST_YEAR && founded_year <= thisYear ? { founded_year } : {}),
  }
}

/** What a company says about itself on its own site, as firmographics. */
export function toFirmographics(organization: Organization): FoundFirmographics {
  const { name, employees, industry, location, country, network_url, description, logo_url, founded } = organization
  const code = countryCode(country)
  const year = /^\d{4}/.exec(founded ?? '')?.[0]
  const told = {
    name,
    employees,
    industry,
    location,
    // Sites write "DE", "Germany" or "Deutschland"; filters want one spelling.
    country: code ? countryName(code) : country,
    network_url,
    short_description: description,
    logo_url,
    founded_year: year ? Number(year) : null,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)) as FoundFirmographics
}

const FIELDS = [
  ...(['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const),
  'founded_year',
] as const

/** What the imported universe says of a company; null when it is not in there. */
export function companyFirmographics(company: Company | undefined): FoundFirmographics | null {
  if (!company) return null
  return Object.fromEntries(FIELDS.flatMap((field) => (company[field] === null ? [] : [[field, company[field]]])))
}

export async function findUniverseFirmographics(db: Db, workspaceId: string, domain: string | null) {
  if (domain === null) return null
  const [company] = await findCompaniesByDomain(db, workspaceId, [domain])
  return companyFirmographics(company)
}

/**
 * What the imported universe says about the fields of an account that nothing else knows: neither the sources asked now
 * (`told`) nor what is stored.
 */
export function fillFromUniverse(
  account: AssessedAccount,
  told: FoundFirmographics,
  universe: FoundFirmographics,
  now: Date,
): FoundFirmographics {
  const researched: Partial<Record<string, unknown>> = account.researched
  const known = (field: (typeof FIELDS)[number]) =>
    told[field] ?? (account.overridden.includes(field) ? researched[field] : account[field]) ?? null
  const imported = mergeFirmographics([universe], now)
  // The location of one source and the country of another may contradict each other.
  const country = known('country')
  const isElsewhere = country !== null && country !== imported.country
  const filled = FIELDS.filter(
    (field) => known(field) === null && field in imported && !(field === 'location' && isElsewhere),
  )
  return Object.fromEntries(filled.map((field) => [field, imported[field]]))
}
