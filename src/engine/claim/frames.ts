// Matches a frame against a sentence: its words in order, its slots filled, and the required subject before the verb.
import type { FrameSubject } from '../signals/index.ts'
import {
  parseAffectedCount,
  parseFundingRound,
  parseHeadcount,
  parseJobCount,
  parsePercentage,
  parsePlainNumber,
  parseSharePrice,
  parseSingleSum,
  parseStockExchange,
  parseSum,
  parseWorkerCount,
  parseWorkforceShare,
} from './amounts.ts'
import { parseOrganisation, parseOrganisations } from './organisations.ts'
import {
  matchPassive,
  matchPositionEnd,
  matchPositionStart,
  parseBoard,
  parseNamedPerson,
  parsePosition,
} from './people.ts'
import {
  matchAfterInfinitive,
  parseFinancing,
  parseJob,
  parsePremises,
  parseProductPhrase,
  parseProperty,
  parseThing,
  parseTool,
} from './phrases.ts'
import { matchEventPlace, parseKnownPlace, parsePlace } from './places.ts'
import { parseProduct, parseProductKind, parseSiteKind } from './products.ts'
import type { SlotMatch, SlotParser, Statement } from './statement.ts'
import {
  type Modality,
  matchUnlisted,
  parseApposition,
  parseCompany,
  parseCompanyOrOwner,
  parseSubject,
} from './subject.ts'

const SLOT_PARSERS = {
  self: parseCompany,
  "self's": parseCompanyOrOwner,
  org: parseOrganisations,
  actor: parseOrganisation,
  product: parseProduct,
  kind: parseProductKind,
  site: parseSiteKind,
  person: parseNamedPerson,
  position: parsePosition,
  ours: matchPositionStart,
  over: matchPositionEnd,
  passive: matchPassive,
  board: parseBoard,
  place: parsePlace,
  known: parseKnownPlace,
  eventplace: matchEventPlace,
  sum: parseSum,
  onlysum: parseSingleSum,
  workers: parseWorkerCount,
  jobs: parseJobCount,
  heads: parseHeadcount,
  share: parseWorkforceShare,
  round: parseFundingRound,
  exchange: parseStockExchange,
  percentage: parsePercentage,
  number: parsePlainNumber,
  price: parseSharePrice,
  affected: parseAffectedCount,
  thing: parseThing,
  tool: parseTool,
  gadget: parseProductPhrase,
  property: parseProperty,
  premises: parsePremises,
  financing: parseFinancing,
  job: parseJob,
  infinitive: matchAfterInfinitive,
  free: matchUnlisted,
  apposition: parseApposition,
} as const satisfies Record<string, SlotParser>

export type Slot = keyof typeof SLOT_PARSERS

/**
 * A pattern in a small notation. `words` in order: alternatives (`at|of`), groups of them (`<acquire>`), slots
 * (`{org}`), a trailing `?` for an optional element, `…` for a few arbitrary words, `,` for an optional comma. `says`
 * is the claim after the company's name; in it `~` marks the verb to conjugate. A frame without `says` only extracts
 * details.
 */
export type Frame = { subject: FrameSubject; words: string; says?: string }

export type FrameMatch = { slots: Partial<Record<Slot, SlotMatch>>; modality: Modality; says: string | undefined }

type Element =
  | { kind: 'words'; words: ReadonlySet<string>; isOptional: boolean }
  | { kind: 'slot'; slot: Slot; isOptional: boolean }
  | { kind: 'few' }
  | { kind: 'comma' }

export type CompiledFrame = Omit<Frame, 'words'> & { elements: readonly Element[] }

/** Words that open another clause, which is about something else. */
const CLAUSE_OPENERS = new Set('that which who whose where while when after because but'.split(' '))

/** Maximum number of words that `…` matches. */
const MAX_GAP_WORDS = 6

export function compileFrame({ words, ...frame }: Frame, groups: Readonly<Record<string, string>>): CompiledFrame {
  return { ...frame, elements: words.split(' ').map((source) => compileElement(source, groups)) }
}

function compileElement(source: string, groups: Readonly<Record<string, string>>): Element {
  if (source === '…') return { kind: 'few' }
  if (source === ',') return { kind: 'comma' }
  const isOptional = source.endsWith('?')
  const text = isOptional ? source.slice(0, -1) : source
  if (text.startsWith('{')) {
    const slot = text.slice(1, -1)
    if (!isSlot(slot)) throw new Error(`no slot parser for ${text}`)
    return { kind: 'slot', slot, isOptional }
  }
  const words = text.replaceAll(/<(\w+)>/g, (_, name: string) => groups[name] ?? '')
  return { kind: 'words', words: new Set(words.split('|')), isOptional }
}

function isSlot(name: string): name is Slot {
  return name in SLOT_PARSERS
}

/** The first match of the frame in the sentence. */
export function findFrame(statement: Statement, frame: CompiledFrame): FrameMatch | null {
  for (let at = 0; at < statement.words.length; at++) {
    const slots = matchElements(statement, frame.elements, 0, at, at)
    if (!slots) continue
    const subject = parseSubject(statement, frame.subject, at)
    if (!subject) continue
    const actor = subject.actor && { actor: subject.actor }
    return { slots: { ...slots, ...actor }, modality: subject.modality, says: frame.says }
  }
  return null
}

/** Slot matches when the elements from `e` on match the words from `at` on; `comma` allows a comma before the first. */
function matchElements(
  statement: Statement,
  elements: readonly Element[],
  e: number,
  at: number,
  start: number,
  comma = false,
): FrameMatch['slots'] | null {
  const element = elements[e]
  if (!element) return {}
  const rest = (next: number, allowsComma = false) =>
    matchElements(statement, elements, e + 1, next, start, allowsComma)
  if (element.kind === 'comma') return rest(at, true)
  if (element.kind === 'few') {
    for (let next = at; next <= at + MAX_GAP_WORDS; next++) {
      const slots = rest(next)
      if (slots) return slots
      const isOne = isContiguous(statement, next, start, next === at && comma)
      if (!isOne || CLAUSE_OPENERS.has(statement.words[next]?.lower ?? '')) return null
    }
    return null
  }
  const without = () => (element.isOptional ? rest(at, comma) : null)
  // A zero-width slot may match at the end of a sentence.
  const isEmpty = element.kind === 'slot' && (element.slot === 'over' || element.slot === 'apposition')
  if (!isEmpty && !isContiguous(statement, at, start, comma)) return without()
  if (element.kind === 'words') {
    const slots = element.words.has(statement.words[at]?.lower ?? '') ? rest(at + 1) : null
    return slots ?? without()
  }
  const reading = SLOT_PARSERS[element.slot](statement, at)
  const slots = reading && rest(reading.next)
  return slots ? { ...slots, [element.slot]: reading } : without()
}

/** Whether a word follows the previous one without a stop; a comma only where the frame allows one. */
function isContiguous({ words }: Statement, at: number, start: number, allowsComma: boolean): boolean {
  const word = words[at]
  if (!word) return false
  return at === start || word.gap === 'space' || word.gap === 'aside' || (allowsComma && word.gap === 'comma')
}
