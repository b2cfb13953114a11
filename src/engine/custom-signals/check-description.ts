// What is said of a description when it is tried or saved: whether anything can be looked for by it, and whether a
// built-in signal looks for it already.
import { wordsOf } from '../scan.ts'
import { BUILTIN_SIGNALS, type BuiltinSignal } from '../signals/index.ts'
import { contentStems, contentWords } from './words.ts'

export type DescriptionCheck = {
  /** Why nothing can be looked for by it, and what to write instead; null when it can be used. */
  refusal: string | null
  /** The built-in signal that it describes in other words, or is a case of. */
  similar: BuiltinSignal | null
  /** Whether it has the words of that signal's name or description, and no others. */
  isSame: boolean
}

/** Fewer known words than this share are no sentence: typing errors and names leave most of one standing. */
const MIN_KNOWN_SHARE = 0.5
/** With one word, everything that names it would be taken. */
const MIN_WORDS = 2

/** `isKnown` tells whether a word in lower case is one that the reader knows as a whole. */
export function checkDescription(description: string, isKnown: (word: string) => boolean): DescriptionCheck {
  const same = sameAsBuiltin(description)
  if (same) return { refusal: null, similar: same, isSame: true }
  const words = contentWords(description)
  const names = new Set(namesIn(description))
  const plain = words.filter((word) => !names.has(word) || isKnown(word))
  const known = plain.filter(isKnown)
  if (words.length > 0 && known.length < Math.max(1, plain.length * MIN_KNOWN_SHARE)) {
    const refusal = 'Few of these are English words. Describe in an English sentence what happens at the company.'
    return { refusal, similar: null, isSame: false }
  }
  const similar = closestBuiltin(description)
  if (new Set(words).size >= MIN_WORDS) return { refusal: null, similar, isSame: false }
  return {
    refusal:
      'This says too little: every text about it would be found. Say what happens at the company, such as “The company ' +
      `orders robots for a warehouse”.${similar ? ` The built-in signal “${similar.name}” may be what you mean.` : ''}`,
    similar,
    isSame: false,
  }
}

/** Words with a capital or a digit: names of products and places, which no vocabulary has. */
function namesIn(description: string): string[] {
  const written = description.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? []
  return written.filter((word) => /\p{Lu}|\p{N}/u.test(word)).flatMap(wordsOf)
}

const keyOf = (text: string) => wordsOf(text).join(' ')
const builtinByKey = new Map(
  BUILTIN_SIGNALS.flatMap((signal) => [
    [keyOf(signal.name), signal] as const,
    [keyOf(signal.description), signal] as const,
  ]),
)

const sameAsBuiltin = (description: string) => builtinByKey.get(keyOf(description)) ?? null

/** The stems of everything that a built-in signal is called. */
const BUILTINS = BUILTIN_SIGNALS.map((signal) => ({
  signal,
  stems: contentStems([signal.name, signal.description, ...signal.wordings].join('. ')),
}))

/** How much a stem tells: one that few signals have, or none, tells more than one of many. */
function weightOf(stem: string): number {
  const owners = BUILTINS.filter(({ stems }) => stems.has(stem)).length
  return Math.log(1 + BUILTINS.length / Math.max(1, owners))
}

/** From this share of what a description says, a built-in signal says it, too. */
const MIN_SIMILAR_SHARE = 0.6

function closestBuiltin(description: string): BuiltinSignal | null {
  const weights = new Map([...contentStems(description)].map((stem) => [stem, weightOf(stem)]))
  const sum = (stems: Iterable<string>) => [...stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0)
  const whole = sum(weights.keys())
  const shares = BUILTINS.map(({ signal, stems }) => ({
    signal,
    share: sum([...weights.keys()].filter((stem) => stems.has(stem))) / whole,
  }))
  const [best] = shares.toSorted((a, b) => b.share - a.share)
  return best && best.share >= MIN_SIMILAR_SHARE ? best.signal : null
}
