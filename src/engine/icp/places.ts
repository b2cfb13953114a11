import { findIndustryKey } from '../companies/industries.ts'
import { DEMONYMS, findCountryCodes } from '../countries.ts'
import { type GeoPlace, lookupPlaces } from '../places/index.ts'

export type NamedPlace = { name: string; spots: GeoPlace[] }

/** Words before a place, and words between places. */
const BEFORE = new Set(
  'in across throughout from within around near inside covering serving into outside except excluding'.split(' '),
)
const BETWEEN = new Set(
  'and or & the both either mainly mostly primarily especially northern southern western eastern also e.g eg plus'.split(
    ' ',
  ),
)
/** Abbreviations that are recognised only in capitals. */
const SHORT = new Set('US USA UK UAE EU EEA GCC ANZ CEE UKI NYC NRW U.S U.K U.S.A'.split(' '))
/** Country codes that are no other abbreviation; IT, HR and PR are. */
const CODES = new Set('DE AT CH FR ES NL BE LU DK SE FI PL CZ GB PT GR HU RO AU NZ CA JP SG HK'.split(' '))
/** Adjectives for countries, and for regions, states and Scotland. */
const OF_PLACES = new Map([
  ...DEMONYMS,
  ...(
    'scottish Scotland|european Europe|nordic Nordics|scandinavian Nordics|baltic Baltics|asian Asia|african Africa|' +
    'bavarian Bavaria|californian California|texan Texas|north american North America|latin american Latin America|' +
    'south american South America|middle eastern Middle East|deutsche DE'
  )
    .split('|')
    .map((entry) => {
      const [, demonym = '', place = ''] = /^([a-z ]+) ([A-Z].*)$/.exec(entry) ?? []
      return [demonym, place] as const
    }),
])
const LONGEST = 4

/**
 * The places in a text. Regions and countries always count, states and cities only where a place is expected, because many
 * of them are also ordinary words.
 */
export function findPlacesInText(text: string, { expected }: { expected: boolean }): NamedPlace[] {
  const words = text.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}&.'’-]+|[,;:()/]/gu) ?? [])
  const found: NamedPlace[] = []
  let open = expected
  for (let at = 0; at < words.length; ) {
    const match = longestAt(words, at, open)
    if (match) {
      if (!found.some(({ name }) => name === match.name)) found.push({ name: match.name, spots: match.spots })
      at += match.length
      open = true
      continue
    }
    const word = (words[at] as string).toLowerCase()
    if (BEFORE.has(word) || /^(?:[a-z]+-)?based$/.test(word)) open = true
    else if (!BETWEEN.has(word) && !/^[,/]$/.test(word)) open = expected && /^[;:()]$/.test(word)
    at++
  }
  return found
}

function longestAt(words: readonly string[], at: number, open: boolean): (NamedPlace & { length: number }) | null {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length)
    if (phrase.some((word) => /^[,;:()/]$/.test(word))) continue
    const name = phrase.join(' ').replace(/[.'’-]+$|-based$|['’]s$/, '')
    const spots = read(name, open)
    if (spots.length > 0) return { name, spots, length }
  }
  return null
}

function read(name: string, open: boolean): GeoPlace[] {
  const upper = name.toUpperCase()
  if (name.length <= 3) {
    const isMeant = SHORT.has(name) || (SHORT.has(upper) && upper.length === 3) || (open && CODES.has(name))
    return isMeant ? lookupPlaces(name) : []
  }
  const demonym = OF_PLACES.get(name.toLowerCase())
  if (demonym) return lookupPlaces(demonym)
  if (SHORT.has(upper) || findCountryCodes(name).length > 0) return lookupPlaces(name)
  const isName = /^\p{Lu}/u.test(name) || name === name.toLowerCase()
  // "New Jersey" is unambiguous, "Orange" is not.
  const isPlain = /^\p{Lu}\p{L}+(?:[ -]\p{Lu}\p{L}+)+$/u.test(name)
  if (!(open || isPlain) || !isName || findIndustryKey(name.toLowerCase())) return []
  const places = lookupPlaces(name)
  return open ? places : places.filter(({ area, city }) => area !== null && city === null)
}
