// Places that are known by name. Other names count as places only where the sentence indicates that a place follows.
import { type GeoPlace, lookupPlaces } from '../places/index.ts'

/** In thousands of inhabitants: the name of a smaller state or town is often a word or a person's name. */
const MIN_THOUSANDS = 250

const STATE_CODES = new Set(
  (
    'AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|' +
    'SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|D.C.|ON|BC|AB|QC|MB|SK|NS|NSW|Calif.|Fla.|Ariz.|Mass.|Tex.|Penn.|Ill.|Mich.'
  ).split('|'),
)
/** Abbreviations of countries and regions; other codes are often words: AI, IT, IN. */
const SHORT_NAMES = new Set(
  'US U.S. USA U.S.A. UK U.K. UAE U.A.E. EU EMEA APAC LATAM MENA DACH GCC ASEAN NYC'.split(' '),
)

const LONGEST_NAME = 60
/** A cache, because a sentence is matched from each of its words and repeats the same lookups. */
const spotCache = new Map<string, GeoPlace[]>()
const MOST_KNOWN = 2_000

/** The places that a name refers to with certainty: large ones, and US states of any size. */
function spotsOf(name: string): GeoPlace[] {
  if (name.length <= 3 || name.length > LONGEST_NAME) return []
  const before = spotCache.get(name)
  if (before) return before
  if (spotCache.size >= MOST_KNOWN) spotCache.clear()
  const spots = readSpots(name)
  spotCache.set(name, spots)
  return spots
}

function readSpots(name: string): GeoPlace[] {
  // "Sydney Metro" and "City of Lyon" are organisations.
  if (/,|\bmetro\b| of /i.test(name)) return []
  const large = lookupPlaces(name, MIN_THOUSANDS)
  return large.length > 0 ? large : lookupPlaces(name).filter(({ country, city }) => country === 'US' && city === null)
}

/** Whether a text is the name of a country, a region, a state or a large town. */
export const isKnownPlace = (name: string) => SHORT_NAMES.has(name) || spotsOf(name).length > 0

/** "TX", "Calif.": an abbreviated state, which only follows a town. */
export const isStateCode = (name: string) => STATE_CODES.has(name)

/** Whether a name and the region after it are one place: "Greece, NY" and "Lisbon, Portugal", not "Alabama, Alaska". */
export function isPlaceInRegion(name: string, region: string): boolean {
  if (isStateCode(region)) return true
  const wider = spotsOf(region).filter(({ city }) => city === null)
  if (wider.length === 0 && !SHORT_NAMES.has(region)) return false
  const isWithin = (spot: GeoPlace) => wider.some(({ country, area }) => area === null && country === spot.country)
  return (
    !isKnownPlace(name) || spotsOf(name).some((spot) => spot.city !== null || (spot.area !== null && isWithin(spot)))
  )
}
