/** The wanted number of employees; null for no limit. */
export type SizeRange = { min: number | null; max: number | null }

// No whitespace can match in two ways, because long runs of it would cause catastrophic backtracking.
const NUMBER = String.raw`(\d{1,3}(?:[.,'’]\d{3})+|\d{1,7}(?:\.\d)?)(?:\s?(k|thousand))?`
const PEOPLE = String.raw`(?:full-time )?(?:employees|people|persons?|staff|ftes?|heads|headcount|workers|seats|team members|mitarbeiter\w*|salaries|empleados|medewerkers)\b`
const TO = String.raw`\s?(?:-|–|—|to|and|bis)\s?`
/** Units that follow a number of something else: money, time, places. */
const OTHER_UNIT = String.raw`(?!\s?(?:%|[€$£]|m\b|mm\b|mn\b|bn?\b|million|billion|eur|usd|gbp|arr\b|years?|months?|days?|hours?|locations|sites|offices|stores|users|customers|plants|beds|vehicles|branches))`
const LESS = String.raw`(?:under|fewer than|less than|up to|at most|below|maximum(?: of)?|max\.?|no more than|not more than|smaller than|bis zu|<=?|≤)`
const MORE = String.raw`(?:over|more than|at least|above|minimum(?: of)?|min\.?|from|upwards of|starting at|no fewer than|no less than|not less than|larger than|bigger than|ab|mindestens|>=?|≥)`
/** A number without a unit is a size where no other unit follows: "Manufacturers in Europe, 50-5,000". */
const ALONE = String.raw`${OTHER_UNIT}(?=\s*(?:$|[,.;)\]|]|in\b|across\b))`

const RANGE = `${NUMBER}${TO}${NUMBER}\\+?`
/**
 * The ranges after the first of several; each is also matched separately. Their number is limited, because a comma can be part of
 * a number.
 */
const LATER = RANGE.replaceAll(/\((?!\?)/g, '(?:')
const PATTERNS: { pattern: RegExp; read: (found: number[]) => SizeRange }[] = [
  {
    pattern: regex(`${RANGE}(?:(?:\\s|-)?${PEOPLE}|(?=(?:\\s?(?:,|or|and|/)\\s?${LATER}){1,8}\\s?${PEOPLE}))`),
    read: between,
  },
  {
    pattern: regex(
      `(?:employees|headcount|head count|company size|team size|size|staff)\\s?[:=]?\\s?(?:of |between |from )?${RANGE}${OTHER_UNIT}`,
    ),
    read: between,
  },
  { pattern: regex(`${LESS}\\s?${NUMBER}(?:\\s|-)?${PEOPLE}`), read: ([max = 0]) => ({ min: null, max }) },
  { pattern: regex(`${MORE}\\s?${NUMBER}(?:\\s|-)?${PEOPLE}`), read: ([min = 0]) => ({ min, max: null }) },
  {
    pattern: regex(`${NUMBER}\\s?(?:\\+|or more|and up|plus)\\s?${PEOPLE}`),
    read: ([min = 0]) => ({ min, max: null }),
  },
  {
    pattern: regex(
      `(?:employees|headcount|company size|team size|size|staff)\\s?[:=]?\\s?${NUMBER}\\s?(?:\\+|or more|and up)`,
    ),
    read: ([min = 0]) => ({ min, max: null }),
  },
]
const ALONE_PATTERNS: typeof PATTERNS = [
  { pattern: regex(`(?<![€$£\\d])\\b${RANGE}${ALONE}`), read: between },
  { pattern: regex(`${LESS}\\s?${NUMBER}${ALONE}`), read: ([max = 0]) => ({ min: null, max }) },
  { pattern: regex(`${MORE}\\s?${NUMBER}${ALONE}`), read: ([min = 0]) => ({ min, max: null }) },
]
/** The usual meaning of size words in sales. Figures take precedence. */
const WORDS: { pattern: RegExp; size: SizeRange }[] = [
  { pattern: /\bmid[- ]?(?:market|size|sized|cap)\b|\bmittelstand\b/, size: { min: 50, max: 2_000 } },
  {
    pattern: /\bsmbs?\b|\bsmes?\b|\bkmu\b|\bsmall(?:er)?(?:[- ](?:and|to|&|or)[- ]|\/)(?:medium|mid)/,
    size: { min: null, max: 500 },
  },
  { pattern: /\bsmall (?:business|compan|firm|team)|\bmicro[- ]?business/, size: { min: null, max: 50 } },
  {
    pattern:
      /\b(?:large )?enterprises?\b(?!\s(?:software|resource|grade|sales|application|architecture|saas|it\b))|\blarge (?:compan|corporat|business)|\bcorporates\b/,
    size: { min: 1_000, max: null },
  },
]

function regex(source: string): RegExp {
  return new RegExp(source, 'g')
}

function between([min = 0, max = 0]: number[]): SizeRange {
  return { min: Math.min(min, max), max: Math.max(min, max) }
}

/** "1,900" and "1.900" are 1900, "1.5k" 1500. */
function numbersOf(match: RegExpMatchArray): number[] {
  const found: number[] = []
  for (let at = 1; at < match.length; at += 2) {
    const digits = match[at]
    if (digits === undefined) continue
    const value = /[.,'’]\d{3}/.test(digits) ? Number(digits.replaceAll(/[.,'’]/g, '')) : Number(digits)
    found.push(value * (match[at + 1] ? 1000 : 1))
  }
  return found
}

