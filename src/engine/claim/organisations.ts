import { OFFICE_TITLES } from '../english/words.ts'
import { isKnownPlace } from './gazetteer.ts'
import {
  areCommonWords,
  findNameEnd,
  findNameStart,
  includesOwnName,
  isNameComplete,
  isPlausibleName,
  isQuoteFragment,
  MAX_NAME_WORDS,
  ORGANISATION_KINDS,
} from './name-bounds.ts'
import { type Span, spanOf } from './span.ts'
import type { SlotMatch, SlotParser, Statement, Word } from './statement.ts'
import { DESCRIPTIONS, FUNCTION_WORDS, VERBS } from './vocabulary.ts'

const MOST_WORDS_OF_HEADLINE_NAME = 5
const MOST_NAMES_IN_LIST = 8

/** The name of another organisation. */
export const parseOrganisation: SlotParser = (statement, at) => parseOrganisationName(statement, at, false)

/** The name of another organisation that owns what follows: "Globex's acquisition". */
export const parseOwner: SlotParser = (statement, at) => parseOrganisationName(statement, at, true)

function parseOrganisationName(statement: Statement, at: number, isOwner: boolean): SlotMatch | null {
  const { words, isHeadline } = statement
  const start = findNameStart(statement, at)
  let end = findNameEnd(statement, start)
  // "Tata's Agratas" and "Cork's Lee Animal Hospital" are one name; an owner alone is not.
  if (!isOwner && !isHeadline && words[end - 1]?.isPossessive && end > start) end = findNameEnd(statement, end)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || named.length > (isHeadline ? MOST_WORDS_OF_HEADLINE_NAME : MAX_NAME_WORDS)) return null
  if (last.isPossessive !== isOwner || includesOwnName(named) || areCommonWords(named)) return null
  if (!isOwner && !isNameComplete(statement, end)) return null
  // "Developed in partnership with Acme" contains no other name.
  if (named.length === 1 && start === 0 && /(?:ed|ing)$/.test(first.lower)) return null
  if (isQuoteFragment(statement, first.start, last.end)) return null
  // "200 MW" is a measure.
  if (/^\d[\d,.]*$/.test(first.text)) return null
  // "the Leona M." is incomplete.
  if (/^\p{Lu}\.$/u.test(last.text)) return null
  // "a U.S. Government Contractor" is one of many, not a name.
  if (start === at + 1 && /^an?$/.test(words[at]?.lower ?? '')) return null
  if (isHeadline && (DESCRIPTIONS.has(first.lower) || ORGANISATION_KINDS.has(last.lower.replace(/s$/, '')))) return null
  // "Acquires Ohio-Based PEO, Teamwork Services": the name follows the comma.
  if (isHeadline && start > at && words[end]?.gap === 'comma') return null
  const span = spanOf(statement, first.start, last.end)
  if (/["“”]/.test(span.text)) return null
  if (!isPlausibleName(span.text) || named.some(({ lower }) => OFFICE_TITLES.has(lower)) || isKnownPlace(span.text))
    return null
  const article = words[start - 1]
  const isArticle = article?.lower === 'the' && start - 1 === at
  const said = isArticle ? `${articleInside(article, at === 0 || isHeadline)} ${span.text}` : span.text
  return { next: end, spans: [span], phrase: said }
}

/**
 * A claim begins with the company, so an article that opened a sentence or is part of a headline becomes lower case.
 */
function articleInside({ text, gap }: Word, isAnyCapital: boolean): string {
  return isAnyCapital || gap === 'stop' ? text.toLowerCase() : text
}

/** "Globex", "Globex and Initech", "Globex, Initech and Umbra": the claim contains the first. */
export const parseOrganisations: SlotParser = (statement, at) => {
  const first = parseOrganisation(statement, at)
  if (!first) return null
  const spans = [...first.spans]
  let { next } = first
  const listed: Span[] = []
  let end = next
  while (spans.length + listed.length < MOST_NAMES_IN_LIST) {
    const word = statement.words[end]
    const isLast = word?.lower === 'and' || word?.lower === '&'
    if (!word || (!isLast && (word.gap !== 'comma' || FUNCTION_WORDS.has(word.lower)))) break
    const item = parseOrganisation(statement, isLast ? end + 1 : end)
    if (!item || (isLast && beginsClause(statement, item.next))) break
    listed.push(...item.spans)
    end = item.next
    if (!isLast) continue
    // Only "and" proves that the commas before it separate a list.
    spans.push(...listed)
    next = end
    break
  }
  return { next, spans, phrase: first.phrase }
}

function beginsClause({ words }: Statement, at: number): boolean {
  const word = words[at]
  return word?.gap === 'space' && (VERBS.has(word.lower) || /^(?:is|are|was|were|has|have|had|will)$/.test(word.lower))
}
