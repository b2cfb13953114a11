// Readers of one thing at one place of a sentence: a name, a person, a position, a place, a sum. Each gives what it
// read and the index of the word behind it, or null: rather nothing than half a name.
import { readPersonName } from '../person-name.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { foldText } from '../titles/words.ts'
import { isKnownPlace, isRegion, isTown } from './places.ts'
import { type Span, spanOf } from './span.ts'
import {
  COMMON_WORDS,
  DESCRIPTIONS,
  FUNCTION_WORDS,
  INSTITUTIONS,
  LEGAL_FORMS,
  NAMES_IN_ING,
  ORGANISATION_NOUNS,
  PRODUCTS,
  SITES,
  TITLE_WORDS,
  VERBS,
} from './vocabulary.ts'
import type { Statement, Word } from './words.ts'

export type Reading = {
  /** Index of the word behind. */
  next: number
  /** What was read; the readers of kinds ("a plant") give none. */
  spans: Span[]
  /** How a claim says it. */
  said: string
}

export type Reader = (statement: Statement, at: number) => Reading | null

const MOST_WORDS_OF_NAME = 6
const MOST_WORDS_OF_HEADLINE_NAME = 5
const MOST_DESCRIBING_WORDS = 8
const MOST_NAMES_IN_LIST = 8

const ARTICLES = new Set(['the', 'a', 'an'])
/** Written small inside names of other languages. */
const PARTICLES = new Set('de del della di da do dos du la le van von der den ten ter al el y'.split(' '))
const OFFICES = new Set(
  'ceo cfo cto coo cio cmo cro president chairman chairwoman director founder co-founder officer'.split(' '),
)
const HONORIFICS = new Set('mr mr. mrs mrs. ms ms. dr dr. prof prof. professor sir dame'.split(' '))
const CREDENTIALS = /^(?:ph\.?d|m\.?d|mba|cpa|cfa|jr|sr|esq|j\.?d|r\.?n|ii|iii)\.?$/i

// ---- names ----

/** Where a name that begins at a word ends; `at` when none begins there. */
function endOfName({ words, isHeadline }: Statement, at: number): number {
  const isPart = (word: Word | undefined) => word !== undefined && isNameWord(word, isHeadline)
  if (!isPart(words[at])) return at
  let end = at + 1
  while (end < words.length && end - at <= MOST_WORDS_OF_NAME) {
    const word = words[end] as Word
    const before = words[end - 1] as Word
    if (before.isPossessive) break
    if (word.gap === 'comma' && LEGAL_FORMS.has(word.lower)) return end + 1
    if (word.gap !== 'space') break
    const join = isPart(word) ? 1 : joinLength(words, at, end, isPart)
    if (join === 0) break
    end += join
  }
  return end
}

function isNameWord(word: Word, isHeadline: boolean): boolean {
  if (COMPOUND.test(word.lower)) return false
  if (!word.isCapital && !/^\d+-?\p{Lu}|^\d[\d.]{0,4}$/u.test(word.text)) return false
  if (!isHeadline) return !(FUNCTION_WORDS.has(word.lower) && word.text.length === 1)
  if (FUNCTION_WORDS.has(word.lower) || VERBS.has(word.lower)) return false
  return !word.lower.endsWith('ing') || NAMES_IN_ING.has(word.lower)
}

/** "UK-based", "bank-owned", "AI-powered": they describe what follows. */
const COMPOUND = /-(?:based|backed|owned|listed|headquartered|powered|driven|led|enabled)$/

