import type { EventDetails, Span } from '../claim/index.ts'
import { ERASED } from '../draft/evidence.ts'
import { MONTH_NAMES as ENGLISH_MONTHS } from '../english/calendar.ts'
import { wordSet } from '../english/words.ts'
import { isBusinessWord, isHonorificOrJobNoun } from '../people/person-name.ts'
import { findContacts, findNameSpans, type NameToken, tokenizeNames } from './mentions.ts'

/** The replacement within a URL or an email address, where brackets are invalid. */
const ERASED_IN_ADDRESS = 'erased'

/**
 * Maximum number of cuts per text, more than a regular page needs. A text that would need more is truncated, so that
 * neither the work nor the text grows with the repetitions of a hostile page.
 */
export const MAX_CUTS = 1_000

/** Whether a mark (see `people/redact/identifiers.ts`) belongs to an erased person, in the current text. */
export type IsMarked = (mark: string) => boolean

export type TextCut = { start: number; end: number; with: string }
/** `until`: the text after this offset is dropped. */
export type TextCuts = { cuts: TextCut[]; until: number; alone: ReadonlySet<string> }

type Hints = { alone?: ReadonlySet<string>; company?: Pick<ReadonlySet<string>, 'has'>; typed?: boolean }

/**
 * Finds mentions of erased people: contacts, full names and, where a full name is found, its surname alone ("Pike
 * said"). `alone`: words that another part of the same source identified as names. `company`: words of its name are
 * kept. `typed`: names may be in lower case.
 */
export function findCuts(
  text: string,
  isMarked: IsMarked,
  { alone = NONE, company = NONE, typed = false }: Hints = {},
): TextCuts {
  const cuts: TextCut[] = findContacts(text)
    .filter(({ mark }) => isMarked(mark))
    .map(({ start, end }) => ({ start, end, with: ERASED }))
  const tokens = tokenizeNames(text)
  const isKnown = (word: string) => isMarked(`word:${word}`)
  const shown = new Set(alone)
  const { names, until } = namesIn(tokens, isMarked, typed, text.length)
  for (const name of names) {
    const [first, last] = [name[0] as NameToken, name.at(-1) as NameToken]
    cuts.push({ start: first.start, end: last.end, with: first.inAddress ? ERASED_IN_ADDRESS : ERASED })
    const surnames = surnamesIn(name, isMarked)
    for (const { word } of name) {
      if (!surnames.has(word)) shown.add(initialOf(word))
      else if (word.length > 2 && isKnown(word) && !company.has(word)) shown.add(word)
    }
  }
  if (shown.size > 0) {
    const ordinary = ordinaryIn(tokens)
    for (const [at, token] of tokens.entries()) {
      if (token.start >= until) break
      if (!shown.has(token.word) || ordinary.has(token.word) || isOrdinary(token.word)) continue
      if (!standsAlone(text, token, tokens[at + 1])) continue
      const before = token.joined ? tokens[at - 1] : undefined
      if (before && isAnother(before, token)) continue
      cuts.push({ start: token.start, end: token.end, with: ERASED })
    }

    /** "Ann Pike" is not Rob Pike; "Ms Pike", "When Pike" and "R. Pike" may be. */
    function isAnother(before: NameToken, token: NameToken): boolean {
      if (!before.isName || token.listed || isKnown(before.word)) return false
      if (before.word.length === 1) return !shown.has(initialOf(before.word))
      return !isHonorificOrJobNoun(before.word) && !OPENERS.has(before.word) && !ordinary.has(before.word)
    }
  }
  return { ...limitCuts(cuts, until), alone: shown }
}

