// Words near a trigger that stand for somebody or something: the company as "it", a place, a partner.
import { isCapitalized, type Mention, wordText } from '../company-names.ts'
import type { Sentence } from '../sentences.ts'
import { CUE_BIT, type Document, type SignalCandidate } from './document.ts'

/** "The company", "it" and "we" of a sentence, as if they were the company's name. */
export function references({ cues }: Document, index: number): Mention[] {
  const found: Mention[] = []
  for (const cue of cues[index] ?? []) if (cue.bit & CUE_BIT.we) found.push({ from: cue.from, to: cue.to + 1 })
  return found
}

/** A place named after the trigger, up to the end of the clause: "expands in Arlington". */
export function namesPlace(document: Document, { sentence, to }: SignalCandidate): boolean {
  const { cues, tokens } = document
  return (cues[sentence] ?? []).some(
    (cue) => cue.bit & CUE_BIT.geo && cue.from > to && cue.from <= to + 12 && isCapitalized(tokens, cue.from),
  )
}

const JOINS = new Set(['with', 'between', 'and', 'to', 'by', 'from'])

/** A partnership has a named partner: "with Globex", "Acme and Globex". */
export function namesPartner({ tokens }: Document, sentence: Sentence, { from, to }: SignalCandidate): boolean {
  for (let t = to; t + 1 < Math.min(sentence.to, to + 12); t++) {
    if (!JOINS.has(wordText(tokens, t))) continue
    const next = wordText(tokens, t + 1) === 'the' && t + 2 < sentence.to ? t + 2 : t + 1
    if (isCapitalized(tokens, next)) return true
  }
  for (let t = Math.max(sentence.from, from - 8); t < from; t++) {
    const word = wordText(tokens, t)
    if ((word === 'and' || word === 'with') && isCapitalized(tokens, t + 1)) return true
  }
  return false
}
