import { foldText } from '../text/fold.ts'
import { isEqualAfterRounding, parseFigures } from './figures.ts'

/** Shorter headlines, such as "Company news", are on many sites. */
const MIN_WORDS = 5
/** Smaller sums are prices. */
const MIN_SUM = 100_000

/**
 * Whether two headlines that name the same company can only be about one event: the same words, or the same sum of
 * money in the same currency. Stricter than `isSameEvent`, because it proves which of several companies of the name it is.
 */
export function isSameHeadline(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.length >= MIN_WORDS && a.join(' ') === b.join(' ')) return true
  const sums = sumsIn(one)
  return sums.length > 0 && sumsIn(other).some((sum) => sums.some((same) => isSameSum(sum, same)))
}

const wordsOf = (headline: string) => foldText(headline).match(/[\p{L}\p{N}]+/gu) ?? []

type Sum = { value: number; of: string }

const sumsIn = (headline: string): Sum[] =>
  parseFigures(headline).filter(({ value, of, isMoney }) => isMoney && of !== '' && value >= MIN_SUM)

const isSameSum = (a: Sum, b: Sum) => a.of === b.of && isEqualAfterRounding(a.value, b.value)
