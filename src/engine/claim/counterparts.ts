// Some events have two sides: a partnership needs a partner, and a customer is won by name or by contract. A sentence that
// gives neither the other side nor a word for what binds them tells something else.
import { CALENDAR_WORDS } from '../english/calendar.ts'
import { findBuiltinSignal, type SignalId } from '../signals/index.ts'
import { findFrame } from './frames.ts'
import { compileFrames } from './signal-frames.ts'
import type { Statement, Word } from './statement.ts'
import { FUNCTION_WORDS, VERBS } from './vocabulary.ts'

/** A launched product has a name, which is nobody's. */
const LAUNCHED = compileFrames([['company', '<launch> of? {product}']])

/** Whether the sentence gives the other side of an event that has one, or may: a headline's capitals tell no names. */
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
      // Any sentence opens with a capital; a name has another behind it.
      (at > 0 || word.isPossessive || statement.words[1]?.isCapital === true),
  )
}

const OTHER_SIDE_ACTS = /^(?:by|from|with|to|of|on|through|we|they|i|our|has|have|is|are|was|were)$/

/** "Globex uses Acme", "run on software by Acme": somebody else acts, and the company is the other side. */
function isOtherSideActing({ words }: Statement): boolean {
  for (let at = words.findIndex(({ isOwn }) => isOwn); at > 0; at--) {
    if (words[at]?.gap !== 'space') return false
    const { lower } = words[at - 1] as Word
    if (OTHER_SIDE_ACTS.test(lower) || VERBS.has(lower)) return true
  }
  return false
}
