// Finds where a name begins and ends: by capitals in a sentence, and by verbs, prepositions and descriptions in a
// headline, where capitals do not mark names.
import { NAME_PARTICLES } from '../english/words.ts'
import { isLegalForm, type Statement, type Word } from './statement.ts'
import { COMMON_WORDS, FUNCTION_WORDS, INSTITUTIONS, NAMES_IN_ING, ORGANISATION_NOUNS, VERBS } from './vocabulary.ts'

export const MAX_NAME_WORDS = 6
export const MAX_DESCRIPTION_WORDS = 8

export const ARTICLES = new Set(['the', 'a', 'an'])
/** The end of a name that begins at a word; `at` when none begins there. */
export function findNameEnd({ words, isHeadline }: Statement, at: number): number {
  const isPart = (word: Word | undefined) => word !== undefined && isNameWord(word, isHeadline)
  if (!isPart(words[at])) return at
  let end = at + 1
  while (end < words.length && end - at <= MAX_NAME_WORDS) {
    const word = words[end] as Word
    const before = words[end - 1] as Word
    if (before.isPossessive) break
    if (word.gap === 'comma' && isLegalForm(word)) return end + 1
    if (word.gap !== 'space') break
    const join = isPart(word) ? 1 : joinLength(words, at, end, isPart)
    if (join === 0) break
    end += join
  }
  return end
}

export function isNameWord(word: Word, isHeadline: boolean): boolean {
  if (COMPOUND.test(word.lower) || CONTRACTION.test(word.lower)) return false
  if (!word.isCapital && !/^\d+-?\p{Lu}|^\d[\d.]{0,4}$/u.test(word.text)) return false
  if (!isHeadline) return !(FUNCTION_WORDS.has(word.lower) && word.text.length === 1)
  if (FUNCTION_WORDS.has(word.lower) || VERBS.has(word.lower) || ADVERB.test(word.lower)) return false
  return !word.lower.endsWith('ing') || NAMES_IN_ING.has(word.lower)
}

