// Turns the sentence that proves an event into a short claim ("Acme acquires Globex") and its details. A claim contains
// nothing beyond fixed phrases and words of the sentence; where the sentence cannot be parsed with confidence, the
// claim is only the signal's predicate ("Acme makes an acquisition").
import { hasGivenName } from '../people/given-names.ts'
import { type DealRole, findBuiltinSignal, type SignalId } from '../signals/index.ts'
import { foldText } from '../text/fold.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { hasCounterpart } from './counterparts.ts'
import { findDealRole } from './deal-role.ts'
import { type FrameMatch, findFrame, type Slot } from './frames.ts'
import { findDatePhrase } from './money-and-dates.ts'
import { findEventPlaces } from './places.ts'
import { withRestriction } from './restrictions.ts'
import { framesOfSignal, PERSON_FRAMES, type SideFrames } from './signal-frames.ts'
import type { Span } from './span.ts'
import { parseStatement, type Statement } from './statement.ts'
import type { Modality } from './subject.ts'

export type { Span } from './span.ts'

export type EventDetails = {
  amount: Span | null
  people: Span[]
  position: Span | null
  places: Span[]
  partners: Span[]
  product: Span | null
  date: Span | null
}

export type EventSentence = {
  signal: SignalId
  company: string
  sentence: string
  /** Ranges of the company's name in the sentence; empty when it is only "it" or "we". */
  mentions: readonly { start: number; end: number }[]
}

const MAX_CLAIM_CHARS = 120

/** The detail that a slot fills. */
const DETAIL_OF_SLOT: Readonly<Partial<Record<Slot, keyof EventDetails>>> = {
  org: 'partners',
  actor: 'partners',
  product: 'product',
  person: 'people',
  position: 'position',
  board: 'position',
  place: 'places',
  known: 'places',
  sum: 'amount',
  onlysum: 'amount',
  workers: 'amount',
  jobs: 'amount',
  heads: 'amount',
  share: 'amount',
  number: 'amount',
  percentage: 'amount',
}

/** Describes an event as a claim and as fields. */
export function describeEvent({ signal, company, sentence, mentions }: EventSentence): {
  claim: string
  details: EventDetails
  /** The company's role in a deal. */
  role?: DealRole
  /** The claim is more specific than the predicate of the signal. */
  isFull: boolean
  /** The sentence contains everything that an event of this signal requires. */
  isWhole: boolean
} {
  const named = [...mentions, ...occurrencesOf(company, sentence)]
  const statement = parseStatement(sentence, named)
  const wordings = framesOfSignal(signal)
  const matches = matchFrames(statement, wordings)
  const full = buildClaim(statement, company, matches)
  const role = matches.role ?? (wordings.length > 1 ? findDealRole(sentence, named) : undefined)
  return {
    claim: full ?? `${company} ${(wordings.find((side) => side.role === role) ?? wordings[0])?.predicate}`,
    details: collectDetails(statement, matches, findBuiltinSignal(signal)?.namesLocation === true),
    ...(role && { role }),
    isFull: full !== null,
    isWhole: full !== null || hasCounterpart(statement, signal),
  }
}

const MAX_OCCURRENCES = 50

/**
 * Every range of the company's name, including those missing from the mentions, because a company is never its own
 * partner.
 */
function occurrencesOf(company: string, sentence: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  if (company === '') return found
  for (let start = sentence.indexOf(company); start >= 0 && found.length < MAX_OCCURRENCES; ) {
    const end = start + company.length
    const around = `${sentence.charAt(start - 1)} ${sentence.charAt(end)}`
    if (!/[\p{L}\p{N}]/u.test(around)) found.push({ start, end })
    start = sentence.indexOf(company, end)
  }
  return found
}

/** The matching frame, if any, the role it implies, and the matching tails. */
type Matches = { frame: FrameMatch | null; tails: FrameMatch[]; role?: DealRole }

function matchFrames(statement: Statement, wordings: readonly SideFrames[]): Matches {
  for (const { frames, tails, role } of wordings) {
    for (const frame of frames) {
      const match = findFrame(statement, frame)
      if (!match) continue
      return { frame: match, tails: tails.flatMap((tail) => findFrame(statement, tail) ?? []), ...(role && { role }) }
    }
  }
  const tails = wordings[0]?.tails ?? []
  return { frame: null, tails: tails.flatMap((tail) => findFrame(statement, tail) ?? []) }
}

