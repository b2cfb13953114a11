import type { Db } from '../db/connect.ts'
import { countryName } from '../engine/countries.ts'
import type { Organization } from '../engine/page/index.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { readWebLink } from '../engine/text/web-address.ts'
import { countryCode } from '../providers/countries.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { findCompaniesBySite } from '../resources/companies/by-site.ts'
import type { Company } from '../resources/companies/store.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'
import type { AssessedAccount } from './assess.ts'

const LINKS = new Set(['network_url', 'logo_url'])
const FIRST_YEAR = 1200
const MOST_EMPLOYEES = 10_000_000

/** Merges firmographics: for each field, the first plausible value. The name is left out, because the team chose it. */
export function mergeFirmographics(
  sources: readonly FoundFirmographics[],
  now: Date,
): Omit<FoundFirmographics, 'name'> {
  const all: FoundFirmographics = {}
  for (const source of sources.toReversed()) Object.assign(all, withoutNonsense(clean(source), now.getUTCFullYear()))
  return all
}

/**
 * Truncates texts to the limits of the API, so that a client can write back what it reads; drops links that are not web
 * addresses.
 */
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

/** The company's description of itself on its own site, as firmographics. */
export function toFirmographics(organization: Organization): FoundFirmographics {
  const { name, employees, industry, location, country, network_url, description, logo_url, founded } = organization
  const code = countryCode(country)
  const year = /^\d{4}/.exec(founded ?? '')?.[0]
  const values = {
    name,
    employees,
    industry,
    location,
    // Sites write "DE", "Germany" or "Deutschland"; filters need one spelling.
    country: code ? countryName(code) : country,
    network_url,
    short_description: description,
    logo_url,
    founded_year: year ? Number(year) : null,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as FoundFirmographics
}

const FIELDS = [
  ...(['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const),
  'founded_year',
] as const

/** The firmographics of a company of the imported universe; null when there is none. */
export function companyFirmographics(company: Company | undefined): FoundFirmographics | null {
  if (!company) return null
  return Object.fromEntries(FIELDS.flatMap((field) => (company[field] === null ? [] : [[field, company[field]]])))
}

export async function findUniverseFirmographics(db: Db, workspaceId: string, domain: string | null) {
  if (domain === null) return null
  const companies = await findCompaniesBySite(db, workspaceId, [domain])
  return companyFirmographics(companies.get(domain))
}

/** Whether people provide the value of a field, here or in a CRM: research does not replace it. */
export function isFromPerson(
  { overridden, from_crm }: Pick<AssessedAccount, 'overridden' | 'from_crm'>,
  field: string,
) {
  return overridden.includes(field) || from_crm.includes(field)
}

/**
 * The values of the imported universe for fields that are neither stored nor in `found`, the values of the other
 * sources.
 */
export function fillFromUniverse(
  account: Pick<AssessedAccount, (typeof FIELDS)[number] | 'overridden' | 'researched' | 'from_crm'>,
  found: FoundFirmographics,
  universe: FoundFirmographics,
  now: Date,
): FoundFirmographics {
  const researched: Partial<Record<string, unknown>> = account.researched
  const known = (field: (typeof FIELDS)[number]) =>
    found[field] ?? (isFromPerson(account, field) ? researched[field] : account[field]) ?? null
  const imported = mergeFirmographics([universe], now)
  // The location of one source may contradict the country of another.
  const country = known('country')
  const isElsewhere = country !== null && country !== imported.country
  const filled = FIELDS.filter(
    (field) => known(field) === null && field in imported && !(field === 'location' && isElsewhere),
  )
  return Object.fromEntries(filled.map((field) => [field, imported[field]]))
}
