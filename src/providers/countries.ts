import { takeGeographies } from '../engine/cascade/geographies.ts'

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** What vendors write for a country beside its English name and its code. */
const ALIASES: Record<string, string> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u.k.': 'GB',
  england: 'GB',
  scotland: 'GB',
  'great britain': 'GB',
  'czech republic': 'CZ',
  turkey: 'TR',
  'republic of ireland': 'IE',
  'the netherlands': 'NL',
  holland: 'NL',
  'korea, republic of': 'KR',
  'republic of korea': 'KR',
  'viet nam': 'VN',
  "people's republic of china": 'CN',
  'russian federation': 'RU',
  deutschland: 'DE',
  osterreich: 'AT',
  schweiz: 'CH',
  'hong kong': 'HK',
  macau: 'MO',
}

/** Codes that name something else than a country: the world, unions, parts of countries. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO', 'AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'])

/** A withdrawn code stands for its successor's: "DD" for "DE". */
function nameOf(code: string): string | null {
  if (NO_COUNTRY.has(code) || new Intl.Locale(`und-${code}`).region !== code) return null
  return NAMES.of(code) ?? null
}

const CODES = new Map<string, string>()
for (let first = 65; first <= 90; first++) {
  for (let second = 65; second <= 90; second++) {
    const code = String.fromCharCode(first, second)
    const name = nameOf(code)
    if (name) CODES.set(fold(name), code)
  }
}
for (const [spelling, code] of Object.entries(ALIASES)) CODES.set(spelling, code)

/** The ISO code of a country given by its English name, a usual short form, or its code. */
export function countryCode(country: string | null): string | null {
  if (!country) return null
  if (/^[a-z]{2}$/i.test(country) && country.toLowerCase() !== 'uk') {
    const code = country.toUpperCase()
    return nameOf(code) ? code : null
  }
  return CODES.get(fold(country)) ?? null
}

/** The English name of a country's ISO code. */
export function countryName(code: string): string | null {
  return /^[A-Z]{2}$/.test(code) ? nameOf(code) : null
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

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('&', 'and')
    .replaceAll('’', "'")
    .toLowerCase()
    .trim()
}
