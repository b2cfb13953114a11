// One event that a signal described in words and another signal both found: it happened once.
import { contentStems, stemSimilarity } from '../custom-signals/words.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { companyNameWords, extractNamedThings } from './names.ts'

type Proof = { claim: string; quote?: string | null | undefined; source_url: string | null }
/** An event as a signal found it. */
export type FoundEvent = { signal_id: string; detected_at: string; evidence: readonly Proof[] }

/** Reports of one event follow within weeks. */
const SAME_STORY_DAYS = 21
/** From this share of common words on, two sentences tell the same. */
const MIN_SIMILARITY = 0.5
const DAY_MS = 86_400_000

/**
 * Puts together what is one event, in the order given; the first of each group leads it. Two built-in signals tell different
 * things of a text, so at least one of two that belong together is described in words. Every two of a group belong together:
 * else a described finding between them would join two events of built-in signals.
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

/** Most events are compared with none, so what they say is read when it is asked for. */
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

/** One event is told in much the same words, or on one page about the same names. */
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
