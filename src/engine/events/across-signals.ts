// One event that a signal described in words and another signal both found: it happened once.
import { contentStems, likenessOf } from '../custom-signals/words.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { ownWords, readNames } from './names.ts'

type Proof = { claim: string; quote?: string | null | undefined; source_url: string | null }
/** An event as a signal found it. */
export type FoundEvent = { signal_id: string; detected_at: string; evidence: readonly Proof[] }

/** Reports of one event follow within weeks. */
const SAME_STORY_DAYS = 21
/** From this share of common words on, two sentences tell the same. */
const MUCH_ALIKE = 0.5
const DAY_MS = 86_400_000

/**
 * Puts together what is one event, in the order given; the first of each group leads it. Two built-in signals tell different
 * things of a text, so at least one of two that belong together is described in words. Every two of a group belong together:
 * else a described finding between them would join two events of built-in signals.
 */
export function groupAcrossSignals<E extends FoundEvent>(events: readonly E[], companyName: string): [E, ...E[]][] {
  const own = ownWords(companyName)
  const groups: { events: [E, ...E[]]; read: ReadEvent[] }[] = []
  const isAnyDescribed = events.some(isDescribed)
  for (const event of events) {
    // Most accounts have none, and then nothing has to be read.
    const read = isAnyDescribed ? readEvent(event, own) : { ...event, proofs: [] }
    const same = groups.find((group) => group.read.every((other) => isOneEvent(other, read)))
    if (same) {
      same.events.push(event)
      same.read.push(read)
    } else groups.push({ events: [event], read: [read] })
  }
  return groups.map((group) => group.events)
}

const isDescribed = ({ signal_id }: { signal_id: string }) => findBuiltinSignal(signal_id) === undefined

type ReadEvent = Pick<FoundEvent, 'signal_id' | 'detected_at'> & {
  proofs: { page: string | null; stems: ReadonlySet<string>; names: readonly string[] }[]
}

function readEvent({ signal_id, detected_at, evidence }: FoundEvent, own: ReadonlySet<string>): ReadEvent {
  const proofs = evidence.map(({ claim, quote, source_url: page }) => {
    const sentence = quote ?? claim
    return { page, stems: contentStems(sentence), names: readNames(sentence, own) }
  })
  return { signal_id, detected_at, proofs }
}

/** One event is told in much the same words, or on one page about the same names. */
function isOneEvent(a: ReadEvent, b: ReadEvent): boolean {
  if (a.signal_id === b.signal_id || !(isDescribed(a) || isDescribed(b))) return false
  if (Math.abs(Date.parse(a.detected_at) - Date.parse(b.detected_at)) / DAY_MS > SAME_STORY_DAYS) return false
  return a.proofs.some((one) =>
    b.proofs.some(
      (other) =>
        likenessOf(one.stems, other.stems) >= MUCH_ALIKE ||
        (one.page !== null && one.page === other.page && one.names.some((name) => other.names.includes(name))),
    ),
  )
}
