// The words of the headline and pairs of them (n-grams), as features of every signal the document may tell. Only those
// that training has met in several documents carry a weight; all others cost nothing.
import { type Mention, wordText } from '../company-names.ts'
import type { Tokens } from '../scan.ts'
import type { Document } from './document.ts'

const MOST_WORDS = 60

// They stand everywhere and say nothing by themselves.
const STOP_WORDS = new Set(
  (
    'a an the and or of to in on for with by at from as is are was be its it this that their our his her your you we ' +
    'he she they has have had will s t'
  ).split(' '),
)

/** A word without the ending that only grammar asks for. */
function stem(word: string): string {
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 5 && (word.endsWith('ed') || word.endsWith('es'))) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  if (word.length > 5 && word.endsWith('e')) return word.slice(0, -1)
  return word
}

function wordAt(tokens: Tokens, t: number): string {
  const first = tokens.text.charCodeAt(tokens.start[t] as number)
  if (first >= 48 && first <= 57) return '#'
  const word = wordText(tokens, t)
  return STOP_WORDS.has(word) ? '' : stem(word)
}

/** Unigrams and bigrams of the headline's word stems; the company itself is `self`, whatever its name. */
export function headlineNgrams({ tokens, sentences }: Document, own: readonly Mention[]): string[] {
  const words = new Set<string>()
  let last = ''
  let next = 0
  for (const { section, from, to } of sentences) {
    if (section !== 'title') break
    for (let t = from; t < to && words.size < MOST_WORDS; t++) {
      while (next < own.length && (own[next] as Mention).to <= t) next++
      const isOwn = next < own.length && (own[next] as Mention).from <= t
      const word = isOwn ? 'self' : wordAt(tokens, t)
      if (word === '' || (isOwn && last === 'self')) continue
      if (!isOwn) words.add(word)
      words.add(`${last}_${word}`)
      last = word
    }
  }
  return [...words]
}
