// Finds places in requests; `places/` has the gazetteer.
import { countryAndRegionNames, countryName, DEMONYMS, findCountryCodes, foldPlaceName } from '../countries.ts'
import { type GeoPlace, isLocatedIn, lookupPlaces, parseLocation } from '../places/index.ts'
import { foldText } from '../text/fold.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { singularize } from './fields.ts'
import type { RequestedPlace } from './types.ts'
import { correctTypo, FILLERS, isJobWord } from './vocabulary.ts'

/** US states as two letters, which must be in capitals. */
const STATES = /^(?:LA|NY|NJ|CT|TX|FL|IL|MA|MD|NC|OH|TN|WI|MI|MN|AZ|NV|SF)$/
const CAPITAL_NAMES = lookupTable<string>({ la: 'Los Angeles', sf: 'San Francisco' })
const SHORT_PLACES = new Set('uk eu usa uae anz nyc nrw zug'.split(' '))
const PREPOSITIONS = new Set('in from near around within across at outside'.split(' '))
/** Places that are also given names or words: they need a preposition. */
const AMBIGUOUS_PLACES = new Set(
  (
    'georgia jordan chad nice mobile reading cork bergen charlotte austin edison phoenix florence turkey essen hull ' +
    'perm queens natal para salem kent victoria mary david diana nancy jackson tyler elizabeth lincoln madison warren allen ' +
    'lawrence norman eugene garcia santos vargas leon henderson montgomery irving garland chandler gilbert regina savannah ' +
    'toyota orange delta colon split surprise mission male oral south north east west central centre western eastern states ' +
    'mesa saga batman tours angers metro mono independence darwin vladimir bryan tracy bath bend vista saint ' +
    'pest acre hail falcon corona paradise derby buffalo'
  ).split(' '),
)
const MAX_WORDS = 3

/** Minimum population, in thousands, of a place without a preposition: capitalised, and in lower case. */
const MIN_THOUSANDS_CAPITALISED = 150
const MIN_THOUSANDS_LOWERCASE = 400

function capitalised(text: string): string {
  return text.replace(/(?:^| )\p{L}/gu, (start) => start.toUpperCase())
}

/** Extracts the places from a request. */
export function extractPlaces(text: string): { places: RequestedPlace[]; rest: string } {
  const tokens = text
    .replace(/([,;?!()])/g, ' $1 ')
    .replace(/[-–](?:based|wide)\b/gi, ' ')
    .split(/\s+/)
    .filter(Boolean)
  const places: RequestedPlace[] = []
  const rest: string[] = []
  for (let i = 0; i < tokens.length; ) {
    const isListed = places.length > 0 && /^(?:or|and|,|&)$/i.test(rest.at(-1) ?? '')
    const taken = placeAt(tokens, i, rest, isListed)
    if (!taken) {
      rest.push(tokens[i] as string)
      i++
      continue
    }
    if (!places.some(({ name }) => name === taken.place.name)) places.push(taken.place)
    // Removes the words that joined it: "based in", "in Spain and Portugal".
    while (
      /^(?:in|across|based|from|within|the|located|around|near|living|sitting|working|out|of|at|only|both|of|somewhere)$/i.test(
        rest.at(-1) ?? '',
      )
    )
      rest.pop()
    if (places.length > 1) while (/^(?:and|or|,|&|\/)$/i.test(rest.at(-1) ?? '')) rest.pop()
    i += taken.length
    if (/^only$/i.test(tokens[i] ?? '')) i++
  }
  return { places, rest: rest.join(' ').replace(/ ([,;?!])/g, '$1') }
}

function placeAt(
  tokens: readonly string[],
  start: number,
  before: readonly string[],
  isListed: boolean,
): { place: RequestedPlace; length: number } | null {
  const isAfterPreposition = isAfter(before) || isListed
  const isLanguage =
    /^(?:speak|speaks|speaking|fluent|in)$/i.test(before.at(-1) ?? '') &&
    DEMONYMS.has(tokens[start]?.toLowerCase() ?? '')
  if (/^-?speak/i.test(tokens[start + 1] ?? '')) return null
  for (let length = Math.min(4, tokens.length - start); length > 0; length--) {
    if (isLanguage && length === 1) return null
    const original = tokens.slice(start, start + length)
    const place = matchKnownPlace(original, isAfterPreposition)
    if (place) return { place, length }
  }
  return isAfterPreposition && /^(?:in|from|near|around|within)$/i.test(lastWord(before))
    ? matchUnknownTown(tokens, start)
    : null
}