export type FoundSizes = { figures: SizeRange[]; words: SizeRange[]; alone: SizeRange[] }

/** The sizes in a folded text. `isNegated` returns whether the text at an offset is excluded. */
export function findSizes(text: string, isNegated: (at: number) => boolean): FoundSizes {
  const read = (patterns: typeof PATTERNS) =>
    patterns.flatMap(({ pattern, read }) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const size = read(numbersOf(match))
        if (isYears(size)) return []
        return isNegated(match.index) ? opposite(size) : [size]
      }),
    )
  const figures = read(PATTERNS)
  const words = WORDS.flatMap(({ pattern, size }) => {
    const at = text.search(pattern)
    return at < 0 ? [] : isNegated(at) ? opposite(size) : [size]
  })
  return { figures, words, alone: read(ALONE_PATTERNS) }
}

const isYears = ({ min, max }: SizeRange) => [min, max].every((year) => year !== null && year >= 1900 && year <= 2100)

/** "No companies under 50 employees" means 50 and more, "none of 1-50" 51 and more; any other excluded range is ignored. */
function opposite({ min, max }: SizeRange): SizeRange[] {
  if (min !== null && max !== null) return min <= 1 ? [{ min: max + 1, max: null }] : []
  return [{ min: max, max: min }]
}

/** Combines all sizes to one range. Figures take precedence over words, and figures without a unit only fill gaps. */
export function combineSizes({ figures, words, alone }: FoundSizes): SizeRange | null {
  const size = together(figures) ?? together(alone) ?? anyOf(words)
  const bounds = together(alone.filter(({ min, max }) => min === null || max === null))
  return size && { min: size.min ?? bounds?.min ?? null, max: size.max ?? bounds?.max ?? null }
}

/** Several ranges are alternatives; a separate lower and upper bound are one range. */
function together(sizes: readonly SizeRange[]): SizeRange | null {
  if (sizes.length === 0) return null
  const ranges = sizes.filter(({ min, max }) => min !== null && max !== null)
  const read = ranges.length > 0 ? ranges : sizes
  const lows = read.flatMap(({ min }) => min ?? [])
  const highs = read.flatMap(({ max }) => max ?? [])
  return { min: lows.length > 0 ? Math.min(...lows) : null, max: highs.length > 0 ? Math.max(...highs) : null }
}

/** "SMB to mid-market" includes both. */
function anyOf(sizes: readonly SizeRange[]): SizeRange | null {
  if (sizes.length === 0) return null
  const lowest = Math.min(...sizes.map(({ min }) => min ?? 0))
  const highest = Math.max(...sizes.map(({ max }) => max ?? Infinity))
  return { min: lowest === 0 ? null : lowest, max: highest === Infinity ? null : highest }
}
