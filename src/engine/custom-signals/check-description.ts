// Checks a description when it is previewed or saved: whether it can be used, and whether a built-in signal already
// covers it.

import { BUILTIN_SIGNALS, type BuiltinSignal } from '../signals/index.ts'
import { splitWords } from '../text/tokens.ts'
import { contentStems, contentWords } from './words.ts'

export type DescriptionCheck = {
  /** Why it cannot be used, and what to write instead; null when it can. */
  refusal: string | null
  /** The built-in signal that it paraphrases or is a case of. */
  similar: BuiltinSignal | null
  /** Whether it equals the name or the description of that signal. */
  isSame: boolean
}

/** Minimum share of known words in a sentence, which allows for typing errors and names. */
const MIN_KNOWN_SHARE = 0.5
/** A single word would match every text that contains it. */
const MIN_WORDS = 2

/** `isKnown`: whether a lower-case word is a single token of the classifier's vocabulary. */
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

/** Words with a capital or a digit: names of products and places, which are in no vocabulary. */
function namesIn(description: string): string[] {
  const written = description.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? []
  return written.filter((word) => /\p{Lu}|\p{N}/u.test(word)).flatMap(splitWords)
}

const keyOf = (text: string) => splitWords(text).join(' ')
const builtinByKey = new Map(
  BUILTIN_SIGNALS.flatMap((signal) => [
    [keyOf(signal.name), signal] as const,
    [keyOf(signal.description), signal] as const,
  ]),
)

const sameAsBuiltin = (description: string) => builtinByKey.get(keyOf(description)) ?? null

/** The stems of a built-in signal's name, description and wordings. */
const BUILTINS = BUILTIN_SIGNALS.map((signal) => ({
  signal,
  stems: contentStems([signal.name, signal.description, ...signal.wordings].join('. ')),
}))

/** The weight of a stem: the fewer signals have it, the higher (inverse document frequency). */
function weightOf(stem: string): number {
  const owners = BUILTINS.filter(({ stems }) => stems.has(stem)).length
  return Math.log(1 + BUILTINS.length / Math.max(1, owners))
}

/** Minimum weighted share of a description's stems that a similar built-in signal has. */
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
