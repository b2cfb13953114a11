// Places that are known by name. Any other is believed only where the sentence itself says that a place follows.
import { type GeoPlace, lookupPlaces } from '../places/index.ts'

/** Thousands of people: the name of a smaller state or town is a word or a person's name as often. */
const MIN_THOUSANDS = 250

const STATE_CODES = new Set(
  (
    'AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|' +
    'SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|D.C.|ON|BC|AB|QC|MB|SK|NS|NSW|Calif.|Fla.|Ariz.|Mass.|Tex.|Penn.|Ill.|Mich.'
  ).split('|'),
)
/** Countries and regions that are written in short; other codes are words as often: AI, IT, IN. */
const SHORT_NAMES = new Set(
  'US U.S. USA U.S.A. UK U.K. UAE U.A.E. EU EMEA APAC LATAM MENA DACH GCC ASEAN NYC'.split(' '),
)

const LONGEST_NAME = 60
/** The same names are asked about again and again while a sentence is read from each of its words. */
const spotCache = new Map<string, GeoPlace[]>()
const MOST_KNOWN = 2_000

/** The places that a name surely means: large ones, and the states of America whatever their size. */
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

/** "TX", "Calif.": a state in short, which stands only behind a town. */
export const isStateCode = (name: string) => STATE_CODES.has(name)

/** Whether a name and the region behind it are one place: "Greece, NY" and "Lisbon, Portugal", not "Alabama, Alaska". */
export function isPlaceInRegion(name: string, region: string): boolean {
  if (isStateCode(region)) return true
  const wider = spotsOf(region).filter(({ city }) => city === null)
  if (wider.length === 0 && !SHORT_NAMES.has(region)) return false
  const isWithin = (spot: GeoPlace) => wider.some(({ country, area }) => area === null && country === spot.country)
  return (
    !isKnownPlace(name) || spotsOf(name).some((spot) => spot.city !== null || (spot.area !== null && isWithin(spot)))
  )
}
