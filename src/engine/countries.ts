// The countries of ISO 3166 with their codes, the names people write, and the regions they belong to. Codes and names
// come from i18n-iso-countries; short names, aliases and regions are defined here.
// The file stays in this folder under this name because a sealed migration imports it (0049-account-facts).
import iso from 'i18n-iso-countries/codes.json' with { type: 'json' }
import danish from 'i18n-iso-countries/langs/da.json' with { type: 'json' }
import german from 'i18n-iso-countries/langs/de.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import spanish from 'i18n-iso-countries/langs/es.json' with { type: 'json' }
import finnish from 'i18n-iso-countries/langs/fi.json' with { type: 'json' }
import french from 'i18n-iso-countries/langs/fr.json' with { type: 'json' }
import italian from 'i18n-iso-countries/langs/it.json' with { type: 'json' }
import norwegian from 'i18n-iso-countries/langs/nb.json' with { type: 'json' }
import dutch from 'i18n-iso-countries/langs/nl.json' with { type: 'json' }
import polish from 'i18n-iso-countries/langs/pl.json' with { type: 'json' }
import portuguese from 'i18n-iso-countries/langs/pt.json' with { type: 'json' }
import swedish from 'i18n-iso-countries/langs/sv.json' with { type: 'json' }
import { foldText } from './text/fold.ts'

/** By country code: one name, or the official name and others. */
type Names = Readonly<Record<string, string | readonly string[]>>

const ENGLISH: Names = english.countries
/** The languages in which job titles and pages are read (see `titles` and `page`). */
const OTHER_LANGUAGES: readonly Names[] = [
  danish,
  german,
  spanish,
  finnish,
  french,
  italian,
  norwegian,
  dutch,
  polish,
  portuguese,
  swedish,
].map(({ countries }) => countries)

/** The common name, where the official one is longer, inverted or without accents. */
const SHORT_NAMES = byCode(`BN Brunei; BQ Caribbean Netherlands; CC Cocos Islands; CG Congo; CI Ivory Coast; CN China;
  CZ Czechia; FK Falkland Islands; FM Micronesia; GM Gambia; IR Iran; LA Laos; MD Moldova; MF Saint Martin;
  MK North Macedonia; PS Palestine; RE Réunion; RU Russia; ST São Tomé and Príncipe; SX Sint Maarten; SY Syria; TW Taiwan;
  TZ Tanzania; US United States; VA Vatican City; VG British Virgin Islands; VI U.S. Virgin Islands`)

const ALIASES = byCode(`BA bosnia; BO plurinational state of bolivia; CD dr congo|drc|república democrática do congo;
  CG república popular do congo; CN prc|mainland china; FM federated states of micronesia;
  GB britain|england|scotland|wales|northern ireland|united kingdom of great britain and northern ireland;
  HK hong kong sar|hong kong sar china; IE republic of ireland; KP democratic people's republic of korea; KR korea;
  MD republic of moldova; MK macedonia; MO macao sar china; PS palestinian territories; SA ksa;
  SH saint helena, ascension and tristan da cunha; SK slovak republic; TL east timor; US america|the states; VA holy see;
  VE bolivarian republic of venezuela; VN viet nam; XK xkx`)

/** Names in other languages that are also towns, counties, given names or English words. */
const AMBIGUOUS = new Set(
  (
    'chili|dominique|franca|gana|georgie|granada|grenade|guadalupe|indie|island|malte|man|maurice|mauricio|norfolk|' +
    'oma|santa helena|santa lucia|servia|viro'
  ).split('|'),
)

/** Parses "CG Congo; CN prc|mainland china". */
function byCode(list: string): ReadonlyMap<string, string[]> {
  return new Map(
    list.split(';').map((entry) => {
      const [code = '', names = ''] = entry.trim().split(/ (.*)/s)
      return [code, names.split('|')]
    }),
  )
}

const NAMES = new Map(iso.map(([code = '']) => [code, SHORT_NAMES.get(code)?.[0] ?? namesIn(ENGLISH, code)[0] ?? code]))

function namesIn(names: Names, code: string): readonly string[] {
  return [names[code] ?? []].flat()
}

