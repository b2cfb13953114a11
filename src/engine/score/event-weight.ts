// How much an event matters to a seller. The weight follows the signal and the size of the event, not the number of reports.
import type { EventDetails } from '../claim/index.ts'
import { parseOpeningsClaim } from '../hiring/open-positions.ts'
import { lookupTable } from '../text/lookup-table.ts'

/** How often an event of the signal leads to a purchase, as sales teams rate it; also for sellers of other things. */
const SIGNAL_WEIGHTS = lookupTable<number>({
  funding: 0.9,
  leadership_change: 0.85,
  ipo: 0.8,
  acquisition: 0.75,
  hiring: 0.75,
  expansion: 0.7,
  security_incident: 0.7,
  technology_adoption: 0.6,
  layoffs: 0.5,
  product_launch: 0.45,
  customer_win: 0.45,
  partnership: 0.4,
})
/** A signal that the team described: it matters to them. */
const OTHER_WEIGHT = 0.75
/** An event of the smallest size has this share of the weight. */
const SMALLEST_SHARE = 0.45
/** The size of an event whose size is not known. */
const USUAL_SIZE = 0.6
const USUAL_WEIGHT = 0.9 * (SMALLEST_SHARE + (1 - SMALLEST_SHARE) * USUAL_SIZE)

export type EventSize = {
  /** Money, in US dollars. */
  amount: number | null
  /** Open positions or dismissed people. */
  count: number | null
}

/** The weight of a signal's events, 0 to 1. */
export const signalWeight = (signalId: string): number => SIGNAL_WEIGHTS[signalId] ?? OTHER_WEIGHT

/** The share of its signal's weight that an event has, 0 to 1: it grows with the order of magnitude of its size. */
export function sizeShare(signalId: string, { amount, count }: EventSize): number {
  return SMALLEST_SHARE + (1 - SMALLEST_SHARE) * relativeSize(signalId, amount, count)
}

function relativeSize(signalId: string, amount: number | null, count: number | null): number {
  // From 100,000 to 100 million dollars.
  if (amount !== null) return clamp(Math.log10(Math.max(amount, 1e5) / 1e5) / 3)
  if (count === null) return USUAL_SIZE
  if (signalId === 'hiring') return clamp(Math.log10(Math.max(count, 1)) / Math.log10(100))
  return signalId === 'layoffs' ? clamp(Math.log10(Math.max(count, 1)) / Math.log10(500)) : USUAL_SIZE
}

/** The weight of an event relative to a funding round of the usual size: up to 1.3 for a large one, 0.3 for a small partnership. */
export function eventWeight(signalId: string, evidence: readonly Proof[]): number {
  return (signalWeight(signalId) * sizeShare(signalId, sizeOf(signalId, evidence))) / USUAL_WEIGHT
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

type Proof = { claim: string; quote?: string | null; details?: EventDetails | null }

const PEOPLE =
  /(?<![\p{L}\d.])(\d{1,3}(?:[,.]\d{3})*|\d+) (?:[\p{L}-]+ ){0,2}(?:jobs|employees|people|workers|positions|roles|staff|staffers)(?!\p{L})/iu

/** The size of an event, from the first of its proofs that states one. */
export function sizeOf(signalId: string, evidence: readonly Proof[]): EventSize {
  const amounts = evidence.map(({ details }) => details?.amount && dollarsOf(details.amount.text))
  const counts = evidence.map(({ claim, quote }) => {
    if (signalId !== 'hiring' && signalId !== 'layoffs') return null
    const openings = parseOpeningsClaim(claim)?.count
    const people = PEOPLE.exec(claim)?.[1] ?? PEOPLE.exec(quote ?? '')?.[1]
    return openings ?? (people ? Number(people.replaceAll(/[,.]/g, '')) : null)
  })
  return {
    amount: amounts.find((amount) => typeof amount === 'number') ?? null,
    count: counts.find((count) => count !== null) ?? null,
  }
}

const FIGURE = /\d[\d,.]*\d|\d/
const SCALES: readonly [RegExp, number][] = [
  [/trillion|tn\b/i, 1e12],
  [/billion|bn\b|(?<=\d ?)b\b/i, 1e9],
  [/crore/i, 1e7],
  [/million|mln|mil\b|mio|mn\b|mm\b|(?<=\d ?)m\b/i, 1e6],
  [/lakh/i, 1e5],
  [/thousand|(?<=\d ?)k\b/i, 1e3],
]
/** Rough rates: only the order of magnitude of a sum counts. */
const RATES: readonly [RegExp, number][] = [
  [/€|eur/i, 1.1],
  [/£|gbp|pound/i, 1.3],
  [/chf|franc/i, 1.1],
  [/₹|\brs\b|inr|rupee/i, 0.012],
  [/¥|jpy|yen/i, 0.007],
  [/cny|rmb|yuan/i, 0.14],
  [/nok|sek|dkk|kron/i, 0.1],
  [/krw|huf/i, 0.001],
]

/** "€38 million" in US dollars; null when no figure is found. */
export function dollarsOf(sum: string): number | null {
  const [figure] = FIGURE.exec(sum) ?? []
  if (!figure) return null
  // "1.500.000" and "1,500,000" group digits; a single separator before other than three digits is a decimal mark.
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(figure)
  const number = Number(isGrouped ? figure.replaceAll(/[.,]/g, '') : figure.replace(',', '.'))
  if (!Number.isFinite(number)) return null
  const scale = SCALES.find(([word]) => word.test(sum))?.[1] ?? 1
  const rate = RATES.find(([currency]) => currency.test(sum))?.[1] ?? 1
  return number * scale * rate
}
