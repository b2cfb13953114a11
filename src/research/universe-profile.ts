import type { Db } from '../db/connect.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { type Company, findCompaniesByDomain } from '../resources/companies/store.ts'
import type { AssessedAccount } from './assess.ts'
import { profileFrom } from './profile.ts'

const FIELDS = [
  ...(['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const),
  'founded_year',
] as const

/** What the imported universe says of a company; null when it is not in there. */
export function universeProfile(company: Company | undefined): FoundFirmographics | null {
  if (!company) return null
  return Object.fromEntries(FIELDS.flatMap((field) => (company[field] === null ? [] : [[field, company[field]]])))
}

export async function findUniverseProfile(db: Db, workspaceId: string, domain: string | null) {
  if (domain === null) return null
  const [company] = await findCompaniesByDomain(db, workspaceId, [domain])
  return universeProfile(company)
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
  const imported = profileFrom([universe], now)
  // The location of one source and the country of another may contradict each other.
  const country = known('country')
  const isElsewhere = country !== null && country !== imported.country
  const filled = FIELDS.filter(
    (field) => known(field) === null && field in imported && !(field === 'location' && isElsewhere),
  )
  return Object.fromEntries(filled.map((field) => [field, imported[field]]))
}
