// Parses products by name, and products and sites by kind.
import { OFFICE_TITLES } from '../english/words.ts'
import { isKnownPlace } from './gazetteer.ts'
import {
  ARTICLES,
  findNameEnd,
  isCommonWord,
  isNameComplete,
  isNameWord,
  isPlausibleName,
  isQuoteFragment,
  MAX_DESCRIPTION_WORDS,
} from './name-bounds.ts'
import { spanOf } from './span.ts'
import type { SlotParser, Statement, Word } from './statement.ts'
import { DESCRIPTIONS, FUNCTION_WORDS, PRODUCTS, SITES, VERBS } from './vocabulary.ts'

/** The name of a product, which may contain the company's name. */
export const parseProduct: SlotParser = (statement, at) => {
  const { words, isHeadline } = statement
  let start = at
  while (start < at + 5 && isDescribing(words[start], start === at, isHeadline)) start++
  const end = findNameEnd(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (!first || !last || last.isPossessive || named.every(({ isOwn }) => isOwn)) return null
  if (named.every((word) => isCommonWord(word) || PRODUCTS.has(word.lower))) return null
  // "a Naughty and Nice Hot Chocolate Bar" is one thing without a name.
  if (/^an?$/.test(words[start - 1]?.lower ?? '') && words[end]?.lower === 'and') return null
  if (isHeadline && (named.length > 4 || (start > at && !isDistinctive(named)))) return null
  // "Updated High Density, Low Power Platform" continues.
  const after = words[end]
  if (isHeadline && after?.gap === 'comma' && isNameWord(after, isHeadline)) return null
  // "Buy Now, Pay Later" continues as well.
  if (after?.gap === 'comma' && after.isCapital && !FUNCTION_WORDS.has(after.lower)) return null
  if (isQuoteFragment(statement, first.start, last.end)) return null
  const isKind = after?.gap === 'space' && PRODUCTS.has(after.lower.replace(/s$/, ''))
  if (!isNameComplete(statement, end) && !isKind) return null
  const span = spanOf(statement, first.start, last.end)
  if (!isPlausibleName(span.text) || named.some(({ lower }) => OFFICE_TITLES.has(lower)) || isKnownPlace(span.text))
    return null
  const said = isKind ? spanOf(statement, first.start, after.end) : span
  return { next: isKind ? end + 1 : end, spans: [span], phrase: said.text }
}

function isDistinctive(words: readonly Word[]): boolean {
  return words.some(({ text }) => /\d|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(text))
}

function isDescribing(word: Word | undefined, isFirst: boolean, isHeadline: boolean): boolean {
  if (!word || (!isFirst && word.gap !== 'space')) return false
  if (ARTICLES.has(word.lower) || ['its', 'their', 'our'].includes(word.lower)) return true
  if (isHeadline) return DESCRIPTIONS.has(word.lower)
  return !isNameWord(word, false) && !FUNCTION_WORDS.has(word.lower) && !VERBS.has(word.lower)
}

/** Only the kind of product: "a platform". */
export const parseProductKind: SlotParser = (statement, at) => {
  const found = parseHeadNoun(statement, at, (noun) => (PRODUCTS.has(noun) ? noun : undefined))
  return found && { next: found.next, spans: [], phrase: withArticle(found.noun) }
}

/** Only the kind of site: "a plant", "stores". */
export const parseSiteKind: SlotParser = (statement, at) => {
  const found = parseHeadNoun(statement, at, (noun) => SITES.get(noun))
  if (!found) return null
  const isPlural = found.noun.endsWith('s') && found.noun !== 'headquarters' && found.noun !== 'campus'
  return { next: found.next, spans: [], phrase: isPlural ? found.noun : withArticle(found.noun) }
}

/** Modifiers that are kept with "center", which is not informative alone. */
const CENTERS = new Set(
  'data distribution service fulfillment logistics research innovation training medical'.split(' '),
)
const OWNERS = new Set('its their our his her the a an first second third next'.split(' '))

/** The head noun of a noun phrase, if it is one of those wanted. */
function parseHeadNoun(
  statement: Statement,
  at: number,
  wanted: (noun: string) => string | undefined,
): { next: number; noun: string } | null {
  const { words } = statement
  for (let i = at; i < at + MAX_DESCRIPTION_WORDS; i++) {
    const word = words[i]
    if (!word || (i > at && word.gap !== 'space')) return null
    if (FUNCTION_WORDS.has(word.lower) && !OWNERS.has(word.lower) && word.lower !== 'and') return null
    const noun = wanted(word.lower)
    if (noun === undefined || !isNameComplete(statement, i + 1)) continue
    const before = i > at ? (words[i - 1]?.lower ?? '') : ''
    return { next: i + 1, noun: /^cent/.test(noun) && CENTERS.has(before) ? `${before} ${noun}` : noun }
  }
  return null
}

function withArticle(noun: string): string {
  return `${/^[aeio]|^api$/.test(noun) ? 'an' : 'a'} ${noun}`
}
