import { countryName } from '../engine/countries.ts'
import type { Organization } from '../engine/page/index.ts'
import { countryCode } from '../providers/countries.ts'
import type { FoundFirmographics } from '../providers/types.ts'

/** What a company says about itself on its own site, as firmographics. */
export function firmographicsOf(organization: Organization): FoundFirmographics {
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
