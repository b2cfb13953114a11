import { countryCodesOf, countryName } from '../countries.ts'
import { foldText } from '../titles/words.ts'
import { singular } from './fields.ts'
import { FILLERS } from './fillers.ts'
import { placeNamed } from './geographies.ts'
import type { Place } from './types.ts'
import { correct, isJobWord } from './typos.ts'

/** States, provinces and cities with the country they are in; spellings after the first are other names of the same. */
const BY_COUNTRY = `US alabama|alaska|arizona,az|arkansas|california,calif|colorado|connecticut,ct|delaware|florida,fl|georgia|hawaii|idaho|illinois,il|indiana|iowa|kansas|kentucky|louisiana|maine|maryland,md|massachusetts,ma|michigan,mi|minnesota,mn|mississippi|missouri|montana|nebraska|nevada,nv|new hampshire|new jersey,nj|new mexico|new york,nyc,ny,new york city,manhattan|north carolina,nc|north dakota|ohio,oh|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee,tn|texas,tx|utah|vermont|virginia|washington|west virginia|wisconsin,wi|wyoming|los angeles|san francisco|san diego|san jose|seattle|portland|denver|chicago|boston|austin|dallas|houston|atlanta|miami|philadelphia|phoenix|detroit|minneapolis|nashville|memphis|omaha|tulsa|hartford|ithaca|cleveland|pittsburgh|salt lake city|las vegas|charlotte|raleigh|tampa|orlando|baltimore|st louis|kansas city|edison
CA ontario|quebec|british columbia|alberta|manitoba|nova scotia|toronto|montreal|vancouver|calgary|ottawa
GB england|scotland|wales|northern ireland|london|manchester|birmingham|leeds|hull|bristol|edinburgh|glasgow|liverpool|cardiff|sheffield|cambridge|oxford|belfast|yorkshire
DE bavaria,bayern|baden wurttemberg,baden wuerttemberg|hesse,hessen|saxony,sachsen|north rhine westphalia,nordrhein westfalen,nrw|lower saxony,niedersachsen|berlin|munich,munchen|hamburg|frankfurt|cologne,koln|stuttgart|dusseldorf|leipzig|dresden|nuremberg,nurnberg|hanover,hannover|bremen|essen|dortmund
FR paris|lyon|marseille|toulouse|nice|nantes|bordeaux|lille|strasbourg
ES madrid|barcelona|valencia|seville,sevilla|zaragoza|bilbao|malaga|catalonia,cataluna|andalusia,andalucia
IT milan,milano|rome,roma|turin,torino|naples,napoli|bologna|florence,firenze|lombardy,lombardia
PT lisbon,lisboa|porto
NL amsterdam|rotterdam|the hague,den haag|utrecht|eindhoven
BE brussels,bruxelles,brussel|antwerp,antwerpen|ghent|flanders
CH zurich|geneva,geneve,genf|basel|bern|lausanne|zug
AT vienna,wien|salzburg|graz|linz
IE dublin|cork|galway
DK copenhagen,kobenhavn|aarhus|odense
SE stockholm|gothenburg,goteborg|malmo|uppsala
NO oslo|bergen|trondheim|stavanger
FI helsinki|tampere|espoo
PL warsaw,warszawa|krakow,cracow|wroclaw|gdansk|poznan
CZ prague,praha|brno
HU budapest
RO bucharest|cluj
GR athens
IN bangalore,bengaluru|mumbai,bombay|pune|hyderabad|chennai|delhi,new delhi|gurgaon,gurugram|noida|kolkata
JP tokyo|osaka
CN beijing|shanghai|shenzhen
AU sydney|melbourne|brisbane|perth|new south wales|queensland
NZ auckland|wellington
AE dubai|abu dhabi
IL tel aviv
TR istanbul
BR sao paulo|rio de janeiro
MX mexico city
AR buenos aires
ZA cape town|johannesburg
NG lagos
KE nairobi
EG cairo`
/** Parts of countries, as the states and cities people write. */
const AREAS: Record<string, [string, string[]]> = {
  'bay area': ['US', ['san francisco', 'oakland', 'san jose', 'palo alto', 'mountain view', 'sunnyvale', 'bay area']],
  'silicon valley': ['US', ['san francisco', 'san jose', 'palo alto', 'mountain view', 'sunnyvale', 'silicon valley']],
  'new england': ['US', ['maine', 'new hampshire', 'vermont', 'massachusetts', 'rhode island', 'connecticut']],
  midwest: [
    'US',
    'illinois indiana iowa kansas michigan minnesota missouri nebraska ohio wisconsin north-dakota south-dakota'.split(
      ' ',
    ),
  ],
  'west coast': ['US', ['california', 'oregon', 'washington']],
  'east coast': [
    'US',
    'maine new-hampshire massachusetts rhode-island connecticut new-york new-jersey delaware maryland virginia north-carolina south-carolina georgia florida pennsylvania'.split(
      ' ',
    ),
  ],
}
/** What people of a country are called: "our Norwegian CFO". */
const DEMONYMS =
  'US american|GB british,english,scottish,welsh|DE german|FR french|ES spanish|IT italian|PT portuguese|NL dutch|BE belgian|CH swiss|AT austrian|IE irish|DK danish|SE swedish|NO norwegian|FI finnish|PL polish|CZ czech|IN indian|JP japanese|CN chinese|CA canadian|AU australian|BR brazilian|MX mexican'
