import { HONORIFICS, NAME_PARTICLES, wordSet as words } from '../english/words.ts'
import { foldText, searchFold } from '../text/fold.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { isForeignJobNoun } from '../titles/languages.ts'
import { hasGivenName } from './given-names.ts'
import { profileUrlKey } from './profile-url.ts'

/** Credentials after a name. "Jr", "Sr" and numerals belong to the name. */
const CREDENTIALS = words(
  'phd md mba cpa cfa esq jd rn facp dds dmd do np pa ms msc ma ba bs bsc med edd llm llb mph pe pmp shrm cissp cisa ' +
    'cfp ccim cpcu faia aia frcs mrcp obe mbe cbe kc qc fca aca acca ches lcsw lpc lmft dvm pharmd od psyd dba mpa ' +
    'mfa mdiv cae cfre asa fsa fcas chfc clu cima fcma leed ap rd rph bcps msw faan dnp aprn crna fnp pmhnp facs ' +
    'faap facc eit pls cih csp arm crc sphr phr scp cp fcipd mcipd cphr cipp cism ccrp hon he him she her they them ' +
    'his hers ze',
)
const SUFFIXES = words('jr sr ii iii iv v')
/** Particles that are accepted in a text that is nothing but a name; in prose most of them are other words. */
const LONE_PARTICLES: ReadonlySet<string> = new Set([
  ...NAME_PARTICLES,
  ...words("bint d' st saint san santa mac mc abu ap ferch ' o 't ’t op i"),
])

/** Words that pages capitalise and that are never part of a person's name next to a job title. */
const NOT_NAMES = words(
  'about our us the we you your my their its contact contacts get in touch learn more view see all meet team teams ' +
    'staff leadership management board members member directors advisors advisory committee committees department ' +
    'departments office offices headquarters hq support service services customer customers client clients sales ' +
    'marketing finance operations human resources engineering product products technology information security legal ' +
    'people culture careers career jobs job open position positions news press media blog events home menu search ' +
    'login sign up subscribe follow share privacy policy terms cookie cookies copyright rights reserved inc llc ltd ' +
    'gmbh corp corporation company companies group holdings holding capital partners partner ventures fund funds ' +
    'foundation association university college institute hospital clinic center centre city county state road avenue ' +
    'suite box york united kingdom states south northern southern eastern western central global international ' +
    'national regional local emergency general main technical scientific medical patient clinical executive senior ' +
    'junior officer president vice manager director engineer founder founders investors investor study studies ' +
    'testimonials how why what when where who which with from and or for of to at by on is are was has have be this ' +
    'that these those here there monday tuesday wednesday thursday friday saturday sunday february march july ' +
    'september october november december today values value mission vision history story purpose solutions solution ' +
    'platform software systems system network digital data cloud business industries industry enterprise limited ' +
    'studio studios labs lab agency consulting hours hour opening delivery returns shipping billing account accounts ' +
    'help desk faq faqs quick links useful resources download downloads whitepaper webinar report reports annual ' +
    'quarterly results quarter year years since founded award awards top great life available now join apply request ' +
    'demo free trial pricing plans plan features feature overview details detail back next previous site map website ' +
    'email phone fax tel mobile address location locations directions community communities programs program ' +
    'projects project research development quality assurance safety production manufacturing supply chain logistics ' +
    'warehouse facilities administration administrative admissions enrollment registrar athletics library campus ' +
    'ministry lead sponsor sponsors republic islands harbor harbour port airport station square plaza tower building ' +
    'room unsere unser ihr ihre kontakt ansprechpartner impressum datenschutz notre nos equipe nous nuestro nuestra ' +
    'equipo contacto sobre quienes somos chi siamo contatti over ons coffee kitchen restaurant hotel insurance ' +
    'health care healthcare energy gas oil food media entertainment games sports league open source additional other ' +
    'others various future former current interim acting vacant tba tbd tbc coming soon hiring photo image portrait ' +
    'picture video watch play listen podcast episode account strategic commercial corporate retail public private ' +
    'government federal municipal society council commission authority agency bureau ministry trust estate smart ' +
    'deal engine hub pro plus insights insight builder tracker pipeline workflow automation integration integrations ' +
    'dashboard engagement intelligence inbox robotics technologies dynamics pharma biotech therapeutics analytics ' +
    'networks brothers sons associates aerospace motors airlines semiconductor materials innovations innovation ' +
    'enterprises worldwide electronics instruments biosciences ai hr it germany france spain italy japan china india ' +
    'canada australia brazil mexico england scotland netherlands poland sweden switzerland singapore texas ' +
    'california florida colorado illinois massachusetts ohio oregon europe america asia africa pacific emea apac ' +
    'latam nordics full part time remote hybrid onsite contract temporary permanent friday practices learning ' +
    'machine growing together every each emeritus honorary fellows alumni volunteer volunteers intern interns ' +
    'student students faculty lecturer professors deans chair chairs chairman treasurer secretary',
)

