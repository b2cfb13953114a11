// "Its first site outside Norway" is not its first site: a rank is true only with the words that restrict it.
import { CALENDAR_WORDS } from '../english/calendar.ts'
import { wordSet } from '../english/words.ts'
import type { SlotMatch, Statement, Word } from './statement.ts'
import { FUNCTION_WORDS, VERBS } from './vocabulary.ts'

const RANKS =
  /^(?:(?:the|its|an?) )?(?:very )?(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))(?:[- ](?:largest|biggest|ever))?|largest|biggest|smallest|fastest|tallest|longest|oldest) /i
/** Directly after a thing they may restrict it. */
const BOUNDS = wordSet(
  'outside in beyond within inside for to on at across under since with from near between among north south east west that which where',
)
/** Before a day or a month they state a time and restrict nothing. */
const isTime = (word: string) => CALENDAR_WORDS.has(word) || /^(?:(?:19|20)\d\d|\d{1,2})$/.test(word)
const MAX_RESTRICTION_WORDS = 6
const MAX_CHARS = 75

/** The phrase of a ranked thing: with the restriction of the rank, or without the rank. */
export function withRestriction(statement: Statement, { phrase: said, next }: SlotMatch): string {
  if (!RANKS.test(said) || !isBound(statement, next)) return said
  const end = endOfBound(statement, next)
  const bound = end && statement.text.slice(statement.words[next]?.start, statement.words[end - 1]?.end)
  return bound && said.length + bound.length < MAX_CHARS ? `${said} ${bound}` : withoutRank(said)
}

function isBound({ words }: Statement, at: number): boolean {
  const word = words[at]
  return word?.gap === 'space' && BOUNDS.has(word.lower) && !isTime(words[at + 1]?.lower ?? '')
}

/**
 * The end of "outside Norway" or "for the French market", if it is certain; null where it may continue or is a clause.
 */
function endOfBound(statement: Statement, at: number): number | null {
  const { words } = statement
  let end = at + 1
  for (; end <= at + MAX_RESTRICTION_WORDS; end++) {
    const word = words[end]
    if (word?.gap !== 'space' || (FUNCTION_WORDS.has(word.lower) && !isDeterminer(word))) break
    if (VERBS.has(word.lower)) return null
  }
  const last = words[end - 1] as Word
  const isOver = words[end]?.gap !== 'space' || /^(?:and|as|after|today|on|in|with)$/.test(words[end]?.lower ?? '')
  // "In the region with room for nine": "with" begins a description; any other preposition would continue the
  // restriction.
  const goesOn = isBound(statement, end) && words[end]?.lower !== 'with'
  if (end === at + 1 || !isOver || isDeterminer(last) || goesOn) return null
  return end
}

const isDeterminer = ({ lower }: Word) => /^(?:the|its|a|an|their|our)$/.test(lower)

/** "Its first production site" as "a production site". */
function withoutRank(said: string): string {
  const bare = said.replace(RANKS, '')
  if (/s$/.test(bare) && !/(?:ss|us|is)$/.test(bare)) return bare
  return `${/^[aeio]/i.test(bare) ? 'an' : 'a'} ${bare}`
}
