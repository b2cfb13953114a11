// Finds mentions of a company in a text: handles legal forms, short forms and namesakes. A short form counts only in a document
// that contains the full name or the domain, because "Hugo" alone identifies no company.

import { CALENDAR_WORDS } from '../english/calendar.ts'
import { LEGAL_FORMS, OFFICE_TITLES, wordSet } from '../english/words.ts'
import { cutText } from '../text/storable.ts'
import { splitWords, type Tokens } from '../text/tokens.ts'
import vocabulary from './company-names.json' with { type: 'json' }

export type CompanyIdentity = {
  name: string
  domain?: string | null
  /** Other names of the company: legal and former names, brands. */
  aliases?: readonly string[]
  /** Related companies that are not this one, such as its parent. */
  others?: readonly string[]
}

/** Tokens `from` (inclusive) to `to` (exclusive). */
export type CompanyMention = { from: number; to: number }

export type CompanyInText = {
  mentions: CompanyMention[]
  /** The document contains the company's full name or its domain. */
  known: boolean
  /** The document defines "the Company" as this one. */
  is_the_company: boolean
}

// Words for a kind of company: a name is still recognisable without them, and they alone name no company.
const GENERIC_WORDS = wordSet(vocabulary.generic.join(' '))

const INVESTOR_WORDS = new Set(['capital', 'ventures', 'partners'])

// Ordinary words that begin many names and alone identify no company.
const COMMON_FIRST_WORDS = wordSet(vocabulary.common_first.join(' '))

// Capitalised words that may follow a company's name without making it a longer name.
const NOT_A_NAME: ReadonlySet<string> = new Set([
  ...OFFICE_TITLES,
  ...CALENDAR_WORDS,
  ...wordSet(
    'chief vice senior manager head inc and or the a in on at for to of is has will announces launches today shares stock ' +
      'products i we our its nasdaq nyse otc tsx team customers users employees executive board',
  ),
])

/** The words of a name without a leading article and without legal suffixes. */
export function coreWords(name: string): string[] {
  const words = nameWords(name)
  while (words.length > 1) {
    const length = legalSuffix(words)
    if (length === 0) break
    words.length -= length
  }
  return words
}

/** True for "Acme, Inc."; false for "The Bridge" and "Bell and Howell", although coreWords shortens them. */
export function hasLegalForm(name: string): boolean {
  return legalSuffix(nameWords(name)) > 0
}

/** The name as spelled, without its legal form: "Acme Robotics" for "Acme Robotics, Inc.". */
export function withoutLegalForm(name: string): string {
  const key = companyKey(name)
  const words = name.trim().split(/\s+/)
  for (let length = 1; length < words.length; length++) {
    const shorter = words.slice(0, length).join(' ').replace(/,$/, '')
    if (companyKey(shorter) === key) return shorter
  }
  return name.trim()
}

function nameWords(name: string): string[] {
  const words = splitWords(name).filter((word) => word !== 'and' && word !== 'amp')
  if (words.length > 1 && words[0] === 'the') words.shift()
  return words
}

/** The number of words of the legal form at the end, 0 without one: "S.A.", "A/S" and "Sp. z o.o." are several tokens. */
function legalSuffix(words: readonly string[]): number {
  for (let length = 1; length <= 4 && length < words.length; length++) {
    const last = words.slice(-length)
    if (length > 1 && last.some((word) => word.length > 2)) return 0
    if (LEGAL_FORMS.has(last.join(''))) return length
  }
  return 0
}

/** One key for all spellings of a company's name. */
export function companyKey(name: string): string {
  return coreWords(name).join(' ')
}

const MOST_SHORT_FORMS = 8

/** Short forms that a document naming the company in full may use, longest first. */
export function companyShortForms(core: string[]): string[][] {
  const forms: string[][] = []
  let words = core
  while (words.length > 1 && forms.length < MOST_SHORT_FORMS && GENERIC_WORDS.has(words.at(-1) as string)) {
    words = words.slice(0, -1)
    if (canNameCompany(words)) forms.push(words)
  }
  for (let size = Math.min(words.length - 1, 2); size >= 1; size--) {
    const form = words.slice(0, size)
    if (canNameCompany(form) && !forms.some((other) => other.length === size)) forms.push(form)
  }
  return forms
}

