import { OFFICES } from '../english/words.ts'
import { isKnownPlace } from './gazetteer.ts'
import {
  areCommon,
  endOfName,
  hasOwn,
  isOver,
  isTorn,
  isWritten,
  KINDS,
  MOST_WORDS_OF_NAME,
  startOfName,
} from './names.ts'
import type { Reader, Reading } from './reading.ts'
import { type Span, spanOf } from './span.ts'
import { DESCRIPTIONS, FUNCTION_WORDS, VERBS } from './vocabulary.ts'
import type { Statement, Word } from './words.ts'

const MOST_WORDS_OF_HEADLINE_NAME = 5
const MOST_NAMES_IN_LIST = 8

/** The name of another organisation. */
export const readOrganisation: Reader = (statement, at) => readName(statement, at, false)

/** The name of another organisation that owns what follows: "Globex's acquisition". */
export const readOwner: Reader = (statement, at) => readName(statement, at, true)

function readName(statement: Statement, at: number, isOwner: boolean): Reading | null {
  const { words, isHeadline } = statement
  const start = startOfName(statement, at)
  let end = endOfName(statement, start)
  // "Tata's Agratas" is one name, as "Cork's Lee Animal Hospital" is; an owner alone is none.
  if (!isOwner && !isHeadline && words[end - 1]?.isPossessive && end > start) end = endOfName(statement, end)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || named.length > (isHeadline ? MOST_WORDS_OF_HEADLINE_NAME : MOST_WORDS_OF_NAME)) return null
  if (last.isPossessive !== isOwner || hasOwn(named) || areCommon(named)) return null
  if (!isOwner && !isOver(statement, end)) return null
  // "Developed in partnership with Acme" names nobody.
  if (named.length === 1 && start === 0 && /(?:ed|ing)$/.test(first.lower)) return null
  if (isTorn(statement, first.start, last.end)) return null
  // "200 MW" is a measure.
  if (/^\d[\d,.]*$/.test(first.text)) return null
  // "the Leona M." goes on.
  if (/^\p{Lu}\.$/u.test(last.text)) return null
  // "a U.S. Government Contractor" is one of many.
  if (start === at + 1 && /^an?$/.test(words[at]?.lower ?? '')) return null
  if (isHeadline && (DESCRIPTIONS.has(first.lower) || KINDS.has(last.lower.replace(/s$/, '')))) return null
  // "Acquires Ohio-Based PEO, Teamwork Services": the name is behind the comma.
  if (isHeadline && start > at && words[end]?.gap === 'comma') return null
  const span = spanOf(statement, first.start, last.end)
  if (/["“”]/.test(span.text)) return null
  if (!isWritten(span.text) || named.some(({ lower }) => OFFICES.has(lower)) || isKnownPlace(span.text)) return null
  const article = words[start - 1]
  const isArticle = article?.lower === 'the' && start - 1 === at
  const said = isArticle ? `${articleInside(article, at === 0 || isHeadline)} ${span.text}` : span.text
  return { next: end, spans: [span], said }
}

/** A claim begins with the company: the article that opened a sentence, or stands in a headline, is written small in it. */
function articleInside({ text, gap }: Word, isAnyCapital: boolean): string {
  return isAnyCapital || gap === 'stop' ? text.toLowerCase() : text
}

/** "Globex", "Globex and Initech", "Globex, Initech and Umbra": the claim says the first. */
export const readOrganisations: Reader = (statement, at) => {
  const first = readOrganisation(statement, at)
  if (!first) return null
  const spans = [...first.spans]
  let { next } = first
  const listed: Span[] = []
  let end = next
  while (spans.length + listed.length < MOST_NAMES_IN_LIST) {
    const word = statement.words[end]
    const isLast = word?.lower === 'and' || word?.lower === '&'
    if (!word || (!isLast && (word.gap !== 'comma' || FUNCTION_WORDS.has(word.lower)))) break
    const item = readOrganisation(statement, isLast ? end + 1 : end)
    if (!item || (isLast && beginsClause(statement, item.next))) break
    listed.push(...item.spans)
    end = item.next
    if (!isLast) continue
    // Only "and" proves that the commas before it made a list.
    spans.push(...listed)
    next = end
    break
  }
  return { next, spans, said: first.said }
}

function beginsClause({ words }: Statement, at: number): boolean {
  const word = words[at]
  return word?.gap === 'space' && (VERBS.has(word.lower) || /^(?:is|are|was|were|has|have|had|will)$/.test(word.lower))
}
