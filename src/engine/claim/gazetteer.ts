// Places that are known by name. Any other is believed only where the sentence itself says that a place follows.
import { countryCodesOf } from '../countries.ts'

const list = (names: string): ReadonlySet<string> => new Set(names.split('|'))

/** States and provinces. */
const STATES = list(
  'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|' +
    'iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|' +
    'nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|' +
    'rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|' +
    'wyoming|ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|queensland|new south wales|victoria|' +
    'bavaria|catalonia|puerto rico|gujarat|karnataka|maharashtra|tamil nadu',
)
const STATE_CODES = list(
  'AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|' +
    'SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|D.C.|ON|BC|AB|QC|MB|SK|NS|NSW|Calif.|Fla.|Ariz.|Mass.|Tex.|Penn.|Ill.|Mich.',
)
const CITIES = list(
  'london|paris|berlin|munich|hamburg|frankfurt|cologne|vienna|zurich|geneva|amsterdam|rotterdam|brussels|madrid|barcelona|' +
    'lisbon|porto|milan|rome|dublin|edinburgh|glasgow|manchester|birmingham|copenhagen|stockholm|oslo|helsinki|warsaw|' +
    'kraków|krakow|prague|budapest|bucharest|athens|istanbul|kyiv|tallinn|riga|vilnius|new york city|los angeles|chicago|' +
    'houston|dallas|austin|san francisco|san diego|san jose|seattle|boston|miami|atlanta|denver|phoenix|philadelphia|' +
    'nashville|las vegas|toronto|vancouver|montreal|calgary|mexico city|são paulo|sao paulo|rio de janeiro|buenos aires|' +
    'bogotá|santiago|lima|dubai|abu dhabi|riyadh|doha|tel aviv|cairo|lagos|nairobi|johannesburg|cape town|mumbai|delhi|' +
    'new delhi|bangalore|bengaluru|hyderabad|chennai|pune|tokyo|osaka|seoul|beijing|shanghai|shenzhen|hong kong|taipei|' +
    'bangkok|hanoi|ho chi minh city|jakarta|kuala lumpur|manila|sydney|melbourne|brisbane|perth|auckland|silicon valley',
)
/** Countries and regions that are written in short. */
const SHORT_NAMES = list('US|U.S.|USA|U.S.A.|UK|U.K.|UAE|U.A.E.|EU|EMEA|APAC|LATAM|MENA|DACH|GCC|ASEAN|NYC')

/** Whether a text is the name of a country, a region, a state or a large town. */
export function isKnownPlace(name: string): boolean {
  const lower = name.toLowerCase()
  if (SHORT_NAMES.has(name) || STATES.has(lower) || CITIES.has(lower)) return true
  // Codes of two letters are words as often: AI, IT, IN.
  return name.length > 3 && countryCodesOf(name).length > 0
}

/** "TX", "Calif.": a state in short, which stands only behind a town. */
export function isStateCode(name: string): boolean {
  return STATE_CODES.has(name)
}

/** Whether a large town is known by the name; its state or country may follow. */
export function isTown(name: string): boolean {
  return CITIES.has(name.toLowerCase())
}