/** Cuts in order, without overlaps, up to the maximum. */
export function limitCuts(cuts: readonly TextCut[], until: number): Pick<TextCuts, 'cuts' | 'until'> {
  const apart = mergeCuts(cuts.filter(({ start }) => start < until))
  const next = apart[MAX_CUTS]
  return next ? { cuts: apart.slice(0, MAX_CUTS), until: Math.min(until, next.start) } : { cuts: apart, until }
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The tokens of each name, and where to truncate a text with too many. A name ends as soon as it is complete: after two
 * words in "Mark Sales VP Sales".
 */
function namesIn(tokens: readonly NameToken[], isMarked: IsMarked, typed: boolean, length: number) {
  const names: NameToken[][] = []
  for (const { tokens: name, keys } of findNameSpans(tokens, (word) => isMarked(`word:${word}`), typed)) {
    if (!keys.some((key) => isMarked(`text:${key}`))) continue
    const last = names.at(-1)
    if (last && (name[0] as NameToken).start < (last.at(-1) as NameToken).end) {
      // Another surname may follow the first: "Ada O'Neill-Pike".
      const more = name[0] === last[0] ? name.slice(last.length) : []
      const isMore = ({ word }: NameToken) => isMarked(`word:${word}`) && !last.some((one) => one.word === word)
      if (more.length > 0 && more.every(isMore)) names[names.length - 1] = name
    } else if (names.length === MAX_CUTS) return { names, until: (name[0] as NameToken).start }
    else names.push(name)
  }
  return { names, until: length }
}

/** People erased before surnames were stored are recognised by the order of their names: "Ada Pike", "Pike, Ada". */
function surnamesIn(name: readonly NameToken[], isMarked: IsMarked): Set<string> {
  const marked = name.filter(({ word }) => isMarked(`surname:${word}`))
  const comma = name.findIndex(({ listed }) => listed)
  const placed = comma > 0 ? name.slice(0, comma) : name.slice(-1)
  return new Set((marked.length > 0 ? marked : placed).map(({ word }) => word))
}

/** An initial with a period, which distinguishes it from the name words in the same set. */
const initialOf = (word: string) => `${word.charAt(0)}.`

const MONTHS: ReadonlySet<string> = new Set([
  ...ENGLISH_MONTHS.map((month) => month.toLowerCase()),
  ...wordSet(
    'januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout enero febrero marzo abril ' +
      'mayo junio julio agosto aprile maggio',
  ),
])

/** Capitalised words that cannot be distinguished from a surname. */
const isOrdinary = (word: string) => MONTHS.has(word) || isBusinessWord(word)

/** Words that the text also contains in lower case. */
function ordinaryIn(tokens: readonly NameToken[]): Set<string> {
  return new Set(tokens.filter(({ isName, inAddress }) => !isName && !inAddress).map(({ word }) => word))
}

/** Words that open sentences. */
const OPENERS = wordSet(
  'a about according after also although and as ask asked at because before both but by call congratulate congratulations contact ' +
    'dear despite during earlier email following for from hello hi hire invite join meet message reach see speak tell thank thanks ' +
    'welcome write ' +
    'he however if in instead it last later like meanwhile new no nor not now of on once or our previously said says she since so ' +
    'still than that the their then there they this though through to today tomorrow under until we what when where whether ' +
    'which while who why with without yesterday yet als am auch auf aus bei da das dem den der die doch ein eine er es fur heute ' +
    'im mit nach nun seit sie so und von wie wir zu zum zur',
)

/** "Pike Industries" is not Pike. */
function standsAlone(text: string, token: NameToken, next: NameToken | undefined): boolean {
  if (!token.isName || token.inAddress) return false
  return !(next?.joined && next.isName && /^\s+$/.test(text.slice(token.end, next.start)))
}

function mergeCuts(cuts: readonly TextCut[]): TextCut[] {
  const apart: TextCut[] = []
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last && cut.start < last.end) last.end = Math.max(last.end, cut.end)
    else apart.push({ ...cut })
  }
  return apart
}

export function applyCuts(text: string, { cuts, until }: Pick<TextCuts, 'cuts' | 'until'>): string {
  let out = ''
  let at = 0
  for (const cut of cuts) {
    out += text.slice(at, cut.start) + cut.with
    at = cut.end
  }
  return at < until ? out + text.slice(at, until) : out
}

/** Shifts the details of a redacted quote: spans within a cut or after the end are removed. */
export function shiftDetails(details: EventDetails, { cuts, until }: Pick<TextCuts, 'cuts' | 'until'>): EventDetails {
  /** By how much the text is shifted after each cut. */
  const moves: number[] = []
  for (const { start, end, with: mark } of cuts) moves.push((moves.at(-1) ?? 0) + mark.length - (end - start))
  const moved = (span: Span): Span | null => {
    const before = countBefore(cuts, span.start)
    const next = cuts[before]
    if (span.end > until || (next && next.start < span.end && span.start < next.end)) return null
    const by = moves[before - 1] ?? 0
    return { ...span, start: span.start + by, end: span.end + by }
  }
  const one = (span: Span | null) => span && moved(span)
  const many = (spans: Span[]) => spans.map(moved).filter((span) => span !== null)
  const { amount, people, position, places, partners, product, date } = details
  return {
    amount: one(amount),
    people: many(people),
    position: one(position),
    places: many(places),
    partners: many(partners),
    product: one(product),
    date: one(date),
  }
}

/** The number of cuts, which are sorted, that end at an offset or before it. */
function countBefore(cuts: readonly TextCut[], place: number): number {
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cuts[middle] as TextCut).end <= place) low = middle + 1
    else high = middle
  }
  return low
}
