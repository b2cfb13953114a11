import type { EventDetails, Span } from '../../engine/claim/index.ts'
import { nameSpans, readContacts, readTokens, type Token } from './mentions.ts'

/** What stands in the place of what was taken out; within a URL or an address a word that fits there. */
const ERASED = '[erased]'
const ERASED_IN_ADDRESS = 'erased'

/** Whether a mark (see `marks.ts`) is that of somebody erased, in the text at hand. */
export type IsMarked = (mark: string) => boolean

type Cut = { start: number; end: number; with: string }
export type Redacted = { text: string; cuts: Cut[]; alone: ReadonlySet<string> }

/**
 * Where a text speaks of somebody: contacts, full names, and, where a full name stands, its words alone ("Pike said").
 * `alone`: words that another part of the same source has shown to be a name. `company`: words of its name stay.
 */
export function findCuts(
  text: string,
  isMarked: IsMarked,
  { alone = NONE, company = NONE }: { alone?: ReadonlySet<string>; company?: ReadonlySet<string> } = {},
): Pick<Redacted, 'cuts' | 'alone'> {
  const cuts: Cut[] = readContacts(text)
    .filter(({ mark }) => isMarked(mark))
    .map(({ start, end }) => ({ start, end, with: ERASED }))
  const tokens = readTokens(text)
  const shown = new Set(alone)
  for (const { tokens: name, start, end, keys } of nameSpans(tokens, (word) => isMarked(`word:${word}`))) {
    if (!keys.some((key) => isMarked(`text:${key}`))) continue
    cuts.push({ start, end, with: name[0]?.inAddress ? ERASED_IN_ADDRESS : ERASED })
    for (const { word } of name) if (word.length > 2 && isMarked(`word:${word}`) && !company.has(word)) shown.add(word)
  }
  for (const [at, token] of tokens.entries()) {
    if (shown.has(token.word) && standsAlone(text, token, tokens[at + 1]))
      cuts.push({ start: token.start, end: token.end, with: ERASED })
  }
  return { cuts: merged(cuts), alone: shown }
}

const NONE: ReadonlySet<string> = new Set()

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
