// Finds a frame in a sentence: its words in order, its slots filled, and the company (or another) as who acts.
import type { Subject } from '../signals/index.ts'
import {
  readAffected,
  readAnyPrice,
  readExchange,
  readHeads,
  readJobs,
  readOnlySum,
  readPercentage,
  readPlainNumber,
  readRound,
  readShare,
  readSum,
  readWorkers,
} from './figures.ts'
import { readOrganisation, readOrganisations } from './organisations.ts'
import { readBoard, readEndOfPosition, readPassive, readPerson, readPosition, readStartOfPosition } from './people.ts'
import {
  readAfterInfinitive,
  readFinancing,
  readGadget,
  readJob,
  readPremises,
  readProperty,
  readThing,
  readTool,
} from './phrases.ts'
import { readBesideEvent, readKnownPlace, readPlace } from './places.ts'
import { readProduct, readProductKind, readSite } from './products.ts'
import type { Reader, Reading } from './reading.ts'
import { type Modality, readApposition, readCompany, readCompanyLoosely, readSubject, readUnlisted } from './subject.ts'
import type { Statement } from './words.ts'

const READERS = {
  self: readCompany,
  "self's": readCompanyLoosely,
  org: readOrganisations,
  actor: readOrganisation,
  product: readProduct,
  kind: readProductKind,
  site: readSite,
  person: readPerson,
  position: readPosition,
  ours: readStartOfPosition,
  over: readEndOfPosition,
  passive: readPassive,
  board: readBoard,
  place: readPlace,
  known: readKnownPlace,
  beside: readBesideEvent,
  sum: readSum,
  onlysum: readOnlySum,
  workers: readWorkers,
  jobs: readJobs,
  heads: readHeads,
  share: readShare,
  round: readRound,
  exchange: readExchange,
  percentage: readPercentage,
  number: readPlainNumber,
  price: readAnyPrice,
  affected: readAffected,
  thing: readThing,
  tool: readTool,
  gadget: readGadget,
  property: readProperty,
  premises: readPremises,
  financing: readFinancing,
  job: readJob,
  infinitive: readAfterInfinitive,
  free: readUnlisted,
  apposition: readApposition,
} as const satisfies Record<string, Reader>

export type Slot = keyof typeof READERS

/**
 * `words` in order: alternatives (`at|of`), groups of them (`<acquire>`), slots (`{org}`), a trailing `?` for what may be
 * missing, `…` for a few words, `,` for a comma that may stand there. `says` is the claim after the company's name; in
 * it `~` marks the verb that bends. Without `says` a frame only finds details.
 */
export type Frame = { subject: Subject; words: string; says?: string }

export type Match = { slots: Partial<Record<Slot, Reading>>; modality: Modality; says: string | undefined }

type Element =
  | { kind: 'words'; words: ReadonlySet<string>; isOptional: boolean }
  | { kind: 'slot'; slot: Slot; isOptional: boolean }
  | { kind: 'few' }
  | { kind: 'comma' }

export type CompiledFrame = Omit<Frame, 'words'> & { elements: readonly Element[] }

/** Where another clause begins, whose words tell of something else. */
const CLAUSES = new Set('that which who whose where while when after because but'.split(' '))

/** As many words as `…` may stand for. */
const FEW = 6

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
    if (!isSlot(slot)) throw new Error(`no reader for ${text}`)
    return { kind: 'slot', slot, isOptional }
  }
  const words = text.replaceAll(/<(\w+)>/g, (_, name: string) => groups[name] ?? '')
  return { kind: 'words', words: new Set(words.split('|')), isOptional }
}

function isSlot(name: string): name is Slot {
  return name in READERS
}

/** The first place where the frame fits. */
export function findFrame(statement: Statement, frame: CompiledFrame): Match | null {
  for (let at = 0; at < statement.words.length; at++) {
    const slots = matchElements(statement, frame.elements, 0, at, at)
    if (!slots) continue
    const subject = readSubject(statement, frame.subject, at)
    if (!subject) continue
    const actor = subject.actor && { actor: subject.actor }
    return { slots: { ...slots, ...actor }, modality: subject.modality, says: frame.says }
  }
  return null
}

/** Readings by slot when the elements from `e` on stand at the words from `at` on; with `comma` one may come first. */
function matchElements(
  statement: Statement,
  elements: readonly Element[],
  e: number,
  at: number,
  start: number,
  comma = false,
): Match['slots'] | null {
  const element = elements[e]
  if (!element) return {}
  const rest = (next: number, allowsComma = false) =>
    matchElements(statement, elements, e + 1, next, start, allowsComma)
  if (element.kind === 'comma') return rest(at, true)
  if (element.kind === 'few') {
    for (let next = at; next <= at + FEW; next++) {
      const slots = rest(next)
      if (slots) return slots
      const isOne = isReached(statement, next, start, next === at && comma)
      if (!isOne || CLAUSES.has(statement.words[next]?.lower ?? '')) return null
    }
    return null
  }
  const without = () => (element.isOptional ? rest(at, comma) : null)
  // What reads nothing may stand at the end of a sentence.
  const isEmpty = element.kind === 'slot' && (element.slot === 'over' || element.slot === 'apposition')
  if (!isEmpty && !isReached(statement, at, start, comma)) return without()
  if (element.kind === 'words') {
    const slots = element.words.has(statement.words[at]?.lower ?? '') ? rest(at + 1) : null
    return slots ?? without()
  }
  const reading = READERS[element.slot](statement, at)
  const slots = reading && rest(reading.next)
  return slots ? { ...slots, [element.slot]: reading } : without()
}

/** Whether a word follows the one before without a stop; a comma only where the frame has one. */
function isReached({ words }: Statement, at: number, start: number, allowsComma: boolean): boolean {
  const word = words[at]
  if (!word) return false
  return at === start || word.gap === 'space' || word.gap === 'aside' || (allowsComma && word.gap === 'comma')
}
