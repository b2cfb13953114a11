// Parses sums, headcounts, funding rounds and stock exchanges.
import { NUMBER_WORDS, wordSet } from '../english/words.ts'
import { findMoney } from './money-and-dates.ts'
import { areCommonWords, findNameEnd, includesOwnName } from './name-bounds.ts'
import { spanOf } from './span.ts'
import type { SlotParser, Word } from './statement.ts'
import { FUNCTION_WORDS } from './vocabulary.ts'

const QUALIFIERS = wordSet('up to more than over nearly about approximately around at least some almost an a')

function skipQualifiers(words: readonly Word[], at: number): number {
  let start = at
  while (start < at + 3 && QUALIFIERS.has(words[start]?.lower ?? '')) start++
  return start
}

export const parseSum: SlotParser = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, at)
  const first = words[start]
  if (!first || !/\d/.test(first.text + (words[start + 1]?.text ?? ''))) return null
  const sum = statement.sums.find((span) => span.start === first.start)
  if (!sum) return null
  const isAtMost = start - at >= 2 && words[start - 2]?.lower === 'up'
  const next = words.findIndex((word) => word.start >= sum.end)
  return {
    next: next < 0 ? words.length : next,
    spans: [sum],
    phrase: isAtMost ? `up to ${sum.text}` : sum.text,
  }
}

/** The only sum of a sentence: with several, another one may be meant. */
export const parseSingleSum: SlotParser = (statement, at) =>
  statement.sums.length === 1 ? parseSum(statement, at) : null

const isNumber = ({ text, lower }: Word) =>
  /^\d{1,3}(?:,\d{3})+$|^\d{1,6}$/.test(text) || (NUMBER_WORDS.get(lower) ?? 0) > 1

/** A number of people or jobs: "50 new employees". The noun decides which. */
function headcountParser(nouns: RegExp): SlotParser {
  return (statement, at) => {
    const { words } = statement
    const start = skipQualifiers(words, at)
    const first = words[start]
    if (!first || !isNumber(first)) return null
    const noun = findNoun(words, start + 1, nouns)
    return (
      noun && {
        next: noun.at + 1,
        spans: [spanOf(statement, first.start, first.end)],
        phrase: uncapitalised(first) + statement.text.slice(first.end, noun.end),
      }
    )
  }
}

/**
 * The first of the nouns within the next few words of the same phrase; function words that match `passes` do not end
 * the phrase.
 */
function findNoun(words: readonly Word[], from: number, nouns: RegExp, passes = /^$/): (Word & { at: number }) | null {
  for (let at = from; at < from + 4; at++) {
    const word = words[at]
    if (word?.gap !== 'space' || (FUNCTION_WORDS.has(word.lower) && !passes.test(word.lower))) return null
    if (nouns.test(word.lower)) return { ...word, at }
  }
  return null
}

/** A number word in lower case, because it may have opened its sentence. */
const uncapitalised = ({ text, lower }: Word) => (NUMBER_WORDS.has(lower) ? lower : text)

export const parseWorkerCount = headcountParser(
  /^(?:employees|people|workers|engineers|developers|staff|professionals|drivers|technicians|specialists|nurses|teachers|associates|hires|scientists|researchers|members|consultants|salespeople|apprentices|graduates|analysts|designers|operators|pickers|hands|trainees|pilots|carers|baristas|representatives|physicists|linguists|chefs|cooks|miners|artists|contractors|boatbuilders|seafarers|crew|assistants|electricians|welders|mechanics|clerks|agents|interns|managers|programmers|guards|partners|boatbuilders|labourers|laborers|machinists|couriers|physicians|doctors|carpenters|installers|fitters|coders|testers|advisers|advisors|inspectors|planners)$/,
)
export const parseJobCount = headcountParser(/^(?:jobs|positions|roles|posts|openings|vacancies)$/)
/** The number of people or jobs without its noun. */
export const parseHeadcount: SlotParser = (statement, at) => {
  // "half of its 220 people", "all but six of its 130 workers".
  if (statement.words[at - 1]?.lower === 'but' || statement.words[at - 1]?.isPossessive) return null
  if (/^(?:of|its|their|the|our|from|than)$/.test(statement.words[at - 1]?.lower ?? ''))
    return parsePartOfHeadcount(statement, at)
  const found = parseWorkerCount(statement, at) ?? parseJobCount(statement, at)
  return found ? { ...found, phrase: found.spans[0]?.text ?? '' } : parsePartOfHeadcount(statement, at)
}

/** "600 of its 1,900 workers": the first number. */
const parsePartOfHeadcount: SlotParser = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, at)
  const first = words[start]
  if (!first || !isNumber(first) || words[start + 1]?.lower !== 'of') return null
  const owner = /^(?:its|the|their|our)$/.test(words[start + 2]?.lower ?? '') ? start + 3 : start + 2
  const all = parseWorkerCount(statement, owner) ?? parseJobCount(statement, owner)
  const next = all?.next ?? owner + 1
  if (!all && !/^(?:employees|workers|staff|people|jobs)$/.test(words[owner]?.lower ?? '')) return null
  return { next, spans: [spanOf(statement, first.start, first.end)], phrase: first.text }
}