/** Words that are also names (Soo-Jin Park, April Baker): a name can contain one of them, but not two. */
const AMBIGUOUS = words(
  'april art august baker bank banks bay beach best brewer bush butler case chase chief church ' +
    'club coach cook cup day dean east faith fellow field fields floor foods forest frank hall head heights ' +
    'hill hills hope host house island january june key lake lane love mark marsh master may miller ' +
    'minister north page parish park pastor pilot place power price priest ranger read rich ' +
    'river school springs steel steward stone street summer valley water west will woods work young',
)
/** Ambiguous words that are given names: as the first word they count as a name. */
const GIVEN = words('april art august chase dean faith frank hope june mark may rich summer will young')
/** Towns and countries whose names are built like a person's. */
const PLACE_OPENERS = words('san santa los las el saint st sao new fort port puerto')
const PLACES = new Set(
  (
    'hong kong|buenos aires|kuala lumpur|tel aviv|abu dhabi|cape town|rio de janeiro|palo alto|mountain view|' +
    'ann arbor|baton rouge|sri lanka|saudi arabia|mexico city|little rock|salt lake city|kansas city|ho chi minh|' +
    'ras al khaimah|addis ababa|la paz|la jolla|des moines|grand rapids|long beach|silicon valley|den haag|the hague|' +
    'latin america|middle east|asia pacific|sierra leone|burkina faso'
  ).split('|'),
)

/** "Ms", "CFO": after such a word a surname alone refers to a person. */
export const isHonorificOrJobNoun = (folded: string) => HONORIFICS.has(folded) || JOB_NOUNS.has(folded)

/** "Sales", "Energy": rare surnames, and common words in any text about a company. */
export const isBusinessWord = (folded: string) => NOT_NAMES.has(folded)

const MAX_NAME_CHARS = 60

/**
 * The name in a text that is nothing but a person's name, without honorifics and credentials ("Dr. Ada Pike, MBA" gives
 * "Ada Pike"), or null. A name has at least two words: a single word is more often a product or a place.
 */
