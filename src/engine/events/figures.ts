import { findDealSums, findMoney } from '../claim/money-and-dates.ts'
import { FUNCTION_WORDS } from '../claim/vocabulary.ts'

/**
 * A number of a text. `of` is what it counts: the currency of a sum that changes hands, or the noun that follows; empty
 * where that says nothing.
 */
export type Figure = { value: number; of: string; isMoney: boolean }

const UNITS = 'one two three four five six seven eight nine'.split(' ')
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SPELLED = new Map([
  ...UNITS.map((word, i) => [word, i + 1] as const),
  ...TEENS.map((word, i) => [word, i + 10] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
])
const SPELLED_NUMBER = new RegExp(
  String.raw`\b(${TENS.join('|')})[- ](${UNITS.join('|')})\b|\b(${[...SPELLED.keys()].join('|')})\b`,
  'gi',
)
const SCALES: ReadonlyMap<string, number> = new Map([
  ...['k', 'thousand'].map((word) => [word, 1e3] as const),
  ['lakh', 1e5],
  ...['m', 'mm', 'mn', 'mil', 'mio', 'mln', 'million'].map((word) => [word, 1e6] as const),
  ['crore', 1e7],
  ...['b', 'bn', 'billion'].map((word) => [word, 1e9] as const),
  ...['tn', 'trillion'].map((word) => [word, 1e12] as const),
])
const CURRENCIES: readonly (readonly [string, RegExp])[] = [
  ['usd', /^(?:us)?\$|usd|(?<!canadian |australian )dollar/i],
  ['eur', /€|eur/i],
  ['gbp', /£|gbp|pound/i],
  ['inr', /₹|^rs|inr|rupee/i],
]
const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/
/** How long, how large a part, how large the company: one event is told with several of them. */
const UNSPECIFIC_NOUN =
  /^(?:years?|months?|weeks?|days?|hours?|minutes?|per|percent|people|persons?|employees|staff|times)$/

/** Numbers in digits or in English words, without years, days and times. */
export function parseFigures(text: string): Figure[] {
  const plain = text
    .replace(SPELLED_NUMBER, (_, tens?: string, unit?: string, one?: string) =>
      String(spelledValue(tens) + spelledValue(unit) + spelledValue(one)),
    )
    .replace(/\b(\d{1,2}) hundred\b/gi, '$100')
    .replace(/(?<=\b\d{1,3})[ \u00a0,](?=\d{3}(?!\d))/g, '')
  if (!/\d/.test(plain)) return []
  const money = findMoney(plain)
  // Prices and valuations stand beside the sum: they may be shared, and contradict nothing.
  const sums = new Set(findDealSums(plain).map(({ start }) => start))
  const figures = money.map(({ text, start }) => {
    return { value: scaledValue(text), of: sums.has(start) ? currencyOf(text) : '', isMoney: true }
  })
  let rest = plain
  for (const { start, end } of money) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end)
  for (const { 0: all, groups } of rest.matchAll(COUNT)) {
    const noun = groups?.noun ?? ''
    if (/^(?:19|20)\d\d$/.test(groups?.number ?? '') || MONTH.test(noun)) continue
    const of = noun.length < 4 || FUNCTION_WORDS.has(noun) || UNSPECIFIC_NOUN.test(noun) ? '' : noun
    figures.push({ value: scaledValue(all), of, isMoney: false })
  }
  return figures
}

const COUNT =
  /(?<![\p{L}\p{N}.,:-])(?<number>\d{1,12}(?:\.\d{1,6})?)(?!\d|[:.-]\d)(?:[ -]?(?:thousand|million|billion|trillion|crore|lakh|mn|bn|[mk])\b)?(?:[- ]?(?<noun>\p{Ll}+))?/gu

const spelledValue = (word: string | undefined) => SPELLED.get(word?.toLowerCase() ?? '') ?? 0

function scaledValue(text: string): number {
  const [, number = '0', scale = ''] = /(\d[\d.]*)[ -]?(\p{L}*)/u.exec(text.replaceAll(',', '')) ?? []
  return Math.round(Number.parseFloat(number) * (SCALES.get(scale.toLowerCase()) ?? 1) * 1e6) / 1e6
}

function currencyOf(sum: string): string {
  const known = CURRENCIES.find(([, pattern]) => pattern.test(sum))
  return (
    known?.[0] ??
    sum.toLowerCase().replaceAll(/[\d.,\s]+(?:thousand|million|billion|trillion|crore|[mb]n?\b|k\b)?/g, '')
  )
}

/** "8.2 million" is retold as "eight million", "311" as "some 300"; small numbers are not rounded. */
export function isEqualAfterRounding(a: number, b: number): boolean {
  if (a === b) return true
  if (Math.max(a, b) < MIN_ROUNDED) return false
  return roundsTo(a, b) || roundsTo(b, a)
}

const MIN_ROUNDED = 100

function roundsTo(value: number, round: number): boolean {
  const digits = String(round).replace(/\.|0+$/g, '').length
  return Number(value.toPrecision(Math.max(1, Math.min(digits, 15)))) === round
}