/** A number that is followed by no noun: "axes 140 as orders dry up". */
export const parsePlainNumber: SlotParser = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, words[at]?.lower === 'another' ? at + 1 : at)
  const first = words[start]
  if (!first || !isNumber(first) || /^(?:19|20)\d\d$/.test(first.text)) return null
  const next = words[start + 1]
  if (next?.gap === 'space' && !/^(?:as|in|at|after|amid|to|from|and|over)$/.test(next.lower)) return null
  return { next: start + 1, spans: [spanOf(statement, first.start, first.end)], phrase: first.text }
}

const COUNTED =
  /^(?:customers?|patients|users|records|accounts|members|people|guests|log-ins|logins|clients|employees|passengers|subscribers|students|pupils|individuals|households|files|tickets|residents|donors|policyholders|drivers|shoppers|players|workers|staff|citizens|consumers|borrowers|tenants|parents|passwords|emails|cards|messages|documents|travellers|travelers)$/

/** Who or what an incident affected: "17,000 patients". */
export const parseAffectedCount: SlotParser = (statement, at) => {
  const { words } = statement
  const first = words[at]
  if (!first || !/^\d{1,3}(?:,\d{3})+$|^\d{2,7}$/.test(first.text) || /^(?:19|20)\d\d$/.test(first.text)) {
    if (!first || !/^\d+(?:\.\d+)?(?:m|k|M|K)?$/.test(first.text)) return null
  }
  const noun = findNoun(words, at + 1, COUNTED, /^and$/)
  const span = noun && spanOf(statement, first.start, noun.end)
  return span && { next: noun.at + 1, spans: [span], phrase: span.text }
}

/** "17%", "17 per cent". */
export const parsePercentage: SlotParser = (statement, at) => {
  const { words } = statement
  const start = skipQualifiers(words, at)
  const first = words[start]
  if (!first) return null
  const isSpelled = /^per ?cent$/.test(words[start + 1]?.lower ?? '') && isNumber(first)
  if (!/^\d{1,3}(?:\.\d+)?%$/.test(first.text) && !isSpelled) return null
  const next = isSpelled ? start + 2 : start + 1
  const span = spanOf(statement, first.start, (words[next - 1] as Word).end)
  return { next, spans: [span], phrase: span.text }
}

/** The price of a share: any sum of money, including those that are no deal value. */
export const parseSharePrice: SlotParser = (statement, at) => {
  const { words, text } = statement
  const first = words[at]
  if (!first) return null
  const [price] = findMoney(text.slice(first.start, first.start + 30))
  if (price?.start !== 0) return null
  const next = words.findIndex((word) => word.start >= first.start + price.end)
  const span = spanOf(statement, first.start, first.start + price.end)
  return { next: next < 0 ? words.length : next, spans: [span], phrase: span.text }
}

const WORKFORCE = /^(?:workforce|staff|employees|headcount|workers|jobs|team|personnel)$/

/** "15% of its workforce". */
export const parseWorkforceShare: SlotParser = (statement, at) => {
  const { words, text } = statement
  const share = parsePercentage(statement, at)
  if (!share || words[share.next]?.lower !== 'of') return null
  const noun = findNoun(words, share.next + 1, WORKFORCE, /./)
  return noun && { next: noun.at + 1, spans: share.spans, phrase: text.slice(share.spans[0]?.start, noun.end) }
}

/** "Series B", "a seed round". */
export const parseFundingRound: SlotParser = ({ text, words }, at) => {
  const word = words[at]
  const next = words[at + 1]
  if (
    word?.lower === 'series' &&
    next?.gap === 'space' &&
    /^[A-H]\d?$/.test(next.text) &&
    !/^(?:convertible|preferred)$/.test(words[at + 2]?.lower ?? '')
  )
    return { next: at + 2, spans: [], phrase: text.slice(word.start, next.end) }
  if (word && /^(?:pre-)?seed$/.test(word.lower)) return { next: at + 1, spans: [], phrase: `a ${word.lower} round` }
  return null
}

const EXCHANGES = wordSet('nasdaq nyse euronext aim tsx tsxv lse asx hkex otcqb otcqx')

/** "Nasdaq", "the New York Stock Exchange", "Euronext Paris". */
export const parseStockExchange: SlotParser = (statement, at) => {
  const { words, text } = statement
  const start = words[at]?.lower === 'the' ? at + 1 : at
  const end = findNameEnd(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || includesOwnName(named) || named.length > 5) return null
  const isExchange = EXCHANGES.has(first.lower) || /^(?:exchange|markets?)$/.test(last.lower)
  if (!isExchange || areCommonWords(named)) return null
  return { next: end, spans: [], phrase: text.slice((words[at] as Word).start, last.end) }
}