const lastWord = (words: readonly string[]) => [...words].reverse().find((word) => !/^the$/i.test(word)) ?? ''
const isAfter = (words: readonly string[]) => PREPOSITIONS.has(lastWord(words).toLowerCase())

function matchKnownPlace(original: readonly string[], isAfterPreposition: boolean): RequestedPlace | null {
  const written = original.join(' ')
  const text = foldPlaceName(written.replace(/['’]s$/, ''))
  if (/[,;?!&/]/.test(written)) return null
  if (SHORT_PLACES.has(text) || written === 'US' || written === 'U.S.') return findPlaceByName(text, written)
  if (STATES.test(written)) return findPlaceByName(CAPITAL_NAMES[text] ?? `${written}, US`, written)
  if (text.length < 3) return null
  if (text.length === 3 && !(isAfterPreposition && /^\p{Lu}\p{Ll}/u.test(written))) return null
  if (AMBIGUOUS_PLACES.has(text) && !isAfterPreposition) return null
  const nation = DEMONYMS.get(text)
  if (nation) return findPlaceByName(nation, written)
  if (original.every(isOrdinary)) return null
  return findPlaceByName(
    text,
    written,
    isAfterPreposition ? 0 : /^\p{Lu}/u.test(written) ? MIN_THOUSANDS_CAPITALISED : MIN_THOUSANDS_LOWERCASE,
  )
}

/** Whether a word belongs to jobs or requests. */
function isOrdinary(token: string): boolean {
  const word = foldText(token).replace(/\.$/, '')
  return [word, singularize(word)].some((form) => FILLERS.has(form) || isJobWord(form))
}

function findPlaceByName(text: string, written: string, least = 0): RequestedPlace | null {
  const spots = lookupPlaces(text, least)
  if (spots.length === 0) return null
  const [first, ...others] = spots as [GeoPlace, ...GeoPlace[]]
  const country = others.length === 0 && first.area === null ? countryName(first.country) : null
  return {
    name: country ?? countryAndRegionNames().get(foldPlaceName(text)) ?? capitalised(written.replace(/^the /i, '')),
    spots,
  }
}

/** "in Basel": an unknown word after "in" is a place, matched by name against people's locations. */
function matchUnknownTown(tokens: readonly string[], start: number): { place: RequestedPlace; length: number } | null {
  const isCapital = (word: string | undefined) => /^\p{Lu}\p{Ll}/u.test(word ?? '')
  let length = 0
  while (length < MAX_WORDS && isTown(tokens[start + length])) {
    if (length > 0 && isCapital(tokens[start]) !== isCapital(tokens[start + length])) break
    length++
  }
  if (length === 0) return null
  const text = foldText(tokens.slice(start, start + length).join(' ')).replace(/[.?!]+$/, '')
  return { place: { name: capitalised(text), spots: [] }, length }
}

function isTown(token: string | undefined): boolean {
  if (!token || !/^\p{L}[\p{L}.'’-]{2,}$/u.test(token)) return false
  if (isOrdinary(token)) return false
  return /^\p{Lu}/u.test(token) || correctTypo(singularize(foldText(token).replace(/\.$/, ''))) === null
}

/** Whether a person is at a place: null when their location is too vague. */
export function isAtPlace(
  { name, spots }: RequestedPlace,
  country: string | null | undefined,
  location: string | null | undefined,
): boolean | null {
  if (spots.length > 0) return isLocatedIn(parseLocation(location, country), spots)
  // An unknown town is matched by name; "Germany" alone is inconclusive.
  const parts = (location ?? '').split(',').filter((part) => part.trim() !== '')
  if (` ${foldPlaceName(parts.join(' '))} `.includes(` ${foldPlaceName(name)} `)) return true
  return parts.some((part) => findCountryCodes(part).length === 0) ? false : null
}