const SHORT: Record<string, string[]> = { uk: ['GB'], usa: ['US'], uae: ['AE'], eu: ['EU'] }
/** Two letters that are a state of the US only when written in capitals. */
const CAPITALS = /^(?:US|U\.S\.|UK|EU|LA|NY|NJ|CT|TX|FL|IL|MA|MD|NC|OH|TN|WI|MI|MN|AZ|NV|SF)$/
const CAPITAL_ALIASES: Record<string, string> = { LA: 'los angeles', SF: 'san francisco' }
const PREPOSITIONS = new Set('in from near around within across at outside'.split(' '))
/** Names of countries that are given names or words as well: they need a preposition. */
const SHY = new Set(
  'georgia jordan chad nice mobile reading cork bergen charlotte austin edison phoenix florence turkey essen hull'.split(
    ' ',
  ),
)
const MAX_WORDS = 3

const TOWNS = new Map<string, Place>()
for (const line of BY_COUNTRY.split('\n')) {
  const code = line.slice(0, 2)
  for (const entry of line.slice(3).split('|')) {
    const texts = entry.split(',')
    const place = { name: capitalised(texts[0] as string), codes: [code], texts }
    for (const text of texts) TOWNS.set(text, place)
  }
}
for (const [name, [code, texts]] of Object.entries(AREAS))
  TOWNS.set(name, { name: capitalised(name), codes: [code], texts: texts.map((text) => text.replaceAll('-', ' ')) })
for (const entry of DEMONYMS.split('|')) {
  const [code = '', words = ''] = entry.split(' ')
  for (const word of words.split(',')) TOWNS.set(word, { name: countryName(code) ?? code, codes: [code], texts: [] })
}

function capitalised(text: string): string {
  return text.replace(/(?:^| )\p{L}/gu, (start) => start.toUpperCase())
}

/** Places named in a request, and the request without them. */
export function takePlaces(text: string): { places: Place[]; rest: string } {
  const tokens = text
    .replace(/([,;?!()])/g, ' $1 ')
    .replace(/[-–](?:based|wide)\b/gi, ' ')
    .split(/\s+/)
    .filter(Boolean)
  const places: Place[] = []
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
    // what joined it to the rest goes with it: "based in", "in Spain and Portugal"
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
): { place: Place; length: number } | null {
  const isAfterPreposition = isAfter(before) || isListed
  const isLanguage =
    /^(?:speak|speaks|speaking|fluent|in)$/i.test(before.at(-1) ?? '') &&
    DEMONYMS.includes(tokens[start]?.toLowerCase() ?? '-')
  if (isLanguage || /^-?speak/i.test(tokens[start + 1] ?? '')) return null
  for (let length = Math.min(4, tokens.length - start); length > 0; length--) {
    const original = tokens.slice(start, start + length)
    const place = known(original, isAfterPreposition)
    if (place) return { place, length }
  }
  return isAfterPreposition && /^(?:in|from|near|around|within)$/i.test(lastWord(before))
    ? unknownTown(tokens, start)
    : null
}

