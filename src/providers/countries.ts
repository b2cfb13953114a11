import { findCountryCode } from '../engine/countries.ts'
import { commonCountry, parseLocation } from '../engine/places/index.ts'

export { countryName } from '../engine/countries.ts'

/** The ISO code of a country given by its name, a usual short form, or its code. */
export function countryCode(country: string | null): string | null {
  return country ? findCountryCode(country) : null
}

/** The country a written location lies in: "Leeds, United Kingdom", "Remote - Germany", "San Francisco, CA". */
export function countryOfLocation(location: string | null): string | null {
  return commonCountry(parseLocation(location))
}
