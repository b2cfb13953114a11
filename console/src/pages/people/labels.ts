import type { Schemas } from '../../api/client.ts'

export type Person = Schemas['Person']

const LEVEL_NAMES: Record<string, string> = {
  'C-Team': 'C-level',
  VP: 'VP',
  Director: 'Director',
  Manager: 'Manager',
  Staff: 'Staff',
}
export const levelName = (level: string) => LEVEL_NAMES[level] ?? level

const TIER_NAMES: Record<string, string> = { ideal: 'Ideal role', adjacent: 'Next best', fallback: 'Fallback' }
export const tierName = (label: string) => TIER_NAMES[label] ?? label

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' })
export const countryName = (code: string) => regions.of(code.toUpperCase()) ?? code

/** Region codes that are not countries. */
const NONE = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])
let known: { value: string; label: string }[] | null = null

/** All countries with names in the browser's language. */
export function countries(): { value: string; label: string }[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  known ??= letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = NONE.has(value) ? undefined : regions.of(value)
      return label ? [{ value, label }] : []
    })
    .sort((a, b) => a.label.localeCompare(b.label))
  return known
}

/** The location or country of a person. */
export function personLocation({ location, country_code }: Pick<Person, 'location' | 'country_code'>): string | null {
  return location ?? (country_code ? countryName(country_code) : null)
}
