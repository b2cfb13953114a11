import { findCountryCode } from '../engine/countries.ts'
import { commonCountry, parseLocation } from '../engine/places/index.ts'

/** The ISO 3166 code of a country given by its name, a common short form, or its code. */
export function countryCode(country: string | null): string | null {
  return country ? findCountryCode(country) : null
}

/** The country of a free-text location: "Leeds, United Kingdom", "Remote - Germany", "San Francisco, CA". */
export function countryOfLocation(location: string | null): string | null {
  return commonCountry(parseLocation(location))
}