/** How many words join the name before `at` with the one behind: "&", "of", "de"; 0 when the name is over. */
function joinLength(
  words: readonly Word[],
  from: number,
  at: number,
  isPart: (word: Word | undefined) => boolean,
): number {
  const { lower } = words[at] as Word
  const next = words[at + 1]
  if (next?.gap !== 'space' || next.isOwn) return 0
  if (lower === '&' || PARTICLES.has(lower)) return isPart(next) ? 2 : 0
  const named = words.slice(from, at)
  if (lower === 'of' && named.some((word) => INSTITUTIONS.has(word.lower))) {
    if (next.lower === 'the' && isPart(words[at + 2])) return 3
    return isPart(next) ? 2 : 0
  }
  if (
    lower === 'for' &&
    named.some((word) => /^(?:institute|cent(?:er|re)|foundation|association|society)$/.test(word.lower))
  )
    return isPart(next) && next.isCapital ? 2 : 0
  // "Food and Drug Administration", "Johnson and Johnson"; but "Globex and Initech" are two.
  const [first] = named
  const isOne = named.length === 1 && first && (COMMON_WORDS.has(first.lower) || first.lower === next.lower)
  return lower === 'and' && isOne && isPart(next) ? 2 : 0
}

const ADJECTIVES_IN_ED = new Set('related based branded managed owned limited united certified licensed'.split(' '))

/** A name that modifies a noun ("Globex customers") or runs on is not the name of what is meant. */
export function isOver({ words }: Statement, end: number): boolean {
  const word = words[end]
  if (word?.gap !== 'space') return true
  if (FUNCTION_WORDS.has(word.lower) || VERBS.has(word.lower)) return true
  return /\p{L}ly$|^[$€£]/u.test(word.text) || (/^\p{Ll}+ed$/u.test(word.text) && !ADJECTIVES_IN_ED.has(word.lower))
}

function isDistinctive(words: readonly Word[]): boolean {
  return words.some(({ text }) => /\d|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(text))
}

/** More than initials and figures. */
const isWritten = (name: string) => /\p{L}{2}|\d\p{L}|\p{L}\d/u.test(name)
const hasOwn = (words: readonly Word[]) => words.some(({ isOwn }) => isOwn)
const isCommon = ({ lower }: Word) =>
  COMMON_WORDS.has(lower) || ORGANISATION_NOUNS.has(lower) || FUNCTION_WORDS.has(lower) || /^[\d.]+$|^&$/.test(lower)
/** "Trucking Company" is a description as much as "Software Company"; "Boeing" and "Hilding Capital" are names. */
function areCommon(words: readonly Word[]): boolean {
  const isKind = words.length > 1 && ORGANISATION_NOUNS.has(words.at(-1)?.lower ?? '')
  return words.every((word) => isCommon(word) || (isKind && word.lower.endsWith('ing')))
}

/** Kinds of organisations by which no name ends: "London Transport Operator" describes one. */
const KINDS = new Set(
  [...ORGANISATION_NOUNS].filter(
    (noun) =>
      !/^(?:company|agency|studio|bank|university|brand|foundation|group|partner|fintech|biotech|platform)$/.test(noun),
  ),
)

/** Skips "the Danish cloud provider" and "privately held" before a name. */
export function startOfName(statement: Statement, at: number): number {
  const { words, isHeadline } = statement
  const first = ARTICLES.has(words[at]?.lower ?? '') ? at + 1 : at
  let start = first
  for (let i = first; i < first + MOST_DESCRIBING_WORDS; i++) {
    const word = words[i]
    if (!word || FUNCTION_WORDS.has(word.lower)) break
    // "Stamford, Conn.-based Hildene".
    if (i > first && word.gap !== 'space' && !(word.gap === 'comma' && word.lower.endsWith('-based'))) break
    const follows = words[i + 1]
    if (follows?.gap !== 'space' || !isNameWord(follows, isHeadline)) continue
    const isNoun = (isHeadline || !word.isCapital ? ORGANISATION_NOUNS : KINDS).has(word.lower)
    if (isNoun || COMPOUND.test(word.lower)) start = i + 1
  }
  if (start > first || isHeadline) return start
  // A few plain adjectives: "the iconic Silicon Brush".
  for (let i = first; i < first + 3; i++) {
    const word = words[i]
    if (!word || (i > first && word.gap !== 'space') || FUNCTION_WORDS.has(word.lower)) return first
    if (isNameWord(word, false)) return i
  }
  return first
}

/** The name of another organisation. */
export const readOrganisation: Reader = (statement, at) => readName(statement, at, false)

/** The name of another organisation that owns what follows: "Globex's acquisition". */
export const readOwner: Reader = (statement, at) => readName(statement, at, true)

