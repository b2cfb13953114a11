import type { Db } from '../../db/connect.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import { isSharedDomain } from '../../shared/company-sites.ts'
import { type Company, findCompaniesByDomain } from './store.ts'

/** Hosts at which a company has its home page, as lists of companies contain them. A host of a country is a subsidiary's. */
const HOME_HOSTS = ['www', 'www2', 'web', 'home', 'en', 'corporate', 'corp', 'about', 'group']

/** The domains under which the universe may have the company of a domain, the best match first. */
function domainsOfSite(domain: string): string[] {
  const site = registrableDomain(domain)
  // Pages at a network or a host of pages belong to different companies.
  if (!site || isSharedDomain(site)) return [domain]
  return [...new Set([domain, site, ...HOME_HOSTS.map((host) => `${host}.${site}`)])]
}

/** The company of the universe for each domain: with this domain, otherwise at the same site. */
export async function findCompaniesBySite(
  db: Db,
  workspaceId: string,
  domains: readonly string[],
): Promise<Map<string, Company>> {
  const forms = new Map(domains.map((domain) => [domain, domainsOfSite(domain)]))
  const found = await findCompaniesByDomain(db, workspaceId, [...new Set([...forms.values()].flat())])
  const byDomain = new Map(found.map((company) => [company.domain, company]))
  return new Map(
    [...forms].flatMap(([domain, own]) => {
      const company = own.map((form) => byDomain.get(form)).find((one) => one !== undefined)
      return company ? [[domain, company] as const] : []
    }),
  )
}
