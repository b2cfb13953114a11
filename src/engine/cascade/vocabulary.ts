import { editDistance } from '../english/edit-distance.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { translatableWords } from '../titles/languages.ts'
import { fieldWords, isFieldWord, singularize } from './fields.ts'
import fillerLines from './fillers.json' with { type: 'json' }

/** Request words that say nothing about the requested person. */
export const FILLERS = new Set(fillerLines.flatMap((line) => line.split(' ')))

const LEVEL_WORDS =
  'vp svp evp avp ceo cfo cto cio vice president director head manager chief officer senior junior lead leader executive managing global supervisor specialist coordinator administrator associate consultant analyst'
const MIN_WORD_LENGTH = 5
/** Words of this length may contain two typing errors. */
const MIN_LENGTH_FOR_TWO_TYPOS = 8

const words = () => [...LEVEL_WORDS.split(' '), ...[...JOB_NOUNS].map(singularize), ...fieldWords()]
let known: Set<string> | null = null
let foreign: Set<string> | null = null

/** Words that name jobs, ranks or fields. */
export function isJobWord(word: string): boolean {
  known ??= new Set(words())
  foreign ??= new Set(translatableWords())
  return known.has(word) || isFieldWord(word) || foreign.has(word)
}

/** The job word closest to an unknown word ("oficer"), or null. */
export function correctTypo(word: string): string | null {
  if (word.length < MIN_WORD_LENGTH || isJobWord(word)) return null
  let best: string | null = null
  let least = (word.length >= MIN_LENGTH_FOR_TWO_TYPOS ? 2 : 1) + 1
  for (const candidate of known ?? []) {
    if (candidate.length < MIN_WORD_LENGTH - 1 || Math.abs(candidate.length - word.length) >= least) continue
    if (candidate[0] !== word[0] && candidate[1] !== word[0]) continue
    const off = editDistance(word, candidate)
    if (off < least) [best, least] = [candidate, off]
  }
  return best
}