function readName(statement: Statement, at: number, isOwner: boolean): Reading | null {
  const { words, isHeadline } = statement
  const start = startOfName(statement, at)
  const end = endOfName(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || named.length > (isHeadline ? MOST_WORDS_OF_HEADLINE_NAME : MOST_WORDS_OF_NAME)) return null
  if (last.isPossessive !== isOwner || hasOwn(named) || areCommon(named)) return null
  if (!isOwner && !isOver(statement, end)) return null
  // "the Leona M." goes on.
  if (/^\p{Lu}\.$/u.test(last.text)) return null
  if (isHeadline && (DESCRIPTIONS.has(first.lower) || KINDS.has(last.lower))) return null
  // "Acquires Ohio-Based PEO, Teamwork Services": the name is behind the comma.
  if (isHeadline && start > at && words[end]?.gap === 'comma') return null
  const span = spanOf(statement, first.start, last.end)
  if (!isWritten(span.text) || named.some(({ lower }) => OFFICES.has(lower)) || isKnownPlace(span.text)) return null
  const article = words[start - 1]
  const said = article?.lower === 'the' && start - 1 === at ? spanOf(statement, article.start, last.end) : span
  return { next: end, spans: [span], said: said.text }
}

/** "Globex", "Globex and Initech", "Globex, Initech and Umbra": the claim says the first. */
export const readOrganisations: Reader = (statement, at) => {
  const first = readOrganisation(statement, at)
  if (!first) return null
  const spans = [...first.spans]
  let { next } = first
  const listed: Span[] = []
  let end = next
  while (spans.length + listed.length < MOST_NAMES_IN_LIST) {
    const word = statement.words[end]
    const isLast = word?.lower === 'and' || word?.lower === '&'
    if (!word || (!isLast && (word.gap !== 'comma' || FUNCTION_WORDS.has(word.lower)))) break
    const item = readOrganisation(statement, isLast ? end + 1 : end)
    if (!item || (isLast && beginsClause(statement, item.next))) break
    listed.push(...item.spans)
    end = item.next
    if (!isLast) continue
    // Only "and" proves that the commas before it made a list.
    spans.push(...listed)
    next = end
    break
  }
  return { next, spans, said: first.said }
}

function beginsClause({ words }: Statement, at: number): boolean {
  const word = words[at]
  return word?.gap === 'space' && (VERBS.has(word.lower) || /^(?:is|are|was|were|has|have|had|will)$/.test(word.lower))
}

/** The name of a product, which may hold the company's own. */
export const readProduct: Reader = (statement, at) => {
  const { words, isHeadline } = statement
  let start = at
  while (start < at + 5 && isDescribing(words[start], start === at, isHeadline)) start++
  const end = endOfName(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || last.isPossessive || areCommon(named) || named.every(({ isOwn }) => isOwn)) return null
  if (isHeadline && (named.length > 4 || (start > at && !isDistinctive(named)))) return null
  // "Updated High Density, Low Power Platform" goes on.
  const after = words[end]
  if (isHeadline && after?.gap === 'comma' && isNameWord(after, isHeadline)) return null
  const isKind = after?.gap === 'space' && PRODUCTS.has(after.lower.replace(/s$/, ''))
  if (!isOver(statement, end) && !isKind) return null
  const span = spanOf(statement, first.start, last.end)
  if (!isWritten(span.text) || named.some(({ lower }) => OFFICES.has(lower)) || isKnownPlace(span.text)) return null
  const said = isKind ? spanOf(statement, first.start, after.end) : span
  return { next: isKind ? end + 1 : end, spans: [span], said: said.text }
}

function isDescribing(word: Word | undefined, isFirst: boolean, isHeadline: boolean): boolean {
  if (!word || (!isFirst && word.gap !== 'space')) return false
  if (ARTICLES.has(word.lower) || ['its', 'their', 'our'].includes(word.lower)) return true
  if (isHeadline) return DESCRIPTIONS.has(word.lower)
  return !isNameWord(word, false) && !FUNCTION_WORDS.has(word.lower) && !VERBS.has(word.lower)
}

