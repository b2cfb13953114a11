// A sentence as words with their offsets, the gap before each, and whether they belong to the company's name. Brackets
// and the dateline are masked, because they interrupt a statement without being part of it.
import { LEGAL_FORMS } from '../english/words.ts'
import { findDealSums } from './money-and-dates.ts'
import type { Span } from './span.ts'
import { FUNCTION_WORDS } from './vocabulary.ts'

/** What separates a word from the previous one. */
type Gap = 'space' | 'aside' | 'comma' | 'stop'

export type Word = {
  text: string
  lower: string
  start: number
  end: number
  gap: Gap
  isCapital: boolean
  /** "Acme's": the text of the word is "Acme". */
  isPossessive: boolean
  /** Part of a mention of the company. */
  isOwn: boolean
}

export type Statement = {
  text: string
  words: readonly Word[]
  /** Most content words have capitals, so that capitals do not mark names. */
  isHeadline: boolean
  /** The sums of money that may be the value of the event. */
  sums: readonly Span[]
}

/** What a slot of a frame matched. */
export type SlotMatch = {
  /** Index of the next word. */
  next: number
  /** The matched text; parsers of kinds ("a plant") return none. */
  spans: Span[]
  /** The wording for a claim. */
  phrase: string
}

/** Parses one thing at one word of a sentence; null when it is not there, or only part of it. */
export type SlotParser = (statement: Statement, at: number) => SlotMatch | null

/** Longer than any sentence that reports one event; the rest is ignored. */
const MAX_CHARS = 2000
/** Replaces masked text, so that all other offsets stay valid. */
const MASK = '\u0001'

const BRACKETS = /\([^()]{0,200}\)|\[[^[\]]{0,200}\]/g
const DASH = / - | \/ |–|—|--/g
const DATELINE_CHARS = 150
const DATELINE_MARK = /\b(?:19|20)\d\d\b|wire\b|press ?release/i

/**
 * Letters, digits and currency signs, including the periods, hyphens and apostrophes inside them: "U.S.", "AT&T",
 * "S/4HANA".
 */
const WORD =
  /[$€£¥]?\d{1,3}(?:,\d{3})+(?:\.\d+)?[\p{L}%]*(?:-\p{L}[\p{L}-]*)?|[\p{L}\p{N}\p{M}$€£¥₹&][\p{L}\p{N}\p{M}$€£¥₹&%+'’./•·-]*/gu
const TRAILING_MARKS = /(?<=[^'’./•·-])['’./•·-]+$/
/** "Inc.", "Jr.", "J.", "U.S.": the period belongs to the word. */
const ABBREVIATION =
  /^(?:(?:\p{L}\.)*\p{L}|ph\.d|inc|corp|ltd|co|jr|sr|st|dr|mr|mrs|ms|prof|bros|no|calif|fla|ariz|mass)$/iu
const POSSESSIVE = /['’]s$/i
/** Trademark signs and footnote marks separate nothing. */
const SIGNS = /[®™©Ⓡ*†\s]/g

export function parseStatement(sentence: string, mentions: readonly { start: number; end: number }[]): Statement {
  const text = maskAsides(sentence.slice(0, MAX_CHARS), mentions)
  const words: Word[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    const word = wordOf(match[0], match.index)
    const gap = gapOf(text.slice(end, word.start))
    // "Acme, Inc." is one mention.
    const isForm = words.at(-1)?.isOwn === true && gap !== 'stop' && isLegalForm(word)
    words.push({ ...word, gap, isOwn: isForm || isInside(word, mentions) })
    end = word.end + (word.isPossessive ? 2 : 0)
  }
  return { text: sentence, words, isHeadline: isHeadline(words), sums: findDealSums(sentence.slice(0, MAX_CHARS)) }
}

function wordOf(source: string, start: number): Omit<Word, 'gap' | 'isOwn'> {
  let text = source.replace(TRAILING_MARKS, '')
  if (source[text.length] === '.' && ABBREVIATION.test(text)) text += '.'
  const isPossessive = POSSESSIVE.test(text) || /s['’]$/.test(source)
  if (POSSESSIVE.test(text)) text = text.slice(0, -2)
  return {
    text,
    lower: text.toLowerCase(),
    start,
    end: start + text.length,
    // "eBay" and "monday.com" begin with a small letter and are names.
    isCapital: /^\p{Lu}|^\p{Ll}{1,2}\p{Lu}|\p{L}\.(?:com|io|ai|org|net)$/u.test(text),
    isPossessive,
  }
}

function gapOf(between: string): Gap {
  const left = between.replace(SIGNS, '')
  const marks = left.replaceAll(MASK, '')
  if (marks === '') return left === '' ? 'space' : 'aside'
  return marks === ',' ? 'comma' : 'stop'
}

/** Legal forms belong to the name before them: "Nolan, Inc.", but not "Nolan, as". */
export function isLegalForm({ lower, isCapital }: Pick<Word, 'lower' | 'isCapital'>): boolean {
  const form = lower.replaceAll('.', '')
  return isCapital && !FUNCTION_WORDS.has(lower) && (LEGAL_FORMS.has(form) || form === 'pbc')
}

function isInside({ start, end }: { start: number; end: number }, mentions: readonly { start: number; end: number }[]) {
  return mentions.some((mention) => start < mention.end && end > mention.start)
}

function maskAsides(text: string, mentions: readonly { start: number; end: number }[]): string {
  const blank = (part: string) => MASK.repeat(part.length)
  const start = datelineEnd(text, mentions)
  return blank(text.slice(0, start)) + text.slice(start).replace(BRACKETS, blank)
}

/** The end of a dateline: "NEW YORK, March 6, 2025 /Wire/ -- Acme …". */
function datelineEnd(text: string, mentions: readonly { start: number; end: number }[]): number {
  const limit = Math.min(DATELINE_CHARS, ...mentions.map(({ start }) => start))
  const ends = [...text.slice(0, Math.max(0, limit)).matchAll(DASH)]
    .map((match) => match.index + match[0].length)
    .filter((end) => DATELINE_MARK.test(text.slice(0, end)))
  return ends.at(-1) ?? 0
}

/** A headline capitalises its content words; a sentence has some in lower case. */
function isHeadline(words: readonly Word[]): boolean {
  const content = words.filter((word) => !word.isOwn && word.lower.length > 3 && !FUNCTION_WORDS.has(word.lower))
  const small = content.filter(({ text }) => /^\p{Ll}/u.test(text)).length
  return content.length > 0 && small / content.length <= 0.15
}
