import { NAME_PARTICLES, OFFICE_TITLES } from '../english/words.ts'
import { hasGivenName } from '../people/given-names.ts'
import { isCredential, isHonorific, isNameSuffix, readPersonName } from '../people/person-name.ts'
import { foldText } from '../text/fold.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { isKnownPlace } from './gazetteer.ts'
import { includesOwnName, isCommonWord, isNameComplete, ORGANISATION_KINDS } from './name-bounds.ts'
import { spanOf } from './span.ts'
import type { SlotParser, Statement, Word } from './statement.ts'
import { DESCRIPTIONS, FUNCTION_WORDS, TITLE_WORDS, VERBS } from './vocabulary.ts'

/** "Dr.", and in headlines "CPA". */
function isBeforePerson(word: Word | undefined): boolean {
  return word?.isCapital === true && (isHonorific(word.text) || isAfterPerson(word.text))
}

const isAfterPerson = (text: string) => isCredential(text) || isNameSuffix(text)

const NO_PERSON_AFTER = new Set(['a', 'an', 'the', 'former', 'new'])

export const parseNamedPerson: SlotParser = (statement, at) => {
  const { words } = statement
  let start = at
  // "a former Navy Seal" is not a name.
  if (words[at]?.gap === 'space' && NO_PERSON_AFTER.has(words[at - 1]?.lower ?? '')) return null
  while (start < at + 2 && isBeforePerson(words[start])) start++
  let end = start
  while (end < start + 5 && isPersonWord(words[end], end === start, end - start >= 2)) end++
  const named = words.slice(start, end)
  const [first] = named
  const last = named.at(-1)
  // "Hobart (“Bart”) C. Kalkstein" begins before the brackets.
  if (first?.gap === 'aside' && words[start - 1]?.isCapital) return null
  if (!first || !last || named.length < 2 || includesOwnName(named) || !last.isCapital) return null
  if (named.some((word) => isTitleWord(word) || word.isPossessive)) return null
  const span = spanOf(statement, first.start, last.end)
  if (readPersonName(span.text) === null || isKnownPlace(span.text)) return null
  // "Veteran Tech Leaders" is not a name, and "Google Leader Jon Kaplan" contains more than one.
  if (named.some(({ lower }) => ORGANISATION_KINDS.has(lower))) return null
  if (named.some(isCommonWord) && !hasGivenName(named.map(({ lower }) => foldText(lower)))) return null
  let next = end
  while (words[next]?.gap === 'comma' && isAfterPerson(words[next]?.text ?? '')) next++
  return { next, spans: [span], phrase: span.text }
}

/** Function words that are also names: Will Smith, An Nguyen. */
const NAME_HOMONYMS = new Set('an do so my may will yet'.split(' '))

function isPersonWord(word: Word | undefined, isFirst: boolean, isComplete: boolean): boolean {
  if (!word || (!isFirst && word.gap !== 'space')) return false
  if (!word.isCapital) return !isFirst && NAME_PARTICLES.has(word.lower)
  if (FUNCTION_WORDS.has(word.lower) && !NAME_HOMONYMS.has(word.lower)) return false
  if (VERBS.has(word.lower) || (isFirst && DESCRIPTIONS.has(word.lower))) return false
  return !isComplete || !isTitleWord(word)
}

const isTitleWord = ({ lower }: Word) =>
  TITLE_WORDS.has(lower) || OFFICE_TITLES.has(lower) || (JOB_NOUNS.has(foldText(lower)) && !JOB_SURNAMES.has(lower))

/** Job nouns that are also common surnames. */
const JOB_SURNAMES = new Set('cook baker brewer miller dean master butler steward pilot chancellor'.split(' '))
const BEFORE_POSITION = new Set(
  'its the a an new next first their his her our newly created permanent to be current'.split(' '),
)
const JOINS = new Set(['of', 'and', '&', 'for'])
/** Words that cannot end a title: "chief" needs an officer. */
const UNFINISHED = new Set('chief vice senior executive managing general deputy'.split(' '))
const MAX_POSITION_WORDS = 9

/** "the company's new". */
function isBeforePosition(word: Word | undefined): boolean {
  return word !== undefined && (BEFORE_POSITION.has(word.lower) || (word.lower === 'company' && word.isPossessive))
}

/** A job title: "CFO", "Vice President of Business Development", "head of sales". */
export const parsePosition: SlotParser = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 4 && isBeforePosition(words[start])) start++
  const end = endOfPosition(statement, start)
  const titled = words.slice(start, end)
  const [first] = titled
  const last = titled.at(-1)
  // "to lead sales" contains a verb, not a position.
  if (!first || !last || JOINS.has(first.lower) || first.lower === 'lead' || includesOwnName(titled)) return null
  const nouns = titled.filter(({ lower }) => JOB_NOUNS.has(foldText(lower)) || OFFICE_TITLES.has(lower))
  const isChief = titled.some(({ lower }, i) => lower === 'chief' && titled[i + 1]?.lower === 'executive')
  const isSeat = titled.some(({ lower }) => lower === 'member') && titled.some(({ lower }) => lower === 'board')
  if (!isSeat && !isChief && !nouns.some(({ lower }) => !UNFINISHED.has(lower))) return null
  const span = spanOf(statement, first.start, last.end)
  return { next: end, spans: [span], phrase: span.text }
}