/** Only the kind of product: "a platform". */
export const readProductKind: Reader = (statement, at) => {
  const found = readNoun(statement, at, (noun) => (PRODUCTS.has(noun) ? noun : undefined))
  return found && { next: found.next, spans: [], said: withArticle(found.noun) }
}

/** Only the kind of site: "a plant", "stores". */
export const readSite: Reader = (statement, at) => {
  const found = readNoun(statement, at, (noun) => SITES.get(noun))
  if (!found) return null
  const isPlural = found.noun.endsWith('s') && found.noun !== 'headquarters' && found.noun !== 'campus'
  return { next: found.next, spans: [], said: isPlural ? found.noun : withArticle(found.noun) }
}

/** A center is hardly told without its kind. */
const CENTERS = new Set(
  'data distribution service fulfillment logistics research innovation training medical'.split(' '),
)
const OWNERS = new Set('its their our his her the a an first second third next'.split(' '))

/** The noun at the end of a noun phrase, when it is one of those wanted. */
function readNoun(
  statement: Statement,
  at: number,
  wanted: (noun: string) => string | undefined,
): { next: number; noun: string } | null {
  const { words } = statement
  for (let i = at; i < at + MOST_DESCRIBING_WORDS; i++) {
    const word = words[i]
    if (!word || (i > at && word.gap !== 'space')) return null
    if (FUNCTION_WORDS.has(word.lower) && !OWNERS.has(word.lower) && word.lower !== 'and') return null
    const noun = wanted(word.lower)
    if (noun === undefined || !isOver(statement, i + 1)) continue
    const before = i > at ? (words[i - 1]?.lower ?? '') : ''
    return { next: i + 1, noun: /^cent/.test(noun) && CENTERS.has(before) ? `${before} ${noun}` : noun }
  }
  return null
}

function withArticle(noun: string): string {
  return `${/^[aeio]|^api$/.test(noun) ? 'an' : 'a'} ${noun}`
}

// ---- people ----

const NO_PERSON_AFTER = new Set(['a', 'an', 'the', 'former', 'new'])

export const readPerson: Reader = (statement, at) => {
  const { words } = statement
  let start = at
  // "a former Navy Seal" is nobody by name.
  if (words[at]?.gap === 'space' && NO_PERSON_AFTER.has(words[at - 1]?.lower ?? '')) return null
  while (HONORIFICS.has(words[start]?.lower ?? '') && start < at + 2) start++
  let end = start
  while (end < start + 5 && isPersonWord(words[end], end === start, end - start >= 2)) end++
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || named.length < 2 || hasOwn(named) || !last.isCapital) return null
  if (named.some(({ lower, isPossessive }) => TITLE_WORDS.has(lower) || isPossessive)) return null
  const span = spanOf(statement, first.start, last.end)
  if (readPersonName(span.text) === null || isKnownPlace(span.text)) return null
  let next = end
  while (words[next]?.gap === 'comma' && CREDENTIALS.test(words[next]?.text ?? '')) next++
  return { next, spans: [span], said: span.text }
}

function isPersonWord(word: Word | undefined, isFirst: boolean, isComplete: boolean): boolean {
  if (!word || (!isFirst && word.gap !== 'space')) return false
  if (!word.isCapital) return !isFirst && PARTICLES.has(word.lower)
  if (FUNCTION_WORDS.has(word.lower) && word.text.length > 2 && word.lower !== 'will') return false
  if (VERBS.has(word.lower) || (isFirst && DESCRIPTIONS.has(word.lower))) return false
  return !isComplete || !isTitleWord(word)
}

const isTitleWord = ({ lower }: Word) =>
  TITLE_WORDS.has(lower) || OFFICES.has(lower) || (JOB_NOUNS.has(foldText(lower)) && !SURNAMES.has(lower))

