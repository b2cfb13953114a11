import { takeGeographies } from '../engine/cascade/geographies.ts'
import { findCountryCode } from '../engine/countries.ts'

export { countryName } from '../engine/countries.ts'

/** The ISO code of a country given by its name, a usual short form, or its code. */
export function countryCode(country: string | null): string | null {
  return country ? findCountryCode(country) : null
}

/**
 * The country a written location lies in: "Leeds, United Kingdom", "Remote - Germany", "San Francisco, CA". Two letters
 * at the end are a state as often as a country, so they alone say nothing, and neither does "Georgia".
 */
export function countryOfLocation(location: string | null): string | null {
  if (!location || location.length > 300) return null
  const parts = location
    .split(/[,;/|()]| [-–] | or /)
    .map((part) => part.trim())
    .filter(Boolean)
  const named = parts.flatMap((part) => (isCountry(part) ? (countryCode(part) ?? []) : []))
  if (named.length > 0) return named.every((code) => code === named[0]) ? (named[0] ?? null) : null
  const words = parts.flatMap((part) => [...part.toLowerCase().split(/\s+/), ','])
  const { found } = takeGeographies(words, location)
  const codes = new Set(found.flatMap((place) => place.codes))
  return codes.size === 1 ? ([...codes][0] ?? null) : null
}

function isCountry(part: string): boolean {
  return part === 'UK' || (part.length > 2 && part !== 'Georgia')
}
