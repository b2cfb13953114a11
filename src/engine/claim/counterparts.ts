// Some events have two sides: a partnership needs a partner, and a new customer a name or a contract. A sentence with
// neither the other side nor a word for such a relationship reports something else.
import { CALENDAR_WORDS } from '../english/calendar.ts'
import { findBuiltinSignal, type SignalId } from '../signals/index.ts'
import { findFrame } from './frames.ts'
import { compileFrames } from './signal-frames.ts'
import type { Statement, Word } from './statement.ts'
import { FUNCTION_WORDS, VERBS } from './vocabulary.ts'

/** The name of a launched product is not the name of a counterpart. */
const LAUNCHED = compileFrames([['company', '<launch> of? {product}']])

/**
 * Whether the sentence names the other side of an event that needs one. Headlines always pass, because their capitals
 * do not mark names.
 */
export function hasCounterpart(statement: Statement, signal: SignalId): boolean {
  const bond = findBuiltinSignal(signal)?.counterpartWords
  if (!bond || statement.isHeadline || statement.words.some(({ lower }) => bond.test(lower))) return true
  return namesAnother(statement) || isOtherSideActing(statement)
}

function namesAnother(statement: Statement): boolean {
  const products = LAUNCHED.flatMap((frame) => findFrame(statement, frame)?.slots.product?.spans ?? [])
  const isProduct = ({ start, end }: Word) => products.some((span) => start < span.end && span.start < end)
  return statement.words.some(
    (word, at) =>
      word.isCapital &&
      !word.isOwn &&
      !FUNCTION_WORDS.has(word.lower) &&
      !CALENDAR_WORDS.has(word.lower) &&
      !/^(?:today|q[1-4])$/.test(word.lower) &&
      !isProduct(word) &&
      // Every sentence opens with a capital; a name there is followed by another capital.
      (at > 0 || word.isPossessive || statement.words[1]?.isCapital === true),
  )
}

const OTHER_SIDE_ACTS = /^(?:by|from|with|to|of|on|through|we|they|i|our|has|have|is|are|was|were)$/

/** "Globex uses Acme", "run on software by Acme": the company is the object, so another party acts. */
function isOtherSideActing({ words }: Statement): boolean {
  for (let at = words.findIndex(({ isOwn }) => isOwn); at > 0; at--) {
    if (words[at]?.gap !== 'space') return false
    const { lower } = words[at - 1] as Word
    if (OTHER_SIDE_ACTS.test(lower) || VERBS.has(lower)) return true
  }
  return false
}