/** Jobs that are surnames as often. */
const SURNAMES = new Set('cook baker brewer miller dean master butler steward pilot chancellor'.split(' '))
const BEFORE_POSITION = new Set('its the a an new next first their his her our newly created to be current'.split(' '))
const JOINS = new Set(['of', 'and', '&', 'for'])
/** They end a title no more than "chief" does: an officer must follow. */
const UNFINISHED = new Set('chief vice senior executive managing general deputy'.split(' '))
const MOST_WORDS_OF_POSITION = 9

/** "the company's new". */
function isBeforePosition(word: Word | undefined): boolean {
  return word !== undefined && (BEFORE_POSITION.has(word.lower) || (word.lower === 'company' && word.isPossessive))
}

/** A job title: "CFO", "Vice President of Business Development", "head of sales". */
export const readPosition: Reader = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 4 && isBeforePosition(words[start])) start++
  const end = endOfPosition(statement, start)
  const titled = words.slice(start, end)
  const [first] = titled
  const last = titled.at(-1)
  // "to lead sales" is no lead.
  if (!first || !last || JOINS.has(first.lower) || first.lower === 'lead' || hasOwn(titled)) return null
  const nouns = titled.filter(({ lower }) => JOB_NOUNS.has(foldText(lower)) || OFFICES.has(lower))
  const isChief = titled.some(({ lower }, i) => lower === 'chief' && titled[i + 1]?.lower === 'executive')
  const isSeat = titled.some(({ lower }) => lower === 'member') && titled.some(({ lower }) => lower === 'board')
  if (!isSeat && !isChief && !nouns.some(({ lower }) => !UNFINISHED.has(lower))) return null
  const span = spanOf(statement, first.start, last.end)
  return { next: end, spans: [span], said: span.text }
}

function endOfPosition({ words, isHeadline }: Statement, start: number): number {
  let end = start
  let i = start
  while (i < start + MOST_WORDS_OF_POSITION) {
    const word = words[i]
    if (!word || (i > start && (word.gap !== 'space' || words[i - 1]?.isPossessive))) break
    if (JOINS.has(word.lower)) {
      // "CFO of Globex" is over after CFO.
      const next = words[i + 1]
      if (next?.gap !== 'space' || !isTitleWord(next) || JOINS.has(next.lower)) break
      i++
      continue
    }
    const isField = word.isCapital && !isHeadline && words.slice(start, i).some(({ lower }) => lower === 'of')
    const isInside =
      word.isCapital && isUnfinished(words.slice(start, i)) && words.slice(i + 1, i + 4).some(isTitleWord)
    const isSeat = word.lower === 'member' && words[i - 1]?.lower === 'board' && i > start
    if (!isTitleWord(word) && !isInside && !isField && !isSeat) break
    i++
    end = i
  }
  return end
}

/** "Chief Happiness" waits for its officer. */
function isUnfinished(titled: readonly Word[]): boolean {
  return titled.length > 0 && titled.every(({ lower }) => UNFINISHED.has(lower) || !JOB_NOUNS.has(foldText(lower)))
}

/** Reads nothing, and only where a position is over and no other employer follows: not "VP Maintenance", "CFO of Globex". */
export const readEndOfPosition: Reader = (statement, at) => {
  const { words } = statement
  if (!isOver(statement, at)) return null
  if (!/^(?:of|at|for|by|with)$/.test(words[at]?.lower ?? '')) return { next: at, spans: [], said: '' }
  const name = words[at + 1]?.lower === 'the' ? words[at + 2] : words[at + 1]
  return name?.isCapital && !name.isOwn ? null : { next: at, spans: [], said: '' }
}

/** "its board of directors", "the Advisory Board". */
export const readBoard: Reader = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 3 && isBeforePosition(words[start])) start++
  const first = words[start]
  const board = first?.lower === 'board' ? start : words[start + 1]?.lower === 'board' ? start + 1 : -1
  if (!first || board < 0 || (board > start && !/^(?:advisory|supervisory|scientific|executive)$/.test(first.lower)))
    return null
  const isLong = words[board + 1]?.lower === 'of' && words[board + 2]?.lower === 'directors'
  const last = words[isLong ? board + 2 : board] as Word
  const kind = board > start ? `${first.lower} board` : 'board'
  return {
    next: isLong ? board + 3 : board + 1,
    spans: [spanOf(statement, first.start, last.end)],
    said: `its ${kind}`,
  }
}

