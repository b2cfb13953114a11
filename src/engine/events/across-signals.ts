// Groups events that a signal described in words and another signal both found.
import { contentStems, stemSimilarity } from '../custom-signals/words.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { companyNameWords, extractNamedThings } from './names.ts'

type Proof = { claim: string; quote?: string | null | undefined; source_url: string | null }
/** An event as a signal found it. */
export type FoundEvent = { signal_id: string; detected_at: string; evidence: readonly Proof[] }

/** Reports of one event appear within weeks. */
const SAME_STORY_DAYS = 21
/** Minimum share of common stems of two sentences about one event. */
const MIN_SIMILARITY = 0.5
const DAY_MS = 86_400_000

/**
 * Groups the same events, in the given order; the first of each group represents it. Two built-in signals find
 * different events in a text, so at least one of a pair is described in words. All pairs of a group must match:
 * otherwise a described finding could join two events of built-in signals.
 */
export function groupEventsAcrossSignals<E extends FoundEvent>(
  events: readonly E[],
  companyName: string,
): [E, ...E[]][] {
  const own = companyNameWords(companyName)
  const groups: [ParsedEvent<E>, ...ParsedEvent<E>[]][] = []
  for (const event of events) {
    const read = parseEvent(event, own)
    const same = groups.find((group) => group.every((other) => isOneEvent(other, read)))
    if (same) same.push(read)
    else groups.push([read])
  }
  return groups.map(([first, ...others]) => [first.event, ...others.map(({ event }) => event)])
}

type ParsedEvent<E> = { event: E; signal_id: string; isDescribed: boolean; time: number; proofs: () => ParsedProof[] }
type ParsedProof = { page: string | null; stems: ReadonlySet<string>; names: readonly string[] }

/** Parses proofs lazily, because most events are compared with no other. */
function parseEvent<E extends FoundEvent>(event: E, own: ReadonlySet<string>): ParsedEvent<E> {
  const { signal_id, detected_at, evidence } = event
  let proofs: ParsedProof[] | null = null
  const read = () =>
    evidence.map(({ claim, quote, source_url: page }) => {
      const sentence = quote ?? claim
      return { page, stems: contentStems(sentence), names: extractNamedThings(sentence, own) }
    })
  return {
    event,
    signal_id,
    isDescribed: findBuiltinSignal(signal_id) === undefined,
    time: Date.parse(detected_at),
    proofs: () => {
      proofs ??= read()
      return proofs
    },
  }
}

/** Reports of one event have similar sentences, or are on one page and share a name. */
function isOneEvent(a: ParsedEvent<unknown>, b: ParsedEvent<unknown>): boolean {
  if (a.signal_id === b.signal_id || !(a.isDescribed || b.isDescribed)) return false
  if (Math.abs(a.time - b.time) / DAY_MS > SAME_STORY_DAYS) return false
  return a
    .proofs()
    .some((one) =>
      b
        .proofs()
        .some(
          (other) =>
            stemSimilarity(one.stems, other.stems) >= MIN_SIMILARITY ||
            (one.page !== null && one.page === other.page && one.names.some((name) => other.names.includes(name))),
        ),
    )
}
