import { REGIONS } from '../countries.ts'

/** Regions and countries a request may name: `codes` are ISO 3166 two-letter codes. */
export type Geography = { name: string; codes: string[] }

const COUNTRIES =
  'US:united states,usa,u.s.,us,america,the states|GB:united kingdom,uk,u.k.,britain,great ' +
  'britain,england,scotland,wales|CA:canada|DE:germany|FR:france|' +
  'ES:spain|IT:italy|PT:portugal|NL:netherlands,holland|BE:belgium|LU:luxembourg|CH:switzerland|AT:austria|' +
  'IE:ireland|DK:denmark|SE:sweden|NO:norway|FI:finland|' +
  'PL:poland|CZ:czech republic,czechia|HU:hungary|RO:romania|GR:greece|TR:turkey|UA:ukraine|IL:israel|' +
  'AE:united arab emirates,uae,dubai|SA:saudi arabia|' +
  'ZA:south africa|NG:nigeria|KE:kenya|EG:egypt|IN:india|CN:china|JP:japan|KR:south korea,korea|SG:singapore|' +
  'HK:hong kong|TW:taiwan|ID:indonesia|MY:malaysia|' +
  'TH:thailand|VN:vietnam|PH:philippines|AU:australia|NZ:new zealand|BR:brazil|MX:mexico|AR:argentina|' +
  'CL:chile|CO:colombia|PE:peru|EE:estonia|LV:latvia|LT:lithuania'
/** Cities are read as their country: people records carry a country code, seldom a city. */
const CITIES =
  'GB:london,manchester,edinburgh,leeds,bristol|US:new york,san francisco,bay ' +
  'area,boston,chicago,austin,seattle,los angeles,denver,atlanta,miami,texas,california,florida|' +
  'DE:berlin,munich,hamburg,frankfurt|FR:paris,lyon|NL:amsterdam|ES:madrid,barcelona|IE:dublin|SE:stockholm|' +
  'CH:zurich,geneva|CA:toronto,vancouver,montreal|AU:sydney,melbourne|' +
  'IN:bangalore,bengaluru,mumbai|JP:tokyo|IL:tel aviv|AT:vienna|DK:copenhagen|PL:warsaw|BR:sao paulo|AE:abu dhabi'
const REGION_NAMES: Record<string, string> = {
  emea: 'EMEA',
  europe: 'Europe',
  european: 'Europe',
  'the eu': 'EU',
  dach: 'DACH',
  nordics: 'Nordics',
  'the nordics': 'Nordics',
  nordic: 'Nordics',
  scandinavia: 'Nordics',
  benelux: 'Benelux',
  baltics: 'Baltics',
  iberia: 'Iberia',
  apac: 'APAC',
  'asia pacific': 'APAC',
  anz: 'ANZ',
  asia: 'Asia',
  'southeast asia': 'Southeast Asia',
  'north america': 'North America',
  'latin america': 'Latin America',
  latam: 'Latin America',
  'middle east': 'Middle East',
  africa: 'Africa',
}

const PLACES = new Map<string, Geography>()
for (const [spelling, name] of Object.entries(REGION_NAMES)) {
  PLACES.set(spelling, { name, codes: [...(REGIONS[name] ?? [])] })
}
const title = (text: string) => text.replace(/(?:^| )\p{L}/gu, (start) => start.toUpperCase())
for (const entry of COUNTRIES.split('|')) {
  const [code = '', spellings = ''] = entry.split(':')
  const names = spellings.split(',')
  for (const name of names) PLACES.set(name.replaceAll('.', ''), { name: title(names[0] as string), codes: [code] })
}
for (const entry of CITIES.split('|')) {
  const [code = '', cities = ''] = entry.split(':')
  for (const city of cities.split(',')) PLACES.set(city, { name: title(city), codes: [code] })
}

/** The place that a spelling in small letters names. */
export function placeNamed(spelling: string): Geography | null {
  return PLACES.get(spelling) ?? null
}

/** Places named in the words of a request, and the request without them. "us" needs to be written as a place: "US" or after "in". */
export function takeGeographies(words: readonly string[], original: string): { found: Geography[]; rest: string[] } {
  const found: Geography[] = []
  const rest: string[] = []
  for (let i = 0; i < words.length; ) {
    let taken = 0
    for (let length = 3; length > 0 && taken === 0; length--) {
      const phrase = words.slice(i, i + length).join(' ')
      const place = PLACES.get(phrase)
      if (!place || (phrase === 'us' && !/\bU\.?S\.?\b/.test(original))) continue
      if (!found.some(({ name }) => name === place.name)) found.push(place)
      taken = Math.min(length, words.length - i)
    }
    if (taken > 0) {
      while (
        rest.length > 0 &&
        /^(?:in|across|based|from|within|the|and|or|located|around|,)$/.test(rest[rest.length - 1] as string)
      )
        rest.pop()
      i += taken
    } else {
      rest.push(words[i] as string)
      i++
    }
  }
  return { found, rest }
}