// ---- places ----

const BEFORE_PLACE = new Set('the downtown central northern southern eastern western nearby greater'.split(' '))

/** A place where the sentence says that one follows. */
export const readPlace: Reader = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 2 && BEFORE_PLACE.has(words[start]?.lower ?? '') && !words[start]?.isCapital) start++
  const end = endOfPlace(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || named.length > 5 || /^\d/.test(first.text) || hasOwn(named) || last.isPossessive) return null
  const name = words.slice(start, start + namedBeforeComma(named))
  const text = spanOf(statement, first.start, (name.at(-1) as Word).end).text
  const isKnown = isKnownPlace(text) || name.length < named.length
  if (!isKnown && (areCommon(name) || name.some(({ lower }) => NO_PLACES.has(lower)) || /^\p{Lu}{2,}$/u.test(text)))
    return null
  if (!isOver(statement, end) && !isKnownPlace(text)) return null
  if (!isOver(statement, end) && words[end]?.isCapital) return null
  const span = spanOf(statement, first.start, last.end)
  const article = words[start - 1]
  const said = start > at && article?.lower === 'the' ? spanOf(statement, article.start, last.end) : span
  return { next: end, spans: [span], said: said.text }
}

/** Capitalised words of places that are none: fairs, papers, halls. */
const NO_PLACES = new Set(
  (
    'booth hall conference summit expo forum congress journal magazine times series phase exchange class bloomberg ' +
    'forbes inc inc. llc ltd corp corp. award awards championship league cup week'
  ).split(' '),
)

function endOfPlace(statement: Statement, start: number): number {
  const { words } = statement
  const end = endOfName(statement, start)
  if (end === start) return start
  const after = words[end]
  // "Alabama, Alaska" are two.
  const name = statement.text.slice(words[start]?.start, words[end - 1]?.end)
  if (isKnownPlace(name) && !isTown(name)) return end
  if (after?.gap !== 'comma' || !after.isCapital) return end
  for (const length of [2, 1]) {
    const region = words.slice(end, end + length)
    const last = region.at(-1) as Word
    if (region.length === length && isRegion(statement.text.slice(after.start, last.end))) return end + length
  }
  return end
}

function namedBeforeComma(named: readonly Word[]): number {
  const comma = named.findIndex(({ gap }, i) => i > 0 && gap === 'comma')
  return comma < 0 ? named.length : comma
}

/** A place that is known by name. */
export const readKnownPlace: Reader = (statement, at) => {
  const place = readPlace(statement, at)
  return place && isKnownPlace(place.spans[0]?.text.replace(/^.*, /, '') ?? '') ? place : null
}

// ---- figures ----

const QUALIFIERS = new Set(
  'up to more than over nearly about approximately around at least some almost an a'.split(' '),
)

function skipQualifiers(words: readonly Word[], at: number): number {
  let start = at
  while (start < at + 3 && QUALIFIERS.has(words[start]?.lower ?? '')) start++
  return start
}

export const readSum: Reader = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, at)
  const first = words[start]
  if (!first || !/\d/.test(first.text + (words[start + 1]?.text ?? ''))) return null
  const sum = statement.sums.find((span) => span.start === first.start)
  if (!sum) return null
  const isAtMost = start - at >= 2 && words[start - 2]?.lower === 'up'
  const next = words.findIndex((word) => word.start >= sum.end)
  return {
    next: next < 0 ? words.length : next,
    spans: [sum],
    said: isAtMost ? `up to ${sum.text}` : sum.text,
  }
}

const SMALL_NUMBERS = new Set(
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred'.split(
    ' ',
  ),
)
const isNumber = ({ text, lower }: Word) => /^\d{1,3}(?:,\d{3})+$|^\d{1,6}$/.test(text) || SMALL_NUMBERS.has(lower)

