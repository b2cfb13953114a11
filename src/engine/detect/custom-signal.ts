// A signal described in words ("companies that open a warehouse in Poland"). The classifier judges the description; the
// words after "not", "except" or "without" exclude a sentence.
import { contentWords, stemWord } from '../custom-signals/words.ts'
import { splitWords } from '../text/tokens.ts'
import type { ParsedDocument } from './document.ts'

export type CustomSignal = {
  signal_id: string
  description: string
  /** Stems of words that exclude a sentence. */
  excluded: ReadonlySet<string>
}

const EXCLUDING = new Set(['not', 'no', 'without', 'except', 'excluding', 'never', 'but'])

export function compileCustomSignal(signalId: string, description: string): CustomSignal {
  const words = splitWords(description)
  const at = words.findIndex((word) => EXCLUDING.has(word))
  // "No longer uses Salesforce" excludes nothing: it is the signal.
  const isException = at > 0 && contentWords(words.slice(0, at).join(' ')).length > 0
  const excluded = isException ? contentWords(words.slice(at).join(' ')).filter((word) => !EXCLUDING.has(word)) : []
  return { signal_id: signalId, description, excluded: new Set(excluded.map(stemWord)) }
}

/**
 * Compiles the signals of a workspace. Skips descriptions without content words, which were saved before validation
 * existed.
 */
export function compileCustomSignals(signals: readonly { id: string; description: string }[]): CustomSignal[] {
  return signals
    .filter(({ description }) => contentWords(description).length > 0)
    .map(({ id, description }) => compileCustomSignal(id, description))
}

/** Whether a sentence contains a word that the description excludes. */
export function isExcludedSentence(
  { tokens, lower, sentences }: ParsedDocument,
  { excluded }: CustomSignal,
  index: number,
): boolean {
  if (excluded.size === 0) return false
  const { from, to } = sentences[index] as ParsedDocument['sentences'][number]
  return splitWords(lower.slice(tokens.start[from], tokens.end[to - 1])).some((word) => excluded.has(stemWord(word)))
}
