import { findDealSums, findMoney } from '../claim/money-and-dates.ts'
import { FUNCTION_WORDS } from '../claim/vocabulary.ts'
import { monthNumber } from '../english/calendar.ts'
import { NUMBER_WORDS } from '../english/words.ts'

/**
 * A number in a text. `of` is its unit: the currency of a deal sum, or the noun that follows; empty where that is not
 * specific.
 */
export type Figure = { value: number; of: string; isMoney: boolean }

const wordsBetween = (least: number, most: number) =>
  [...NUMBER_WORDS].flatMap(([word, value]) => (value >= least && value <= most ? [word] : []))
const UNITS = wordsBetween(1, 9)
const TENS = wordsBetween(20, 90)
const SPELLED_NUMBER = new RegExp(
  String.raw`\b(${TENS.join('|')})[- ](${UNITS.join('|')})\b|\b(${wordsBetween(1, 90).join('|')})\b`,
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
/** Durations, shares and company sizes: reports of one event contain several of them. */
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
  // Prices and valuations have no unit: they may match, but contradict nothing.
  const sums = new Set(findDealSums(plain).map(({ start }) => start))
  const figures = money.map(({ text, start }) => {
    return { value: scaledValue(text), of: sums.has(start) ? currencyOf(text) : '', isMoney: true }
  })
  let rest = plain
  for (const { start, end } of money) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end)
  for (const { 0: all, groups } of rest.matchAll(COUNT)) {
    const noun = groups?.noun ?? ''
    if (/^(?:19|20)\d\d$/.test(groups?.number ?? '') || monthNumber(noun) > 0) continue
    const of = noun.length < 4 || FUNCTION_WORDS.has(noun) || UNSPECIFIC_NOUN.test(noun) ? '' : noun
    figures.push({ value: scaledValue(all), of, isMoney: false })
  }
  return figures
}

const COUNT =
  /(?<![\p{L}\p{N}.,:-])(?<number>\d{1,12}(?:\.\d{1,6})?)(?!\d|[:.-]\d)(?:[ -]?(?:thousand|million|billion|trillion|crore|lakh|mn|bn|[mk])\b)?(?:[- ]?(?<noun>\p{Ll}+))?/gu

const spelledValue = (word: string | undefined) => NUMBER_WORDS.get(word?.toLowerCase() ?? '') ?? 0

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

/** "8.2 million" may be reported as "eight million", "311" as "some 300"; small numbers are not rounded. */
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