/** A number of people or jobs: "50 new employees". The noun decides what it is. */
function headcountReader(nouns: RegExp): Reader {
  return (statement, at) => {
    const { words } = statement
    const start = skipQualifiers(words, at)
    const first = words[start]
    if (!first || !isNumber(first)) return null
    for (let i = start + 1; i < start + 5; i++) {
      const word = words[i]
      if (word?.gap !== 'space' || FUNCTION_WORDS.has(word.lower)) return null
      if (!nouns.test(word.lower)) continue
      return {
        next: i + 1,
        spans: [spanOf(statement, first.start, first.end)],
        said: statement.text.slice(first.start, word.end),
      }
    }
    return null
  }
}

export const readWorkers = headcountReader(
  /^(?:employees|people|workers|engineers|developers|staff|professionals|drivers|technicians|specialists|nurses|teachers|associates|hires|scientists|researchers|members|consultants|salespeople|apprentices|graduates|analysts|designers|operators)$/,
)
export const readJobs = headcountReader(/^(?:jobs|positions|roles|posts|openings|vacancies)$/)
/** Only the number, whatever is counted. */
export const readHeads: Reader = (statement, at) => {
  const found = readWorkers(statement, at) ?? readJobs(statement, at)
  return found && { ...found, said: found.spans[0]?.text ?? '' }
}

/** "15% of its workforce". */
export const readShare: Reader = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, at)
  const first = words[start]
  if (!first) return null
  const isSpelled = /^per ?cent$/.test(words[start + 1]?.lower ?? '') && isNumber(first)
  if (!/^\d{1,3}(?:\.\d+)?%$/.test(first.text) && !isSpelled) return null
  const number = isSpelled ? (words[start + 1] as Word) : first
  const of = isSpelled ? start + 2 : start + 1
  if (words[of]?.lower !== 'of') return null
  for (let i = of + 1; i < of + 5; i++) {
    const word = words[i]
    if (word?.gap !== 'space') return null
    if (!/^(?:workforce|staff|employees|headcount|workers|jobs|team|personnel)$/.test(word.lower)) continue
    return {
      next: i + 1,
      spans: [spanOf(statement, first.start, number.end)],
      said: statement.text.slice(first.start, word.end),
    }
  }
  return null
}

// ---- kinds of events ----

/** "Series B", "a seed round". */
export const readRound: Reader = ({ text, words }, at) => {
  const word = words[at]
  const next = words[at + 1]
  if (word?.lower === 'series' && next?.gap === 'space' && /^[A-H]\d?$/.test(next.text))
    return { next: at + 2, spans: [], said: text.slice(word.start, next.end) }
  if (word && /^(?:pre-)?seed$/.test(word.lower)) return { next: at + 1, spans: [], said: `a ${word.lower} round` }
  return null
}

const EXCHANGES = new Set('nasdaq nyse euronext aim tsx tsxv lse asx hkex otcqb otcqx'.split(' '))

/** "Nasdaq", "the New York Stock Exchange", "Euronext Paris". */
export const readExchange: Reader = (statement, at) => {
  const { words, text } = statement
  const start = words[at]?.lower === 'the' ? at + 1 : at
  const end = endOfName(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || hasOwn(named) || named.length > 5) return null
  const isExchange = EXCHANGES.has(first.lower) || /^(?:exchange|markets?)$/.test(last.lower)
  if (!isExchange || areCommon(named)) return null
  return { next: end, spans: [], said: text.slice((words[at] as Word).start, last.end) }
}

/** All places after "in", "across" or "into", and those that go on behind "and"; with `trusts` also such as nobody knows. */
export function findPlaces(statement: Statement, trusts: boolean): Span[] {
  const read = trusts && !statement.isHeadline ? readPlace : readKnownPlace
  const found: Span[] = []
  for (const [at, word] of statement.words.entries()) {
    if (!/^(?:in|into|across|throughout)$/.test(word.lower)) continue
    let place = read(statement, at + 1)
    while (place) {
      found.push(...place.spans)
      const after = statement.words[place.next]
      const isListed = after?.lower === 'and' || (after?.gap === 'comma' && after.isCapital)
      place = isListed ? readKnownPlace(statement, after.lower === 'and' ? place.next + 1 : place.next) : null
    }
  }
  return found
}