/** Whether words are specific enough to name a company: "the global" and "bank" are not. */
export function canNameCompany(words: readonly string[]): boolean {
  const meaningful = words.filter((word) => !COMMON_FIRST_WORDS.has(word) && !GENERIC_WORDS.has(word))
  return meaningful.some((word) => word.length >= 3) || (words.length >= 2 && meaningful.length >= 1)
}

/**
 * Finds the company's mentions in a tokenized document, by all its names; none when the names belong to another company. A
 * mention that only places a related company ("a subsidiary of Acme") is none.
 */
export function findCompanyMentions(
  tokens: Tokens,
  lower: string,
  company: CompanyIdentity,
  title: number,
): CompanyInText {
  const { name, domain = null, aliases = [], others = [] } = company
  const found = [name, ...aliases].map((one) => findNameMentions(tokens, lower, { name: one, domain }, title))
  const own = mergeMentions(found.map(({ mentions }) => mentions))
  const related = others.length === 0 ? [] : findRelatedMentions(tokens, lower, others, title)
  const mentions = own.filter((mention) => !related.some((other) => belongsToOther(tokens, mention, other)))
  return {
    mentions,
    known: mentions.length > 0,
    is_the_company: mentions.length > 0 && found.some(({ is_the_company }) => is_the_company),
  }
}

/** The mentions of related companies that are not the company itself. */
export function findRelatedMentions(
  tokens: Tokens,
  lower: string,
  names: readonly string[],
  title: number,
): CompanyMention[] {
  return mergeMentions(names.map((name) => findNameMentions(tokens, lower, { name }, title).mentions))
}

/** In their order in the text; of two that overlap, the longer one. */
function mergeMentions(lists: readonly (readonly CompanyMention[])[]): CompanyMention[] {
  if (lists.length === 1) return [...(lists[0] as readonly CompanyMention[])]
  const all = lists.flat().sort((a, b) => b.to - b.from - (a.to - a.from))
  const taken = new Set<number>()
  const kept = all.filter(({ from, to }) => {
    for (let t = from; t < to; t++) if (taken.has(t)) return false
    for (let t = from; t < to; t++) taken.add(t)
    return true
  })
  return kept.sort((a, b) => a.from - b.from)
}

const MOST_WORDS_BETWEEN = 6
const MOST_CHARS_BETWEEN = 100
/** "Globex, the parent company of Acme", "Acme Health, a unit of Acme": the words between the two names. */
const PLACES_FORMER =
  /^,? ?(?:is |which |that )?(?:an? |the )?(?:[\p{L}-]+ ){0,2}(?:parent|owner|owns|subsidiary|unit|division|arm|affiliate|brand|part|owned|company)(?: company| group)?(?: of| by)? (?:the )?$/iu