const lastWord = (words: readonly string[]) => [...words].reverse().find((word) => !/^the$/i.test(word)) ?? ''
const isAfter = (words: readonly string[]) => PREPOSITIONS.has(lastWord(words).toLowerCase())

function known(original: readonly string[], isAfterPreposition: boolean): Place | null {
  const written = original.join(' ')
  const text = foldText(written)
    .replaceAll('.', '')
    .replaceAll('-', ' ')
    .replace(/['’]s$/, '')
  if (text.length <= 2 || CAPITALS.test(written)) {
    if (text === 'uk' || text === 'eu') return region(text)
    if (!CAPITALS.test(written)) return null
    if (text === 'us') return region('usa')
    return TOWNS.get(CAPITAL_ALIASES[written] ?? text) ?? null
  }
  if (SHY.has(text) && !isAfterPreposition) return null
  const town = TOWNS.get(text)
  if (town) return town
  if (SHORT[text]) return region(text)
  if (text.length < 4 && text !== 'anz') return null
  const listed = placeNamed(text)
  if (listed) return { ...listed, texts: [] }
  // names in other languages are words of English now and then: a capital or a preposition tells
  const isWritten = isAfterPreposition || /^\p{Lu}/u.test(written)
  if (!isWritten || FILLERS.has(text) || isJobWord(singular(text))) return null
  return region(text)
}

function region(text: string): Place | null {
  const codes = SHORT[text]?.[0] === 'EU' ? countryCodesOf('EU') : (SHORT[text] ?? countryCodesOf(text))
  if (codes.length === 0) return null
  return {
    name:
      codes.length === 1
        ? (countryName(codes[0] as string) ?? text)
        : text.length <= 5
          ? text.toUpperCase()
          : capitalised(text),
    codes: [...codes],
    texts: [],
  }
}

/** "in Basel": a word nobody knows after "in" is a place, by its name in people's locations. */
function unknownTown(tokens: readonly string[], start: number): { place: Place; length: number } | null {
  const isCapital = (word: string | undefined) => /^\p{Lu}\p{Ll}/u.test(word ?? '')
  let length = 0
  while (length < MAX_WORDS && isTown(tokens[start + length])) {
    if (length > 0 && isCapital(tokens[start]) !== isCapital(tokens[start + length])) break
    length++
  }
  if (length === 0) return null
  const text = foldText(tokens.slice(start, start + length).join(' ')).replace(/[.?!]+$/, '')
  return { place: { name: capitalised(text), codes: [], texts: [text] }, length }
}

function isTown(token: string | undefined): boolean {
  if (!token || !/^\p{L}[\p{L}.'’-]{2,}$/u.test(token)) return false
  const word = foldText(token).replace(/\.$/, '')
  if (FILLERS.has(word) || FILLERS.has(singular(word)) || isJobWord(word) || isJobWord(singular(word))) return false
  return /^\p{Lu}/u.test(token) || correct(singular(word)) === null
}

/** Whether somebody is at a place: null when what is known of them does not tell. */
export function isAt(
  place: Place,
  country: string | null | undefined,
  location: string | null | undefined,
): boolean | null {
  const text = location ? ` ${foldText(location).replace(/[^a-z0-9]+/g, ' ')} ` : ''
  const code = country?.toUpperCase() ?? countryOf(location)
  if (place.texts.some((name) => text.includes(` ${name} `))) return true
  if (code && place.codes.length > 0 && !place.codes.includes(code)) return false
  if (place.texts.length === 0) return code ? place.codes.includes(code) : null
  // "Germany" alone leaves open whether it is Berlin
  const names = (location ?? '').split(',').filter((part) => part.trim() !== '')
  return names.length > 1 || (names.length === 1 && countryOf(location) === null) ? false : null
}

function countryOf(location: string | null | undefined): string | null {
  const last = location?.split(',').at(-1)?.trim() ?? ''
  const [code, ...others] = last.length > 3 || /^(?:UK|USA|UAE)$/.test(last) ? countryCodesOf(last) : []
  return code && others.length === 0 ? code : null
}