function buildClaim(statement: Statement, company: string, { frame, tails }: Matches): string | null {
  if (!frame?.says) return null
  let claim = `${company} ${fillSlots(statement, conjugate(frame.says, frame.modality), frame)}`
  if (claim.length > MAX_CLAIM_CHARS) return null
  const used = new Set(slotsInClaim(frame))
  for (const tail of tails) {
    // A tail may repeat the sum it attaches to; other slots appear once.
    const adds = slotsInClaim(tail).filter((slot) => slot !== 'sum' || !used.has(slot))
    const longer = claim + fillSlots(statement, tail.says ?? '', tail)
    if (longer.length > MAX_CLAIM_CHARS || adds.some((slot) => used.has(slot))) continue
    claim = longer
    for (const slot of adds) used.add(slot)
  }
  return claim
}

function slotsInClaim({ says }: FrameMatch): string[] {
  return [...(says ?? '').matchAll(/\{(\w+)\}/g)].map(([, slot = '']) => slot)
}

/** Fills the slots with the words of the sentence; the last slot may need the restriction that follows it. */
function fillSlots(statement: Statement, says: string, { slots }: FrameMatch): string {
  const end = Math.max(...Object.values(slots).map(({ next }) => next))
  return says.replaceAll(/\{(\w+)\}/g, (_, slot: Slot) => {
    const reading = slots[slot]
    if (!reading) return ''
    return reading.next === end && RESTRICTABLE_SLOTS.has(slot) ? withRestriction(statement, reading) : reading.phrase
  })
}

/** Slots whose phrase may need a restriction. */
const RESTRICTABLE_SLOTS: ReadonlySet<Slot> = new Set<Slot>(['thing', 'gadget', 'premises', 'property', 'tool'])

const IRREGULAR = lookupTable<string>({
  be: 'is',
  have: 'has',
  launch: 'launches',
  go: 'goes',
  supply: 'supplies',
})

/** "acquire~ Globex" as "acquires Globex", "agrees to acquire Globex", "plans to acquire Globex". */
function conjugate(says: string, modality: Modality): string {
  return says.replace(/^(\w+)~/, (_, verb: string) => {
    if (modality === 'done') return IRREGULAR[verb] ?? `${verb}s`
    if (verb === 'be') return 'is to be'
    return modality === 'agreed' ? `agrees to ${verb}` : `plans to ${verb}`
  })
}

function collectDetails(statement: Statement, { frame, tails }: Matches, namesLocation: boolean): EventDetails {
  // A frame with a person gives the position, too; another position is not theirs.
  const people = frame?.slots.person
    ? []
    : PERSON_FRAMES.flatMap((pattern) => findFrame(statement, pattern) ?? []).filter(isLikely)
  const readings = [frame ?? [], tails, people.slice(0, 1)].flat().flatMap(({ slots }) => Object.entries(slots))
  const spansOf = (field: keyof EventDetails) =>
    readings.flatMap(([slot, { spans }]) => (DETAIL_OF_SLOT[slot as Slot] === field ? spans : []))
  const [first] = statement.words
  return {
    // With several sums it is not certain which one is meant.
    amount: spansOf('amount')[0] ?? (statement.sums.length === 1 ? statement.sums[0] : null) ?? null,
    people: distinct(spansOf('people')),
    position: spansOf('position')[0] ?? null,
    places: distinct([...spansOf('places'), ...findEventPlaces(statement, namesLocation)]),
    partners: distinct(spansOf('partners')),
    product: spansOf('product')[0] ?? null,
    date: first ? findDatePhrase(statement.text.slice(0, statement.words.at(-1)?.end), first.start) : null,
  }
}

/** Outside a frame only a common given name identifies a person. */
function isLikely({ slots }: FrameMatch): boolean {
  return hasGivenName(foldText(slots.person?.phrase ?? '').split(' '))
}

/** Without repetitions of the same text and without overlaps. */
function distinct(spans: readonly Span[]): Span[] {
  return spans.filter((span, i) => !spans.slice(0, i).some((known) => known.text === span.text || overlap(known, span)))
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}