/** "Acme's parent company Globex", "Acme subsidiary Acme Health". */
const PLACES_LATTER =
  /^(?:['’]s)?,? ?(?:(?:ultimate|corporate|wholly[ -]owned|new|former|us|uk|german) )*(?:parent|owner|subsidiary|unit|division|arm|affiliate|brand)(?: company| group)?,? $/iu

/** Whether a mention is part of the name of a related company, or only says whose parent or subsidiary that one is. */
function belongsToOther(tokens: Tokens, mention: CompanyMention, other: CompanyMention): boolean {
  if (mention.from < other.to && other.from < mention.to) return other.to - other.from > mention.to - mention.from
  const [first, second] = mention.from < other.from ? [mention, other] : [other, mention]
  if (second.from - first.to > MOST_WORDS_BETWEEN) return false
  const between = tokens.text.slice(tokens.end[first.to - 1], tokens.start[second.from])
  if (between.length > MOST_CHARS_BETWEEN) return false
  return (first === mention ? PLACES_LATTER : PLACES_FORMER).test(between)
}

/** Finds the mentions of one name of a company. */
function findNameMentions(
  tokens: Tokens,
  lower: string,
  company: { name: string; domain?: string | null },
  title: number,
): CompanyInText {
  const core = coreWords(cutText(company.name, LONGEST_NAME))
  const titleEnd = Math.max(title, headlineEnd(tokens))
  if (core.length === 0) return { mentions: [], known: false, is_the_company: false }
  const capital = startsWithCapital(company.name)
  const raw = findWords(tokens, lower, core, capital)
  const domainSeen = company.domain ? mentionsDomain(lower, company.domain) : false
  const mentions = core.length === 1 ? withoutNamesakes(tokens, raw, titleEnd) : raw
  const known = mentions.length > 0 || (domainSeen && raw.length === 0)
  if (!known) return { mentions: [], known: false, is_the_company: false }

  const definitions = definedNames(tokens, mentions)
  const forms = [...companyShortForms(core), ...definitions.names.map(splitWords)]
  const letters = initials(core)
  if (letters) forms.push([letters])
  const found = [...mentions]
  const taken = new Set<number>()
  const take = ({ from, to }: CompanyMention) => {
    for (let t = from; t < to; t++) taken.add(t)
  }
  const overlaps = ({ from, to }: CompanyMention) => {
    for (let t = from; t < to; t++) if (taken.has(t)) return true
    return false
  }
  mentions.forEach(take)
  for (const form of forms) {
    if (found.length >= MOST_MENTIONS_OF_ALL_FORMS) break
    if (form.length === 0 || form.join(' ') === core.join(' ')) continue
    for (const mention of findWords(tokens, lower, form, capital)) {
      if (overlaps(mention)) continue
      if (isExtended(tokens, mention, titleEnd)) continue
      // The ticker in its definition, "(NYSE: ACM)", is no mention.
      if (form.length === 1 && tokens.text.startsWith(': ', (tokens.start[mention.from] as number) - 2)) continue
      if (form[0] === letters && !isAllCapitals(tokens, mention.from)) continue
      found.push(mention)
      take(mention)
    }
  }
  for (const mention of found) mention.to = afterLegalSuffix(tokens, mention.to)
  found.sort((a, b) => a.from - b.from)
  return { mentions: found, known: found.length > 0, is_the_company: definitions.isTheCompany }
}

const LONGEST_HEADLINE = 200

/** The offset where a first line in title case ends, 0 without one: feeds and snippets contain a headline as text. */
function headlineEnd({ text, count, start, end }: Tokens): number {
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text.length : newline
  if (line > LONGEST_HEADLINE) return 0
  let words = 0
  let capitals = 0
  for (let t = 0; t < count && (start[t] as number) < line; t++) {
    if ((end[t] as number) - (start[t] as number) < 4) continue
    words++
    if (text.charCodeAt(start[t] as number) < 97) capitals++
  }
  return words >= 3 && capitals >= words * 0.8 ? line : 0
}

/** "Electro Optic Systems" may be called EOS in a document that contains the full name. */
function initials(core: string[]): string | null {
  let words = core
  if (words.length > 3 && GENERIC_WORDS.has(words.at(-1) as string)) words = words.slice(0, -1)
  if (words.length < 3 || words.length > 5) return null
  return words.map((word) => word[0]).join('')
}

function isAllCapitals(tokens: Tokens, t: number): boolean {
  const word = tokens.text.slice(tokens.start[t], tokens.end[t])
  return word === word.toUpperCase()
}

/** The end of a mention including its legal form: "Acme Robotics, Inc." is one mention. */
function afterLegalSuffix(tokens: Tokens, to: number): number {
  let t = to
  while (t < tokens.count && (tokens.start[t] as number) - (tokens.end[t - 1] as number) <= 2) {
    if (!LEGAL_FORMS.has(tokenWord(tokens, t)) || !isCapitalized(tokens, t)) break
    t++
  }
  return t
}

function startsWithCapital(name: string): boolean {
  const code = name.charCodeAt(0)
  return code >= 65 && code <= 90
}

/** Limits on the work for documents that repeat a name. */
const MOST_MENTIONS = 400
const MOST_MENTIONS_OF_ALL_FORMS = 2_000
/** A document defines two or three names for its company; each one costs a search of the whole text. */
const MOST_DEFINED_NAMES = 12
/** Characters; only the beginning of a longer name is searched. */
const LONGEST_NAME = 300

function findWords(tokens: Tokens, lower: string, words: string[], capital: boolean): CompanyMention[] {
  const found: CompanyMention[] = []
  const first = words[0] as string
  for (
    let at = lower.indexOf(first);
    at >= 0 && found.length < MOST_MENTIONS;
    at = lower.indexOf(first, at + first.length)
  ) {
    const from = tokenAt(tokens, at)
    if (from < 0 || tokens.start[from] !== at) continue
    if (capital && isLowerCase(tokens.text.charCodeAt(at))) continue
    const to = matchWords(tokens, lower, from, words)
    if (to > 0) found.push({ from, to })
  }
  return found
}

function matchWords(tokens: Tokens, lower: string, from: number, words: string[]): number {
  let t = from
  for (const word of words) {
    if (t >= tokens.count) return 0
    // "&" is not a token, "&amp;" and "and" are.
    if (t > from && (sliceIs(tokens, lower, t, 'and') || sliceIs(tokens, lower, t, 'amp'))) t++
    if (t >= tokens.count || !sliceIs(tokens, lower, t, word)) return 0
    t++
  }
  return t
}

function sliceIs(tokens: Tokens, lower: string, t: number, word: string): boolean {
  const start = tokens.start[t] as number
  if ((tokens.end[t] as number) - start !== word.length) return false
  if (lower.startsWith(word, start)) return true
  return word.includes("'") && lower.slice(start, start + word.length).replaceAll('’', "'") === word
}

/** The index of the token that contains the character, by binary search; -1 between tokens. */
function tokenAt(tokens: Tokens, at: number): number {
  let low = 0
  let high = tokens.count - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if ((tokens.end[middle] as number) <= at) low = middle + 1
    else if ((tokens.start[middle] as number) > at) high = middle - 1
    else return middle
  }
  return -1
}

function isLowerCase(code: number): boolean {
  return code >= 97 && code <= 122
}

export function isCapitalized(tokens: Tokens, t: number): boolean {
  const code = tokens.text.charCodeAt(tokens.start[t] as number)
  return code >= 65 && code <= 90
}

/** True when exactly one space separates token t from the next. */
export function isAdjacent(tokens: Tokens, t: number): boolean {
  const gap = tokens.end[t] as number
  return t + 1 < tokens.count && tokens.start[t + 1] === gap + 1 && tokens.text.charCodeAt(gap) === 32
}

export function tokenWord(tokens: Tokens, t: number): string {
  return tokens.text
    .slice(tokens.start[t], Math.min(tokens.end[t] as number, (tokens.start[t] as number) + 40))
    .toLowerCase()
}

function isCommonWord(tokens: Tokens, t: number): boolean {
  const word = tokenWord(tokens, t)
  return COMMON_FIRST_WORDS.has(word) || GENERIC_WORDS.has(word)
}

/**
 * Whether a capitalised word continues the name: "Hugo Boss" is no mention of "Hugo". Headlines capitalise everything, so they
 * are exempt.
 */
function isExtended(tokens: Tokens, mention: CompanyMention, titleEnd: number): boolean {
  if ((tokens.start[mention.from] as number) < titleEnd) return false
  const next = mention.to
  if (next >= tokens.count || !isAdjacent(tokens, next - 1)) return false
  const word = tokenWord(tokens, next)
  // "University of Lyon", "Nail and Beauty Bar": "of" and "and" continue a name that is an ordinary word.
  const joined =
    (word === 'of' || word === 'and') && mention.to - mention.from === 1 && isCommonWord(tokens, mention.from)
  if (joined) return next + 1 < tokens.count && isCapitalized(tokens, next + 1)
  if (!isCapitalized(tokens, next) && !/^\d/.test(word)) return false
  return !NOT_A_NAME.has(word) && !LEGAL_FORMS.has(word)
}

function hasLeftName(tokens: Tokens, mention: CompanyMention, titleEnd: number): boolean {
  const t = mention.from - 1
  if (t < 1 || (tokens.start[mention.from] as number) < titleEnd) return false
  if (!isAdjacent(tokens, t) || !isCapitalized(tokens, t) || NOT_A_NAME.has(tokenWord(tokens, t))) return false
  // The first word of a sentence is capitalised anyway.
  const before = tokens.text.charCodeAt((tokens.start[t] as number) - 1)
  const beforeThat = tokens.text.charCodeAt((tokens.start[t] as number) - 2)
  return before === 32 && beforeThat !== 46 && beforeThat !== 10 && beforeThat !== 58
}

/**
 * For a one-word name: keeps mentions that are not part of a longer name; none if the document introduces a longer name first.
 */
function withoutNamesakes(tokens: Tokens, mentions: CompanyMention[], titleEnd: number): CompanyMention[] {
  const inBody = mentions.filter((m) => (tokens.start[m.from] as number) >= titleEnd)
  const isFree = (m: CompanyMention) => !isExtended(tokens, m, titleEnd) && !hasLeftName(tokens, m, titleEnd)
  const isSame = (m: CompanyMention) => isFree(m) || (!isCommonWord(tokens, m.from) && extendedByGenericWord(tokens, m))
  const free = inBody.filter(isSame)
  if (inBody.length > 0 && free.length === 0) return []
  const first = inBody[0]
  if (first && !isSame(first) && introducesName(tokens, first) && free.length <= inBody.length / 2) return []
  return mentions.filter((m) => (tokens.start[m.from] as number) < titleEnd || isSame(m))
}

/** "Acme Robotics" may be Acme; "Acme Capital" is another company, a fund. */
function extendedByGenericWord(tokens: Tokens, mention: CompanyMention): boolean {
  if (mention.to >= tokens.count || !isAdjacent(tokens, mention.to - 1)) return false
  const next = tokenWord(tokens, mention.to)
  return GENERIC_WORDS.has(next) && !INVESTOR_WORDS.has(next)
}

/** Whether a mention is the first mention of a longer name: "Hugo Boss AG", "Atlas Copco (STO: …)". */
function introducesName(tokens: Tokens, mention: CompanyMention): boolean {
  let t = mention.to
  while (t < tokens.count && t < mention.to + 5 && isAdjacent(tokens, t - 1) && isCapitalized(tokens, t)) {
    if (LEGAL_FORMS.has(tokenWord(tokens, t))) return true
    t++
  }
  if (t === mention.to) return false
  const gap = tokens.text.slice(tokens.end[t - 1], (tokens.end[t - 1] as number) + 3)
  return gap.includes('(') || gap.startsWith(',') || GENERIC_WORDS.has(tokenWord(tokens, t - 1))
}

/** Names given in brackets after a mention: `Acme Robotics, Inc. (NYSE: ACM) ("Acme" or the "Company")`, `(USMCC)`. */
function definedNames(tokens: Tokens, mentions: CompanyMention[]): { names: string[]; isTheCompany: boolean } {
  const names = new Set<string>()
  let isTheCompany = false
  for (const mention of mentions.slice(0, 8)) {
    const start = tokens.end[mention.to - 1] as number
    const window = tokens.text.slice(start, start + 160)
    const open = window.indexOf('(')
    if (open < 0 || open > 40) continue
    // Consecutive brackets belong to the same name.
    let rest = window.slice(open)
    while (rest.startsWith('(')) {
      const close = rest.indexOf(')')
      if (close < 0) break
      const inside = rest.slice(1, close)
      const lowerInside = inside.toLowerCase()
      if (lowerInside.includes('company') && /["“]/.test(inside)) isTheCompany = true
      for (const quoted of inside.matchAll(/["“]([^"”“]{2,40})["”]/g)) {
        const name = (quoted[1] as string).trim().replace(/,$/, '')
        if (!/^(the|our|we|us)\b/i.test(name) && !/^company$/i.test(name)) names.add(name)
      }
      if (/^[A-Z][A-Z&]{1,7}$/.test(inside)) names.add(inside)
      // "(NASDAQ: SPAI)": the ticker also names the company.
      const ticker = /^[A-Z][A-Za-z .-]{1,16}: ?([A-Z]{3,5})\b/.exec(inside)?.[1]
      if (ticker) names.add(ticker)
      rest = rest.slice(close + 1).trimStart()
    }
  }
  return { names: [...names].slice(0, MOST_DEFINED_NAMES), isTheCompany }
}

/** Whether the text contains the domain, or an address at it, as a whole word. */
export function mentionsDomain(lower: string, domain: string): boolean {
  const wanted = domain.toLowerCase().replace(/^www\./, '')
  if (wanted.length < 4) return false
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const before = at > 0 ? lower[at - 1] : ' '
    const after = at + wanted.length < lower.length ? (lower[at + wanted.length] as string) : ' '
    if (!/[a-z0-9-]/.test(before as string) && !/[a-z0-9-]/.test(after)) return true
  }
  return false
}
