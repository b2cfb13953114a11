import { findIndustryKey, foldIndustry, MAX_INDUSTRY_WORDS } from '../companies/industries.ts'

/** Names that are also ordinary words: they count only in a list of industries, or directly before a word for companies. */
const WEAK = new Set(
  (
    'it|services|service|power|building|design|production|training|tools|events|research|property|distribution|' +
    'audit|tax|law|mobility|apps|app|ai|analytics|automation|cloud|wireless|infrastructure|advisory|recruiting|hr|pr|' +
    'marketing|music|games|game|rail|environmental|sustainability|health|internet|payments|data|outsourcing|finance|' +
    'financial|legal|sports|leisure|arts|streaming|social media|shipping|medical|packaging|printing|internet|growth|' +
    'production|sales|operations|accounting|engineering services|recruitment|talent acquisition|lending|wireless|' +
    'investments|investment|devops|security|bars|stores|shops|chips|vehicles|cars|car|tool|event|bar|store|shop|metal'
  ).split('|'),
)
const COMPANIES = new Set(
  (
    'company companies firm firms business businesses industry industries sector sectors provider providers vendor vendors ' +
    'operator operators maker makers manufacturer manufacturers producer producers supplier suppliers brand brands group ' +
    'groups startup startups scaleup scaleups scale start organisation organisations organization organizations practice ' +
    'practices enterprise enterprises smb smbs sme smes space vertical corporations corporates developers chains'
  ).split(' '),
)
/** Words after which a name is a department or a job and not an industry. */
const PEOPLE = new Set(
  (
    'manager managers director directors team teams department departments lead leads leader leaders officer officers head ' +
    'heads executive executives professional professionals engineer engineers function functions budget budgets stack ' +
    'strategy tool tools process processes role roles people staff'
  ).split(' '),
)
const OF_PEOPLE =
  /(?:^| )(?:(?:head|heads|vp|vps|director|directors|manager|managers|chief|svp|evp|leader|leaders) (?:of )?|cto |cfo )$/

/** Keys of the industries in a text. `listed`: the text is a list of industries. */
export function findIndustriesInText(text: string, { listed }: { listed: boolean }): string[] {
  const isAbbreviation = /\bIT\b/.test(text)
  // Punctuation becomes a word, so that "chemicals, plastics" are separate names.
  const words = text
    .split(/([,;:()/|•]|\s[-–—]\s|\s)/)
    .flatMap((part) => (/^[,;:()/|•]$|^\s[-–—]\s$/.test(part) ? [','] : foldIndustry(part).split(' ').filter(Boolean)))
  const found: Found[] = []
  for (let at = 0; at < words.length; ) {
    const match = longestAt(words, at)
    if (!match) {
      at++
      continue
    }
    const after = words[match.end] ?? ''
    const before = words.slice(Math.max(0, at - 3), at).join(' ')
    const weak = WEAK.has(match.name) && !listed && !COMPANIES.has(after) && !findIndustryKey(after)
    const isPronoun = match.name === 'it' && !isAbbreviation
    if (!weak && !isPronoun && !PEOPLE.has(after) && !OF_PEOPLE.test(`${before} `)) found.push({ ...match, start: at })
    at = match.end
  }
  return [...new Set(found.flatMap((one, i) => (isAbsorbed(one, found[i - 1], found[i + 1]) ? [] : [one.key])))]
}

type Found = { key: string; name: string; start: number; end: number }

/** Words for companies that are industries only when no other industry precedes them. */
const GENERIC =
  /^(?:manufactur\w+|producers?|agency|agencies|services?|industrial|production|distribution|builders|stores|shops)$/

/** In "chemical manufacturers" the first name counts, in "insurance software" the last. */
function isAbsorbed(one: Found, before: Found | undefined, after: Found | undefined): boolean {
  if (before?.end === one.start && GENERIC.test(one.name)) return true
  return after !== undefined && after.start === one.end && !GENERIC.test(after.name)
}

function longestAt(words: readonly string[], at: number): { key: string; name: string; end: number } | null {
  for (let length = Math.min(MAX_INDUSTRY_WORDS, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length)
    if (phrase.includes(',')) continue
    const name = phrase.join(' ')
    const key = findIndustryKey(name)
    if (key) return { key, name, end: at + length }
  }
  return null
}
