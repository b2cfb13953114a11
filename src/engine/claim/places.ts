import { isKnownPlace, isPlaceInRegion, isStateCode } from './gazetteer.ts'
import { areCommonWords, findNameEnd, includesOwnName, isNameComplete } from './name-bounds.ts'
import { type Span, spanOf } from './span.ts'
import type { SlotParser, Statement, Word } from './statement.ts'

const BEFORE_PLACE = new Set('the downtown central northern southern eastern western nearby greater'.split(' '))

/** A place where the sentence indicates that one follows. */
export const parsePlace: SlotParser = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 2 && BEFORE_PLACE.has(words[start]?.lower ?? '') && !words[start]?.isCapital) start++
  const end = endOfPlace(statement, start)
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  if (
    !first ||
    !last ||
    named.length > 5 ||
    named.some(({ text }) => /\d/.test(text)) ||
    includesOwnName(named) ||
    last.isPossessive
  )
    return null
  const name = words.slice(start, start + namedBeforeComma(named))
  const text = spanOf(statement, first.start, (name.at(-1) as Word).end).text
  const isKnown = isKnownPlace(text) || name.length < named.length
  if (
    !isKnown &&
    (areCommonWords(name) || name.some(({ lower }) => NOT_PLACES.has(lower)) || /^\p{Lu}{2,}$/u.test(text))
  )
    return null
  // "the Chicago restaurant market" still names the place; "Paris Fashion Week" and "Somerset shop" may not.
  const goesOn = !isNameComplete(statement, end)
  if (goesOn && (!isKnownPlace(text) || words[end]?.isCapital)) return null
  const span = spanOf(statement, first.start, last.end)
  const article = words[start - 1]
  const said =
    start > at && article?.lower === 'the' && !goesOn && words[end]?.lower !== 'and'
      ? spanOf(statement, article.start, last.end)
      : span
  return { next: end, spans: [span], phrase: said.text }
}

const OPENS_DESCRIPTION =
  /^(?:which|who|whose|where|a|an|the|its|based|headquartered|founded|listed|located|born|owned)$/
const OF_THE_COMPANY = /^(?:based|headquartered|founded|listed|located|born|public)$/

/**
 * Zero-width: matches where a place belongs to the event, not in ", which went public in London," or "based in London".
 */
export const matchEventPlace: SlotParser = ({ words }, at) => {
  if (OF_THE_COMPANY.test(words[at - 1]?.lower ?? '')) return null
  let start = at
  while (start > 0 && words[start]?.gap !== 'comma' && words[start]?.gap !== 'stop') start--
  const isDescription = words[start]?.gap === 'comma' && OPENS_DESCRIPTION.test(words[start]?.lower ?? '')
  return isDescription ? null : { next: at, spans: [], phrase: '' }
}

/** Capitalised words that follow "in" and are not places: fairs, newspapers, halls. */
const NOT_PLACES = new Set(
  (
    'booth hall conference summit expo forum congress journal magazine times series phase exchange class bloomberg ' +
    'forbes inc inc. llc ltd corp corp. award awards championship league cup week'
  ).split(' '),
)

function endOfPlace(statement: Statement, start: number): number {
  const { words } = statement
  const end = findNameEnd(statement, start)
  if (end === start) return start
  const after = words[end]
  if (after?.gap !== 'comma' || !after.isCapital) return end
  const name = statement.text.slice(words[start]?.start, words[end - 1]?.end)
  for (const length of [2, 1]) {
    const last = words[end + length - 1]
    const region = last && statement.text.slice(after.start, last.end)
    if (region && isPlaceInRegion(name, region)) return end + length
  }
  return end
}

function namedBeforeComma(named: readonly Word[]): number {
  const comma = named.findIndex(({ gap }, i) => i > 0 && gap === 'comma')
  return comma < 0 ? named.length : comma
}

/** A place that is known by its name, or by the state or country after it. */
export const parseKnownPlace: SlotParser = (statement, at) => {
  const place = parsePlace(statement, at)
  const name = place?.spans[0]?.text.replace(/^.*, /, '') ?? ''
  return isKnownPlace(name) || isStateCode(name) ? place : null
}

/** All places after "in", "across" or "into", and those joined to them by "and"; with `trusts` also unknown ones. */
export function findEventPlaces(statement: Statement, trusts: boolean): Span[] {
  const read = trusts && !statement.isHeadline ? parsePlace : parseKnownPlace
  const found: Span[] = []
  for (const [at, word] of statement.words.entries()) {
    if (!/^(?:in|into|across|throughout)$/.test(word.lower)) continue
    let place = read(statement, at + 1)
    while (place) {
      found.push(...place.spans)
      const after = statement.words[place.next]
      const isListed = after?.lower === 'and' || (after?.gap === 'comma' && after.isCapital)
      place = isListed ? parseKnownPlace(statement, after.lower === 'and' ? place.next + 1 : place.next) : null
    }
  }
  return found
}
