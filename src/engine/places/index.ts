// Parses locations and tests whether they are inside a requested place. A place is a region, a country, a state or a city.
// An ambiguous text stays ambiguous: "Cambridge" is in England or in Massachusetts.
import { countryAndRegionNames, findCountryCode, findCountryCodes, foldPlaceName } from '../countries.ts'
import { findSimilarNames } from '../text/similar-names.ts'
import { type Area, type City, loadGazetteer } from './gazetteer.ts'

/** A country, a state of it (`area`), or a city in that state. */
export type GeoPlace = { country: string; area: string | null; city: string | null }

const ofCountry = (country: string): GeoPlace => ({ country, area: null, city: null })
const ofArea = ({ country, id }: Area): GeoPlace => ({ country, area: id, city: null })
const ofCity = ({ area, name }: City): GeoPlace => ({ country: area.country, area: area.id, city: name })

/** A name means the largest place of that name, and others at least this share as large. */
const SHARE = 1 / 3
/** A state's name in more countries than this, such as "Central" or "Northern", is too ambiguous. */
const MOST_COUNTRIES = 3
/** Towns with the name of a legend, which is meant more often. */
const LEGENDS = new Set(['atlantis', 'eldorado', 'arcadia', 'utopia'])

/**
 * The places that a name in a request means: a region ("DACH", "Midwest"), a country or its code, a state, or a city, also
 * with its state or country ("Portland, OR"). Empty when the name is unknown, or when it is a state or city with fewer than
 * `least` thousand inhabitants.
 */
export function lookupPlaces(text: string, least = 0): GeoPlace[] {
  if (text.length > MAX_CHARS) return []
  const whole = placesNamed(text, least)
  if (whole.length > 0) return whole
  const short = withoutFrame(text)
  const named = short === text ? [] : placesNamed(short, least)
  if (named.length > 0) return named
  return text.includes(',') || text.includes('(') ? parseLocation(text) : []
}

function placesNamed(text: string, least: number): GeoPlace[] {
  const { areas, abbreviations, cities, groups } = loadGazetteer()
  const name = foldPlaceName(text)
  const group = groups.get(name)
  if (group) return group.map((place) => ('area' in place ? ofCity(place) : ofArea(place)))
  const states = areas.get(name) ?? []
  const countries = findCountryCodes(text).map(ofCountry)
  // Elsewhere the parts of the United Kingdom are aliases of it; Georgia is a country and a state.
  if (states.some(({ country }) => country === 'GB'))
    return states.filter(({ country }) => country === 'GB').map(ofArea)
  if (countries.length > 0)
    return name === 'georgia'
      ? [...countries, ...states.filter(({ country }) => country === 'US').map(ofArea)]
      : countries
  if (LEGENDS.has(name) || new Set(states.map(({ country }) => country)).size > MOST_COUNTRIES) return []
  const elsewhere = (cities.get(name) ?? []).filter(({ area }) => !states.includes(area))
  const cited = new Set<Area | City>(largest([...states, ...elsewhere]))
  if (cited.size > 0 && [...cited].every(({ thousands }) => thousands < least)) return []
  const places = [
    ...states.filter((area) => cited.has(area)).map(ofArea),
    ...elsewhere.filter((city) => cited.has(city)).map(ofCity),
  ]
  if (places.length > 0) return places
  return (abbreviations.get(text.trim()) ?? []).map(ofArea)
}

function largest<T extends Area | City>(places: readonly T[]): T[] {
  const most = Math.max(0, ...places.map(({ thousands }) => thousands))
  return places.filter(({ thousands }) => thousands >= most * SHARE)
}

const MAX_CHARS = 300

