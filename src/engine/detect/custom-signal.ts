// A signal in plain language ("companies that open a warehouse in Poland"). The reader judges the description; the words
// that follow "not", "except" or "without" rule a sentence out.
import { wordsOf } from '../scan.ts'
import type { Document } from './document.ts'

export type CustomSignal = {
  signal_id: string
  description: string
  /** Stems of words that rule a sentence out. */
  excluded: ReadonlySet<string>
}

/** Words that say nothing of what is looked for. */
const STOP_WORDS = new Set(
  (
    'a an the and or of to in on at for from by with as is are was were be been being has have had do does did will ' +
    'would should could can may might must that which who whom whose this these those it its they their them we our ' +
    'you your i me my he she his her company companies business businesses organization organizations firm firms ' +
    'signal signals when where whenever if any all some every each account accounts prospect prospects find detect ' +
    'show tell alert notify look looking watch mention mentions mentioned mentioning talk talks talking about news ' +
    'new recently recent just today announce announces announced announcing say says said start starts started begin ' +
    'begins began into over under more most than then there here other another such like also only very really ' +
    'them us so up out per via something someone anyone anything'
  ).split(' '),
)

const EXCLUDING = new Set(['not', 'no', 'without', 'except', 'excluding', 'never', 'but'])

/** A description without a word that could be looked for. */
export class EmptyDescription extends Error {}

const MOST_WORDS = 60

/** Reads a description. Throws EmptyDescription. */
export function compileCustomSignal(signalId: string, description: string): CustomSignal {
  const words = wordsOf(description).slice(0, MOST_WORDS)
  const from = words.findIndex((word) => EXCLUDING.has(word))
  const isTelling = (word: string) => word.length > 1 && !STOP_WORDS.has(word) && !EXCLUDING.has(word)
  if (!words.slice(0, from < 0 ? words.length : from).some(isTelling)) {
    throw new EmptyDescription('The description names nothing that could be looked for')
  }
  const excluded = from < 0 ? [] : words.slice(from).filter(isTelling)
  return { signal_id: signalId, description, excluded: new Set(excluded.map(stemOf)) }
}

/** Descriptions of a workspace's signals. One that names nothing finds nothing; the others are looked for all the same. */
export function compileCustomSignals(signals: readonly { id: string; description: string }[]): CustomSignal[] {
  return signals.flatMap(({ id, description }) => {
    try {
      return [compileCustomSignal(id, description)]
    } catch (error) {
      if (error instanceof EmptyDescription) return []
      throw error
    }
  })
}

/** Whether a sentence holds what the description excludes. */
export function isRuledOut({ tokens, lower, sentences }: Document, { excluded }: CustomSignal, index: number): boolean {
  if (excluded.size === 0) return false
  const { from, to } = sentences[index] as Document['sentences'][number]
  return wordsOf(lower.slice(tokens.start[from], tokens.end[to - 1])).some((word) => excluded.has(stemOf(word)))
}

/** A word without its ending, the same for "acquire", "acquires", "acquired" and "acquiring". */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|ied|ying)$/, 'y').replace(/(?:ing|ed|es|s)$/, '')
  return (stem.length < 3 ? word : stem).replace(/e$/, '').replace(/([^aeiou])\1$/, '$1')
}
