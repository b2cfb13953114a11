import { editDistance } from '../english/edit-distance.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { fieldWords, isFieldWord, singular } from './fields.ts'
import { foreignWords } from './languages.ts'

const LEVEL_WORDS =
  'vp svp evp avp ceo cfo cto cio vice president director head manager chief officer senior junior lead leader executive managing global supervisor specialist coordinator administrator associate consultant analyst'
const SHORTEST = 5
/** Words this long may have two letters wrong. */
const LONG = 8

const words = () => [...LEVEL_WORDS.split(' '), ...[...JOB_NOUNS].map(singular), ...fieldWords()]
let known: Set<string> | null = null
let foreign: Set<string> | null = null

/** Words that name jobs, ranks or fields. */
export function isJobWord(word: string): boolean {
  known ??= new Set(words())
  foreign ??= new Set(foreignWords())
  return known.has(word) || isFieldWord(word) || foreign.has(word)
}

/** The job word that somebody meant by a word nobody knows ("oficer"), or null. */
export function correct(word: string): string | null {
  if (word.length < SHORTEST || isJobWord(word)) return null
  let best: string | null = null
  let least = (word.length >= LONG ? 2 : 1) + 1
  for (const candidate of known ?? []) {
    if (candidate.length < SHORTEST - 1 || Math.abs(candidate.length - word.length) >= least) continue
    if (candidate[0] !== word[0] && candidate[1] !== word[0]) continue
    const off = editDistance(word, candidate)
    if (off < least) [best, least] = [candidate, off]
  }
  return best
}