function endOfPosition({ words, isHeadline }: Statement, start: number): number {
  let end = start
  let i = start
  while (i < start + MAX_POSITION_WORDS) {
    const word = words[i]
    if (!word || (i > start && (word.gap !== 'space' || words[i - 1]?.isPossessive))) break
    if (JOINS.has(word.lower)) {
      // In "CFO of Globex" the position ends after CFO.
      const next = words[i + 1]
      if (next?.gap !== 'space' || !isTitleWord(next) || JOINS.has(next.lower)) break
      i++
      continue
    }
    const isField = word.isCapital && !isHeadline && words.slice(start, i).some(({ lower }) => lower === 'of')
    const isInside =
      word.isCapital && isUnfinished(words.slice(start, i)) && words.slice(i + 1, i + 4).some(isTitleWord)
    const isSeat = word.lower === 'member' && words[i - 1]?.lower === 'board' && i > start
    if (!isTitleWord(word) && !isInside && !isField && !isSeat) break
    i++
    end = i
  }
  return end
}

/** "Chief Happiness" needs an officer. */
function isUnfinished(titled: readonly Word[]): boolean {
  return titled.length > 0 && titled.every(({ lower }) => UNFINISHED.has(lower) || !JOB_NOUNS.has(foldText(lower)))
}

/**
 * Zero-width: matches where a position ends and no other employer follows, not in "VP Maintenance" or "CFO of Globex".
 */
export const matchPositionEnd: SlotParser = (statement, at) => {
  const { words } = statement
  if (!isNameComplete(statement, at)) return null
  if (!/^(?:of|at|for|by|with)$/.test(words[at]?.lower ?? '')) return { next: at, spans: [], phrase: '' }
  const name = words[at + 1]?.lower === 'the' ? words[at + 2] : words[at + 1]
  return name?.isCapital && !name.isOwn ? null : { next: at, spans: [], phrase: '' }
}

/** Zero-width: matches where no other employer precedes, not in "former CFO" or "Globex CFO". */
export const matchPositionStart: SlotParser = ({ words }, at) => {
  const before = words[at]?.gap === 'space' ? words[at - 1] : undefined
  const isOther = before?.isCapital && !before.isOwn && !isCommonWord(before)
  return isOther || /^(?:former|ex|onetime|then)$/.test(before?.lower ?? '')
    ? null
    : { next: at, spans: [], phrase: '' }
}

const MAX_WORDS_BEFORE_VERB = 12
const BE = /^(?:is|are|was|were|be|been|being)$/

/**
 * Zero-width: matches where the person before the verb is its object. In "CEO Jane Doe named a new CFO" an executive
 * appoints another person; "CFO Jane Doe named CEO", without an article, is a headline about her.
 */
export const matchPassive: SlotParser = ({ words }, at) => {
  const empty = { next: at, spans: [], phrase: '' }
  if (BE.test(words[at - 1]?.lower ?? '') || !isBeforePosition(words[at + 1]) || words[at + 1]?.lower === 'to')
    return empty
  for (let i = at - 1; i >= Math.max(0, at - MAX_WORDS_BEFORE_VERB); i--) {
    const { lower } = words[i] as Word
    if (OFFICE_TITLES.has(lower) || (JOB_NOUNS.has(foldText(lower)) && !JOB_SURNAMES.has(lower))) return null
    if (words[i]?.gap === 'stop') break
  }
  return empty
}

/** "its board of directors", "the Advisory Board". */
export const parseBoard: SlotParser = (statement, at) => {
  const { words } = statement
  let start = at
  while (start < at + 3 && isBeforePosition(words[start])) start++
  const first = words[start]
  const board = first?.lower === 'board' ? start : words[start + 1]?.lower === 'board' ? start + 1 : -1
  if (
    !first ||
    board < 0 ||
    (board > start && !/^(?:advisory|supervisory|scientific|executive|management)$/.test(first.lower))
  )
    return null
  const isLong = words[board + 1]?.lower === 'of' && words[board + 2]?.lower === 'directors'
  const last = words[isLong ? board + 2 : board] as Word
  const kind = board > start ? `${first.lower} board` : 'board'
  return {
    next: isLong ? board + 3 : board + 1,
    spans: [spanOf(statement, first.start, last.end)],
    phrase: `its ${kind}`,
  }
}