export function readPersonName(source: string): string | null {
  if (source.length > MAX_NAME_CHARS + 40 || source.length < 4) return null
  let text = source
    .replace(/\([^()]{0,40}\)/g, ' ')
    .replace(/["“”«»][^"“”«»]{0,20}["“”«»]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  text = text.replace(/[,:;|–—-]+$/, '').trim()
  if (!text || /[\d@/\\<>{}[\]_=+*?!:;|"“”&%$#©®™…]/.test(text)) return null
  const parts = text.split(',')
  const suffix: string[] = []
  for (const part of parts.slice(1)) {
    // After a comma only credentials and suffixes may follow, or the text is more than a name.
    for (const token of part.trim().split(' ')) {
      const plain = foldText(token).replaceAll('.', '').replaceAll('-', '')
      if (SUFFIXES.has(plain)) suffix.push(token)
      else if (plain && !CREDENTIALS.has(plain)) return null
    }
  }
  const tokens = (parts[0] ?? '').trim().split(' ')
  while (tokens.length > 0 && isHonorific(tokens[0] as string)) tokens.shift()
  // Pages show initials where the picture is missing: "AP Ada Pike".
  if (tokens.length > 2 && tokens[0] === initialsOf(tokens.slice(1))) tokens.shift()
  while (tokens.length > 2 && isCredential(tokens[tokens.length - 1] as string)) tokens.pop()
  if (tokens.length < 2 || tokens.length > 6) return null
  if (!tokens.every(isNameToken)) return null
  const full = tokens.filter((token) => token.replaceAll('.', '').length > 1 && !LONE_PARTICLES.has(token))
  if (
    full.length < 2 &&
    !(full.length === 1 && tokens.length >= 2 && (full[0] as string).length > 2 && isInitials(tokens[0] as string))
  )
    return null
  if (!isPlausibleName(tokens.map((token) => foldText(token).replaceAll('.', '')))) return null
  const isAllCaps = tokens.every((token) => token === token.toUpperCase()) && tokens.join('').length > 5
  const name = (isAllCaps ? tokens.map(toNameCase) : tokens).join(' ')
  return suffix.length > 0 ? `${name}, ${suffix.join(' ')}` : name
}

/**
 * The key by which people are grouped by name: without accents, case and initials, unless too little would be left
 * ("J. Smith"). All code groups by this one key, because each caller limits how many people per key it compares.
 */
export function nameKey(name: string): string {
  const words = searchFold(name).split(/[\s.,]+/)
  const whole = words.filter((word) => word.length > 1)
  return (whole.length > 1 ? whole : words.filter((word) => word !== '')).join(' ')
}

/** At most this many people with one name key are compared with each other. */
export const MAX_NAMESAKES = 20

/**
 * The identity of a person within an account: their profile page, or name and title where there is none. The page's URL
 * is compared without scheme, case, trailing slash and the host's country.
 */
export function personIdentity({
  network_url,
  full_name,
  title,
}: {
  network_url: string | null
  full_name: string
  title: string | null
}): string {
  const page = network_url && profileUrlKey(network_url)
  return page ? `page:${page}` : `name:${searchFold(full_name)}|${searchFold(title ?? '')}`
}

/** False for capitalised words that are headings, jobs, companies or places. */
function isPlausibleName(tokens: readonly string[]): boolean {
  if (PLACE_OPENERS.has(tokens[0] as string) || PLACES.has(tokens.join(' '))) return false
  // Eric Schlosser, Léo Apotheker: jobs in other languages are surnames.
  const isGiven = hasGivenName(tokens.slice(0, 1))
  let ambiguous = 0
  for (const [i, token] of tokens.entries()) {
    if (i === 0 && GIVEN.has(token)) continue
    if (AMBIGUOUS.has(token)) ambiguous++
    else if (NOT_NAMES.has(token) || JOB_NOUNS.has(token) || (!isGiven && isForeignJobNoun(token))) return false
  }
  return ambiguous < 2
}

/** Credentials that are surnames too (Yo-Yo MA, Minh DO), unless a comma or a full stop marks them as credentials. */
const SURNAMES_TOO = words('do ma ba he pa pe ap np od rd ms med asa arm her him his they ze hon')
/** Particles that are given names or surnames when capitalised: Kim Do Young. */
const LOWER_CASE_ONLY = words('do e y o te av af ap ferch san santa mc')
/** Words between two surnames: Ortega y Gasset. */
const JOINS = words('y e i')

/**
 * Splits a full name into the two fields of a CRM. Suffixes, credentials and honorifics are dropped; a particle starts the
 * last name; a single word is the last name, which is never empty.
 */
export function splitFullName(fullName: string): { first_name: string | null; last_name: string } {
  const text = fullName
    .replace(/\([^()]*\)/g, ' ')
    .replace(/["“”«»][^"“”«»]*["“”«»]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [head, ...parts] = text.split(/ ?, ?/).filter(Boolean)
  if (head === undefined) return { first_name: null, last_name: fullName.trim() }
  const tokens = withoutTitles(head.split(' '))
  const rest = parts.find((part) => !part.split(' ').every(isSuffixOrCredential))
  if (rest !== undefined && isGivenName(rest))
    return { first_name: withoutTitles(rest.split(' ')).join(' '), last_name: tokens.join(' ') }
  const start = startOfLastName(tokens)
  return { first_name: tokens.slice(0, start).join(' ') || null, last_name: tokens.slice(start).join(' ') }
}

/** "Pike, Ada": whether the part after the comma is a given name and not a job or a place. */
function isGivenName(part: string): boolean {
  const tokens = part.split(' ')
  return tokens.length <= 3 && isPlausibleName(tokens.map((token) => foldText(token).replaceAll('.', '')))
}

/** Removes honorifics before and suffixes and credentials after the name; at least one word is left. */
function withoutTitles(tokens: readonly string[]): string[] {
  let first = 0
  while (first < tokens.length - 1 && isHonorific(tokens[first] as string)) first++
  const left = tokens.slice(first)
  // In a name all in capitals, credentials and surnames look the same.
  const isAllCaps = left.every((token) => token === token.toUpperCase())
  while (left.length > 1) {
    const last = left.at(-1) as string
    const plain = foldText(last).replaceAll('.', '')
    // "Anand V" is an initial: a numeral needs a first and a last name before it.
    const isSuffix = SUFFIXES.has(plain) && (plain.length > 1 || left.length > 2)
    const isOther =
      left.length > 2 && isCredential(last) && (last.includes('.') || (!isAllCaps && !SURNAMES_TOO.has(plain)))
    if (!isSuffix && !isOther) break
    left.pop()
  }
  return left
}

function startOfLastName(tokens: readonly string[]): number {
  for (const [i, token] of tokens.entries()) {
    if (i === 0 || i === tokens.length - 1) continue
    const plain = foldText(token).replaceAll('.', '')
    if (token === token.toLowerCase() && JOINS.has(plain)) return Math.max(1, i - 1)
    if (LONE_PARTICLES.has(plain) && (token === token.toLowerCase() || !LOWER_CASE_ONLY.has(plain))) return i
  }
  return tokens.length - 1
}

/** "Jr.", "III" and the like. */
export const isNameSuffix = (token: string) => SUFFIXES.has(foldText(token).replaceAll('.', ''))

function isSuffixOrCredential(token: string): boolean {
  return isNameSuffix(token) || CREDENTIALS.has(foldText(token).replaceAll('.', ''))
}

export function isHonorific(token: string): boolean {
  const plain = foldText(token).replaceAll('.', '')
  if (plain.includes('-')) return plain.split('-').every((part) => HONORIFICS.has(part))
  // "Sr." before a name is Señor or Sister; "Don" and "Gen" without a full stop may be given names.
  return (
    HONORIFICS.has(plain) &&
    (token.endsWith('.') ||
      !['don', 'gen', 'm', 'fr', 'eng', 'ing', 'mag', 'hon', 'med', 'nat', 'pol', 'phil', 'jur', 'rer'].includes(plain))
  )
}

export function isCredential(token: string): boolean {
  const plain = token.replaceAll('.', '')
  return CREDENTIALS.has(foldText(plain)) && (token.includes('.') || plain === plain.toUpperCase() || plain === 'PhD')
}

function isInitials(token: string): boolean {
  return /^(?:\p{Lu}\.?){1,3}$/u.test(token)
}

function initialsOf(tokens: readonly string[]): string {
  return tokens.map((token) => token.charAt(0)).join('')
}

function isNameToken(token: string, i: number, all: readonly string[]): boolean {
  if (token.length > 24) return false
  if (LONE_PARTICLES.has(foldText(token)) && i > 0 && i < all.length)
    return i < all.length - 1 || /^\p{Lu}/u.test(token)
  if (isInitials(token)) return true
  // A capital, then letters with inner apostrophes, hyphens and capitals: O'Neill, Wei-Ling, McAllister, d'Alembert.
  return /^(?:[dDlL]['’])?\p{Lu}[\p{L}\p{M}'’.-]*$/u.test(token) && !token.slice(0, -1).includes('.')
}

function toNameCase(token: string): string {
  let up = true
  let out = ''
  for (const char of token) {
    out += up ? char : char.toLowerCase()
    up = char === '-' || char === "'" || char === '’' || char === '.'
  }
  return out
}