/** The words of a place's name, without case, accents and punctuation. */
export const foldPlaceName = (text: string) =>
  foldText(text)
    .replaceAll(/[.'’]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\bst\b/g, 'saint')
    .trim()
    .replace(/^the /, '')

let spellings: ReadonlyMap<string, string> | null = null

/** Codes by folded spelling; built at the first lookup, because folding some 3,000 names takes about 20 ms. */
function codesBySpelling(): ReadonlyMap<string, string> {
  spellings ??= readSpellings()
  return spellings
}

/** Short names and aliases take precedence over English names, and these over names in other languages. */
function readSpellings(): Map<string, string> {
  const found = new Map<string, string>()
  const add = (code: string, names: readonly string[]) => {
    for (const spelling of names.map(foldPlaceName)) if (!found.has(spelling)) found.set(spelling, code)
  }
  for (const names of [SHORT_NAMES, ALIASES]) for (const [code, own] of names) add(code, own)
  for (const [code = '', long = ''] of iso) add(code, [code, long, ...namesIn(ENGLISH, code)])
  for (const [spelling, code] of spellingsInOtherLanguages()) if (!found.has(spelling)) found.set(spelling, code)
  return found
}

/** Names that mean the same country in all languages that have them. */
function spellingsInOtherLanguages(): [string, string][] {
  const codes = new Map<string, Set<string>>()
  for (const names of OTHER_LANGUAGES) {
    for (const code of Object.keys(names)) {
      for (const spelling of namesIn(names, code).map(foldPlaceName))
        codes.set(spelling, (codes.get(spelling) ?? new Set()).add(code))
    }
  }
  return [...codes].flatMap(([spelling, [code = '', ...others]]) =>
    others.length > 0 || AMBIGUOUS.has(spelling) ? [] : [[spelling, code]],
  )
}

type Region = 'europe' | 'middle east' | 'africa' | 'asia' | 'oceania' | 'north america' | 'latin america' | 'none'

const codes = (text: string) => text.split(' ')

const BY_REGION: Record<Region, readonly string[]> = {
  europe: codes(
    'AX AL AD AT BY BE BA BG HR CY CZ DK EE FO FI FR DE GI GR GG HU IS IE IM IT JE XK LV LI LT LU MT MD MC ME NL MK ' +
      'NO PL PT RO RU SM RS SK SI ES SJ SE CH UA VA GB',
  ),
  'middle east': codes('BH IR IQ IL JO KW LB OM PS QA SA SY TR AE YE'),
  africa: codes(
    'DZ AO BJ BW BF BI CV CM CF TD KM CG CD CI DJ EG GQ ER SZ ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU YT MA MZ ' +
      'NA NE NG RE RW SH ST SN SC SL SO ZA SS SD TZ TG TN UG EH ZM ZW',
  ),
  asia: codes(
    'AF AM AZ BD BT BN KH CN GE HK IN ID IO JP KZ KG LA MO MY MV MN MM NP KP PK PH SG KR LK TW TJ TH TL TM UZ VN',
  ),
  oceania: codes('AS AU CK FJ PF GU CX CC KI MH FM NR NC NZ NU NF MP PW PG PN WS SB TK TO TV VU WF UM'),
  'north america': codes('CA GL PM BM US'),
  'latin america': codes(
    'AI AG AR AW BS BB BZ BO BQ BR VG KY CL CO CR CU CW DM DO EC SV FK GF GD GP GT GY HT HN JM MQ MX MS NI PA PY PE PR ' +
      'BL KN LC MF VC SX SR TT TC UY VE VI',
  ),
  none: codes('AQ BV TF HM GS'),
}

const of = (...regions: Region[]) => regions.flatMap((region) => BY_REGION[region])
const EU = codes('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE')

/** Country codes by display name of the region. */
export const REGIONS: Readonly<Record<string, readonly string[]>> = {
  EMEA: of('europe', 'middle east', 'africa'),
  Europe: of('europe'),
  EU,
  EEA: [...EU, 'IS', 'LI', 'NO'],
  DACH: codes('DE AT CH'),
  Nordics: codes('DK SE NO FI IS'),
  Benelux: codes('NL BE LU'),
  Baltics: codes('EE LV LT'),
  Iberia: codes('ES PT'),
  UKI: codes('GB IE'),
  'Western Europe': codes('GB IE FR DE AT CH NL BE LU ES PT IT'),
  'Southern Europe': codes('ES PT IT GR MT CY'),
  CEE: codes('PL CZ SK HU RO BG HR SI RS BA ME MK AL EE LV LT UA MD'),
  APAC: of('asia', 'oceania'),
  ANZ: codes('AU NZ'),
  Asia: of('asia'),
  'Southeast Asia': codes('SG ID MY TH VN PH BN KH LA MM TL'),
  'East Asia': codes('CN HK MO TW JP KR KP MN'),
  'South Asia': codes('IN PK BD LK NP BT MV AF'),
  Oceania: of('oceania'),
  'North America': [...of('north america'), 'MX'],
  'Latin America': of('latin america'),
  'South America': codes('AR BO BR CL CO EC FK GF GY PE PY SR UY VE'),
  'Central America': codes('BZ CR GT HN NI PA SV'),
  Americas: of('north america', 'latin america'),
  'Middle East': [...of('middle east'), 'EG'],
  MENA: [...of('middle east'), ...codes('EG LY TN DZ MA')],
  GCC: codes('AE SA QA KW BH OM'),
  Africa: of('africa'),
}

const OTHER_REGION_NAMES: Record<string, string> = {
  Europe: 'european',
  EU: 'european union',
  EEA: 'european economic area',
  Nordics: 'nordic|nordic countries|scandinavia',
  Baltics: 'baltic|baltic states',
  UKI: 'uk and ireland|uk and i|united kingdom and ireland',
  CEE: 'central and eastern europe|eastern europe',
  APAC: 'asia pacific|asia and pacific',
  ANZ: 'australia and new zealand',
  'Southeast Asia': 'south east asia|asean',
  'North America': 'noram|namer',
  'Latin America': 'latam|latin america and caribbean|latin america and the caribbean',
  Americas: 'amer',
  MENA: 'middle east and north africa',
  GCC: 'gulf states',
}

const REGION_OF = new Map(
  Object.keys(REGIONS).flatMap((name) =>
    [name, ...(OTHER_REGION_NAMES[name]?.split('|') ?? [])].map((spelling) => [foldPlaceName(spelling), name] as const),
  ),
)

/** Codes of the countries that a text names as a country or a region; empty when it names neither. */
export function findCountryCodes(text: string): string[] {
  const spelling = foldPlaceName(text)
  const region = REGION_OF.get(spelling)
  if (region) return [...(REGIONS[region] ?? [])]
  const country = codesBySpelling().get(spelling)
  return country ? [country] : []
}

/** The code of the country that a text names by name or code; null when it names none. */
export function findCountryCode(text: string): string | null {
  return codesBySpelling().get(foldPlaceName(text)) ?? null
}

/** The English name of a country. */
export function countryName(code: string): string | null {
  return NAMES.get(code) ?? null
}

/** Folded spellings of regions and countries, each with its display name. */
export function countryAndRegionNames(): Map<string, string> {
  return new Map([...REGION_OF, ...[...NAMES.values()].map((name) => [foldPlaceName(name), name] as const)])
}

/** Postal codes of the states of the US. */
export const US_STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
    'PA RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)

/** Adjectives of nationality ("our Norwegian CFO"), with the country's code. */
export const DEMONYMS: ReadonlyMap<string, string> = new Map(
  (
    'american US|british GB|english GB|scottish GB|welsh GB|german DE|austrian AT|swiss CH|french FR|italian IT|spanish ES|' +
    'portuguese PT|dutch NL|belgian BE|irish IE|danish DK|swedish SE|norwegian NO|finnish FI|icelandic IS|polish PL|' +
    'czech CZ|hungarian HU|romanian RO|bulgarian BG|greek GR|turkish TR|israeli IL|canadian CA|mexican MX|brazilian BR|' +
    'indian IN|chinese CN|japanese JP|korean KR|australian AU|russian RU|ukrainian UA|estonian EE|latvian LV|lithuanian LT'
  )
    .split('|')
    .map((entry) => entry.split(' ') as [string, string]),
)