/** Matches "Strategically", but not the names "Grammarly" and "Ally". */
const ADVERB = /\p{L}{2}(?:ally|fully|ively|ously|antly|ently)$/u
/** "We're". */
const CONTRACTION = /^\p{L}+['’](?:re|ve|ll|d|m)$/u
/** "UK-based", "bank-owned", "AI-powered": they describe the next word. */
const COMPOUND = /-(?:based|backed|owned|listed|headquartered|powered|driven|led|enabled)$/

/** How many words connect the name before `at` with the one after it: "&", "of", "de"; 0 when the name is complete. */
function joinLength(
  words: readonly Word[],
  from: number,
  at: number,
  isPart: (word: Word | undefined) => boolean,
): number {
  const { lower } = words[at] as Word
  const next = words[at + 1]
  if (next?.gap !== 'space' || next.isOwn) return 0
  if (lower === '&' || NAME_PARTICLES.has(lower)) return isPart(next) ? 2 : 0
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
  // "Food and Drug Administration", "Johnson and Johnson" and "Cohen and Associates" are one name, "Globex and Initech"
  // two.
  const [first] = named
  const isOne =
    (named.length === 1 && first && (COMMON_WORDS.has(first.lower) || first.lower === next.lower)) ||
    /^(?:associates|sons|daughters|brothers|company|co\.?|partners)$/.test(next.lower)
  return lower === 'and' && isOne && isPart(next) ? 2 : 0
}

/** "Globex underscores our dedication": a word followed by an object is a verb; in "Globex customers" it is not. */
export function isVerbBeforeObject({ text }: Word, next: Word | undefined): boolean {
  return (
    /^\p{Ll}+s$/u.test(text) &&
    next?.gap === 'space' &&
    /^(?:a|an|the|its|their|our|his|her|this|us|both)$/.test(next.lower)
  )
}

const ADJECTIVES_IN_ED = new Set('related based branded managed owned limited united certified licensed'.split(' '))

/** A name that modifies a noun ("Globex customers") or continues is not a complete name. */
export function isNameComplete({ words }: Statement, end: number): boolean {
  const word = words[end]
  if (word?.gap !== 'space') return true
  // "the Globex team" is not a name; "Globex team up with" has a verb.
  if (word.text === 'team' && words[end + 1]?.lower !== 'up') return false
  if (isVerbBeforeObject(word, words[end + 1])) return true
  // "Globex based in Jena", "Globex owned by Initech".
  if (/^(?:based|located|owned|managed)$/.test(word.lower) && /^(?:in|at|by|near)$/.test(words[end + 1]?.lower ?? ''))
    return true
  if (FUNCTION_WORDS.has(word.lower) || VERBS.has(word.lower)) return true
  return /\p{L}ly$|^[$€£]/u.test(word.text) || (/^\p{Ll}+ed$/u.test(word.text) && !ADJECTIVES_IN_ED.has(word.lower))
}

/** More than initials and digits, and free of HTML entities: "B&amp". */
export const isPlausibleName = (name: string) => /\p{L}{2}|\d\p{L}|\p{L}\d/u.test(name) && !name.includes('&amp')
/** Whether a range begins or ends inside a quotation: "‘Click to Consult’", "Eric “Qube” Neal". */
export function isQuoteFragment({ text }: Statement, start: number, end: number): boolean {
  const isQuoted = /[“"'‘]$/.test(text.slice(0, start).slice(-1))
  return (isQuoted && !/^[.,!®™]{0,2}[”"'’]/.test(text.slice(end, end + 3))) || /^ [“"‘]/.test(text.slice(end, end + 2))
}

export const includesOwnName = (words: readonly Word[]) => words.some(({ isOwn }) => isOwn)
export const isCommonWord = ({ lower }: Word) =>
  COMMON_WORDS.has(lower) || ORGANISATION_NOUNS.has(lower) || FUNCTION_WORDS.has(lower) || /^[\d.]+$|^&$/.test(lower)
/** "Trucking Company" is a description as "Software Company" is; "Boeing" and "Hilding Capital" are names. */
export function areCommonWords(words: readonly Word[]): boolean {
  const isKind = words.length > 1 && ORGANISATION_NOUNS.has(words.at(-1)?.lower ?? '')
  return words.every((word) => isCommonWord(word) || (isKind && word.lower.endsWith('ing')))
}

/** Kinds of organisations with which no name ends: "London Transport Operator" is a description. */
export const ORGANISATION_KINDS = new Set(
  [...ORGANISATION_NOUNS].filter(
    (noun) =>
      !/^(?:company|agency|studio|bank|university|brand|foundation|group|partner|fintech|biotech|platform|network|exchange|app|protocol|hospital|school|store|shop|practice|marketplace|charity)$/.test(
        noun,
      ),
  ),
)

/** The start of the name after a description such as "the Danish cloud provider" or "privately held". */
export function findNameStart(statement: Statement, at: number): number {
  const { words, isHeadline } = statement
  const first = ARTICLES.has(words[at]?.lower ?? '') ? at + 1 : at
  let start = first
  for (let i = first; i < first + MAX_DESCRIPTION_WORDS; i++) {
    const word = words[i]
    if (!word || FUNCTION_WORDS.has(word.lower)) break
    // "Stamford, Conn.-based Hildene".
    if (i > first && word.gap !== 'space' && !(word.gap === 'comma' && word.lower.endsWith('-based'))) break
    const follows = words[i + 1]
    if (follows?.gap !== 'space' || !isNameWord(follows, isHeadline)) continue
    const isNoun = (isHeadline || !word.isCapital ? ORGANISATION_NOUNS : ORGANISATION_KINDS).has(word.lower)
    if (isNoun || COMPOUND.test(word.lower)) start = i + 1
  }
  if (start > first || isHeadline) return start
  // Skips a few plain adjectives: "the iconic Silicon Brush".
  for (let i = first; i < first + 6; i++) {
    const word = words[i]
    if (!word || (i > first && word.gap !== 'space') || FUNCTION_WORDS.has(word.lower)) return first
    if (isNameWord(word, false)) return i
  }
  return first
}