/** "Greater Boston Area" is Boston, "State of Hesse" Hesse; postal codes are removed: "D-80331 Munich", "CA 94105". */
function withoutFrame(part: string): string {
  return part
    .replaceAll(/\S*\d\S*/g, ' ')
    .replace(
      /^\s*(?:greater|metro|city of|state of|province of|canton of|kanton|land|remote|hq|headquarters)\b[\s:-]*/i,
      '',
    )
    .replace(/\s+(?:metropolitan area|metro area|metropolitan region|area|metro|region|state|province|county)\s*$/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * The places of a written location: "Munich, Germany", "80331 München", "San Francisco, CA", "Sydney NSW". Several places
 * mean that it is one of them, none that it is unknown. `country` takes precedence over a country in `location`.
 */
export function parseLocation(location: string | null | undefined, country?: string | null): GeoPlace[] {
  const code = country ? findCountryCode(country) : null
  const written = [location, code ? null : country].filter((text) => text && text.length <= MAX_CHARS).join(', ')
  const choices = written.split(/[;|/\n]| or /).flatMap((choice) => {
    const spots = locateOne(choice, code)
    return spots.length > 0 ? [spots] : []
  })
  if (choices.length === 0) return code ? [ofCountry(code)] : []
  return choices.flat()
}

/** `isFirm`: false for two letters, which are a state's code as often as a country's and prove nothing alone. */
type Part = { countries: string[]; areas: readonly Area[]; cities: readonly City[]; isFirm: boolean }

function locateOne(text: string, code: string | null): GeoPlace[] {
  const parts = text.split(/[,()]| [-–—] /).flatMap((part) => readPart(withoutFrame(part)))
  const inCountry = (country: string) => code === null || country === code
  for (const part of parts) {
    const others = parts.filter((other) => other !== part)
    const wider = others.filter(({ countries, areas }) => countries.length + areas.length > 0)
    const cities = largest(
      part.cities.filter(({ area }) => inCountry(area.country) && others.every((other) => agreesWith(other, area))),
    )
    // A town that is not in the data is located by the state written with it.
    const areas = part.areas.filter(
      (area) => inCountry(area.country) && wider.every((other) => agreesWith(other, area)),
    )
    // "Washington, US" is the state rather than a city in another state; "New York, US" is the city in the state.
    const apart = areas.filter((area) => !cities.some((city) => city.area === area))
    if (cities.length > 0)
      return largest([...apart, ...cities]).map((place) => ('area' in place ? ofCity(place) : ofArea(place)))
    if (areas.length > 0 && (part.isFirm || code !== null || wider.length > 0))
      return [...areas.map(ofArea), ...(wider.length > 0 ? [] : georgia(part, code))]
  }
  const countries = [...new Set(parts.filter(({ isFirm }) => isFirm).flatMap((part) => part.countries))].filter(
    inCountry,
  )
  return countries.map(ofCountry)
}

/** "Georgia" alone may be the country. */
function georgia(part: Part, code: string | null): GeoPlace[] {
  return code === null && part.countries.includes('GE') ? [ofCountry('GE')] : []
}

/** An unknown part, such as a street, agrees with any area. */
function agreesWith({ countries, areas, cities }: Part, area: Area): boolean {
  if (countries.length + areas.length + cities.length === 0) return true
  return countries.includes(area.country) || areas.includes(area) || cities.some((city) => city.area === area)
}

/** The places that a part may name, split into two parts where the whole is unknown: "Sydney NSW". */
function readPart(text: string): Part[] {
  const whole = readName(text)
  if (whole) return [whole]
  const words = text.split(' ')
  for (let at = words.length - 1; at > 0; at--) {
    const head = readName(words.slice(0, at).join(' '))
    const tail = readName(words.slice(at).join(' '))
    if (head && tail) return [head, tail]
  }
  return []
}

function readName(text: string): Part | null {
  const { areas, abbreviations, cities } = loadGazetteer()
  const name = foldPlaceName(text)
  if (!name) return null
  const isShort = text.length <= 2 && !['UK', 'US'].includes(text.toUpperCase())
  if (isShort && text !== text.toUpperCase()) return null
  const country = findCountryCode(text)
  const part = {
    countries: country ? [country] : [],
    areas: [...(areas.get(name) ?? []), ...(text === text.toUpperCase() ? (abbreviations.get(text) ?? []) : [])],
    cities: cities.get(name) ?? [],
    isFirm: !isShort,
  }
  return part.countries.length + part.areas.length + part.cities.length > 0 ? part : null
}

/** Whether all of `spots` are inside one of `asked`; null when some may be. */
export function isLocatedIn(spots: readonly GeoPlace[], asked: readonly GeoPlace[]): boolean | null {
  const states = spots.map((spot) => {
    if (asked.some((place) => holds(place, spot))) return 'in'
    return asked.some((place) => holds(spot, place)) ? 'maybe' : 'out'
  })
  if (states.length === 0) return null
  if (states.every((state) => state === 'in')) return true
  return states.every((state) => state === 'out') ? false : null
}

function holds(place: GeoPlace, spot: GeoPlace): boolean {
  if (place.country !== spot.country) return false
  if (place.area !== null && place.area !== spot.area) return false
  return place.city === null || place.city === spot.city
}

/** The country of all places; null when they are in several or there are none. */
export function commonCountry(spots: readonly GeoPlace[]): string | null {
  const codes = new Set(spots.map(({ country }) => country))
  return codes.size === 1 ? ([...codes][0] ?? null) : null
}

/** Thousands of inhabitants of cities that are suggested for a misspelled name. */
const WELL_KNOWN = 200

/** Names of known places that are similar to a text which names none. */
export function suggestPlaces(text: string): string[] {
  const { areas, cities } = loadGazetteer()
  const shown = countryAndRegionNames()
  for (const [name, [area]] of areas) if (area && !shown.has(name)) shown.set(name, area.name)
  for (const [name, [city]] of cities)
    if (city && city.thousands >= WELL_KNOWN && !shown.has(name)) shown.set(name, city.name)
  return [
    ...new Set(
      findSimilarNames(foldPlaceName(text.slice(0, MAX_CHARS)), shown.keys()).map((name) => shown.get(name) as string),
    ),
  ]
}
