import type { EventDetails, Span } from '../../engine/claim/index.ts'
import { ERASED } from '../../engine/draft/erased.ts'
import { isBusinessWord, isTitleWord } from '../../engine/person-name.ts'
import { nameSpans, readContacts, readTokens, type Token } from '../mentions.ts'

/** What stands in the place of what was taken out; within a URL or an address a word that fits there. */
const ERASED_IN_ADDRESS = 'erased'

/** Whether a mark (see `marks.ts`) is that of somebody erased, in the text at hand. */
export type IsMarked = (mark: string) => boolean

type Cut = { start: number; end: number; with: string }
export type Redacted = { text: string; cuts: Cut[]; alone: ReadonlySet<string> }

type Hints = { alone?: ReadonlySet<string>; company?: ReadonlySet<string>; typed?: boolean }

/**
 * Where a text speaks of somebody: contacts, full names, and, where a full name stands, its surname alone ("Pike said").
 * `alone`: what another part of the same source has shown to stand for somebody. `company`: words of its name stay.
 * `typed`: names may have no capitals.
 */
export function findCuts(
  text: string,
  isMarked: IsMarked,
  { alone = NONE, company = NONE, typed = false }: Hints = {},
): Pick<Redacted, 'cuts' | 'alone'> {
  const cuts: Cut[] = readContacts(text)
    .filter(({ mark }) => isMarked(mark))
    .map(({ start, end }) => ({ start, end, with: ERASED }))
  const tokens = readTokens(text)
  const isKnown = (word: string) => isMarked(`word:${word}`)
  const shown = new Set(alone)
  for (const name of namesIn(tokens, isMarked, typed)) {
    const [first, last] = [name[0] as Token, name.at(-1) as Token]
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
      if (!shown.has(token.word) || ordinary.has(token.word) || isOrdinary(token.word)) continue
      if (!standsAlone(text, token, tokens[at + 1])) continue
      const before = token.joined ? tokens[at - 1] : undefined
      if (before && isAnother(before, token)) continue
      cuts.push({ start: token.start, end: token.end, with: ERASED })
    }

    /** "Ann Pike" is not Rob Pike; "Ms Pike", "When Pike" and "R. Pike" are. */
    function isAnother(before: Token, token: Token): boolean {
      if (!before.isName || token.listed || isKnown(before.word)) return false
      if (before.word.length === 1) return !shown.has(initialOf(before.word))
      return !isTitleWord(before.word) && !OPENERS.has(before.word) && !ordinary.has(before.word)
    }
  }
  return { cuts: merged(cuts), alone: shown }
}

const NONE: ReadonlySet<string> = new Set()

/** The tokens of each name. A name ends where it is whole: in "Mark Sales VP Sales" after two words. */
function namesIn(tokens: readonly Token[], isMarked: IsMarked, typed: boolean): Token[][] {
  const names: Token[][] = []
  for (const { tokens: name, keys } of nameSpans(tokens, (word) => isMarked(`word:${word}`), typed)) {
    if (!keys.some((key) => isMarked(`text:${key}`))) continue
    const last = names.at(-1)
    if (last && (name[0] as Token).start < (last.at(-1) as Token).end) {
      // Another surname may follow the first: "Ada O'Neill-Pike".
      const more = name[0] === last[0] ? name.slice(last.length) : []
      const isMore = ({ word }: Token) => isMarked(`word:${word}`) && !last.some((one) => one.word === word)
      if (more.length > 0 && more.every(isMore)) names[names.length - 1] = name
    } else names.push(name)
  }
  return names
}

/** Whoever was erased before surnames were kept is known by the order of their names: "Ada Pike", "Pike, Ada". */
function surnamesIn(name: readonly Token[], isMarked: IsMarked): Set<string> {
  const marked = name.filter(({ word }) => isMarked(`surname:${word}`))
  const comma = name.findIndex(({ listed }) => listed)
  const placed = comma > 0 ? name.slice(0, comma) : name.slice(-1)
  return new Set((marked.length > 0 ? marked : placed).map(({ word }) => word))
}

/** As it is kept among the words that stand for somebody: none of those has a stop. */
const initialOf = (word: string) => `${word.charAt(0)}.`

const MONTHS = new Set(
  (
    'january february march april may june july august september october november december januar februar marz mai juni juli ' +
    'oktober dezember janvier fevrier mars avril juin juillet aout enero febrero marzo abril mayo junio julio agosto aprile maggio'
  ).split(' '),
)

/** What cannot be told from a surname by its capital alone. */
const isOrdinary = (word: string) => MONTHS.has(word) || isBusinessWord(word)

/** Words that the text has in small letters, too. */
function ordinaryIn(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.filter(({ isName, inAddress }) => !isName && !inAddress).map(({ word }) => word))
}

/** Words with which sentences begin. */
const OPENERS = new Set(
  (
    'a about according after also although and as ask asked at because before both but by call congratulate congratulations contact ' +
    'dear despite during earlier email following for from hello hi hire invite join meet message reach see speak tell thank thanks ' +
    'welcome write ' +
    'he however if in instead it last later like meanwhile new no nor not now of on once or our previously said says she since so ' +
    'still than that the their then there they this though through to today tomorrow under until we what when where whether ' +
    'which while who why with without yesterday yet als am auch auf aus bei da das dem den der die doch ein eine er es fur heute ' +
    'im mit nach nun seit sie so und von wie wir zu zum zur'
  ).split(' '),
)

/** "Pike Industries" is not Pike. */
function standsAlone(text: string, token: Token, next: Token | undefined): boolean {
  if (!token.isName || token.inAddress) return false
  return !(next?.joined && next.isName && /^\s+$/.test(text.slice(token.end, next.start)))
}

function merged(cuts: Cut[]): Cut[] {
  const apart: Cut[] = []
  for (const cut of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last && cut.start < last.end) last.end = Math.max(last.end, cut.end)
    else apart.push({ ...cut })
  }
  return apart
}

export function applyCuts(text: string, cuts: readonly Cut[]): string {
  let out = ''
  let at = 0
  for (const cut of cuts) {
    out += text.slice(at, cut.start) + cut.with
    at = cut.end
  }
  return out + text.slice(at)
}

/** Details of a quote whose cuts are made: what lay in one is gone, the rest has moved. */
export function moveDetails(details: EventDetails, cuts: readonly Cut[]): EventDetails {
  const one = (span: Span | null) => span && moved(span, cuts)
  const many = (spans: Span[]) => spans.map((span) => moved(span, cuts)).filter((span) => span !== null)
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

function moved(span: Span, cuts: readonly Cut[]): Span | null {
  if (cuts.some(({ start, end }) => start < span.end && span.start < end)) return null
  const by = cuts
    .filter(({ end }) => end <= span.start)
    .reduce((sum, cut) => sum + cut.with.length - (cut.end - cut.start), 0)
  return { ...span, start: span.start + by, end: span.end + by }
}
