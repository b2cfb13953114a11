// A document prepared for detection: tokens, sentences, the cues of every sentence and the candidates, that is the
// places where a trigger stands. All of it comes out of one scan, whatever the number of signals.

import { compileScanner, type Hits, type Scanner, type Tokens } from '../scan.ts'
import type { Sentence } from '../sentences.ts'
import { splitSentences } from '../sentences.ts'
import { CUES, type CueName, expandPhrases, type TriggerGroup } from './lexicon.ts'
import { TRIGGER_GROUPS } from './triggers.ts'

export const CUE_NAMES = Object.keys(CUES) as CueName[]

/** Bit of a cue in a sentence's mask. The 32 cues fill one integer: one more would need a second mask. */
export const CUE_BIT = Object.fromEntries(CUE_NAMES.map((name, i) => [name, 1 << i])) as Record<CueName, number>

/** A trigger of `group` on the tokens `from` to `to`, inclusive, of sentence `sentence`. */
export type SignalCandidate = { group: TriggerGroup; sentence: number; from: number; to: number }

export type CueHit = { bit: number; from: number; to: number }

/** A phrase of a custom signal: `owner` is the signal's index, `term` the part of its description. */
export type CustomHit = { owner: number; term: number; sentence: number; from: number; to: number }

export type Document = {
  tokens: Tokens
  lower: string
  titleEnd: number
  sentences: Sentence[]
  masks: Int32Array
  cues: CueHit[][]
  candidates: SignalCandidate[]
  custom: CustomHit[]
}

/** A headline, a snippet or a feed's summary: too short to say a thing twice. */
export const isShort = ({ sentences }: Document) => sentences.length < 6

type Meaning = { groups: TriggerGroup[]; cues: number; custom: { owner: number; term: number }[] }

export type Lexicon = { scanner: Scanner; meanings: Meaning[] }

/** One lexicon of the built-in signals and the phrases of custom signals (one list of terms for each). */
export function buildLexicon(custom: readonly (readonly (readonly string[])[])[] = []): Lexicon {
  const byPhrase = new Map<string, Meaning>()
  const meaningOf = (phrase: string): Meaning => {
    const known = byPhrase.get(phrase)
    if (known) return known
    const meaning: Meaning = { groups: [], cues: 0, custom: [] }
    byPhrase.set(phrase, meaning)
    return meaning
  }
  for (const group of TRIGGER_GROUPS) {
    for (const phrase of new Set(expandPhrases(group.phrases))) meaningOf(phrase).groups.push(group)
  }
  for (const name of CUE_NAMES) for (const phrase of expandPhrases(CUES[name])) meaningOf(phrase).cues |= CUE_BIT[name]
  custom.forEach((terms, owner) => {
    terms.forEach((phrases, term) => {
      for (const phrase of phrases) meaningOf(phrase).custom.push({ owner, term })
    })
  })
  return { scanner: compileScanner([...byPhrase.keys()]), meanings: [...byPhrase.values()] }
}

/** Scans a title and a text. */
export function readDocument(lexicon: Lexicon, title: string, text: string): Document {
  const full = title === '' ? text : `${title}\n\n${text}`
  const titleEnd = title === '' ? 0 : title.length + 2
  const tokens = lexicon.scanner.tokenize(full)
  const hits = lexicon.scanner.find(tokens)
  const sentences = splitSentences(tokens, titleEnd)
  const masks = new Int32Array(sentences.length)
  const cues: CueHit[][] = new Array(sentences.length)
  const found = assignHits(tokens, hits, lexicon.meanings, sentences, masks, cues)
  markMoney(tokens, sentences, masks)
  return { tokens, lower: lowerCase(full), titleEnd, sentences, masks, cues, ...found }
}

const NO_CUES: CueHit[] = []

/** "May" and "Will" in capitals inside a sentence are a month and a name, not a doubt. */
function isName({ text, start, end }: Tokens, t: number, sentence: Sentence): boolean {
  const at = start[t] as number
  if (sentence.section === 'title' || t === sentence.from || text.charCodeAt(at) > 90) return false
  const length = (end[t] as number) - at
  return (length === 3 && text.startsWith('May', at)) || (length === 4 && text.startsWith('Will', at))
}

/** Puts every hit into its sentence: as a cue, as candidates of triggers, or for a custom signal. */
function assignHits(
  tokens: Tokens,
  hits: Hits,
  meanings: Meaning[],
  sentences: Sentence[],
  masks: Int32Array,
  cues: CueHit[][],
) {
  const candidates: SignalCandidate[] = []
  const custom: CustomHit[] = []
  cues.fill(NO_CUES)
  let s = 0
  for (let i = 0; i < hits.count; i++) {
    const from = hits.from[i] as number
    const to = hits.to[i] as number
    while (s < sentences.length && (sentences[s] as Sentence).to <= to) s++
    const sentence = sentences[s]
    if (!sentence) break
    // A phrase that runs over a sentence end is none.
    if (from < sentence.from) continue
    const meaning = meanings[hits.phrase[i] as number] as Meaning
    if (meaning.cues !== 0 && !(from === to && isName(tokens, from, sentence))) {
      masks[s] = (masks[s] as number) | meaning.cues
      if (cues[s] === NO_CUES) cues[s] = []
      cues[s]?.push({ bit: meaning.cues, from, to })
    }
    for (const group of meaning.groups) addCandidate(candidates, { group, sentence: s, from, to })
    for (const { owner, term } of meaning.custom) custom.push({ owner, term, sentence: s, from, to })
  }
  return { candidates, custom }
}

// Real sentences hold a handful of triggers; a list of nothing else must not cost more than they do.
const MOST_IN_SENTENCE = 48

/** Of overlapping triggers of one group the longest stays: "launch of" over "launch". */
function addCandidate(candidates: SignalCandidate[], candidate: SignalCandidate): void {
  for (let i = candidates.length - 1; i >= 0 && i >= candidates.length - 12; i--) {
    const other = candidates[i] as SignalCandidate
    if (other.sentence !== candidate.sentence) break
    if (other.group !== candidate.group || other.to < candidate.from) continue
    if (candidate.to - candidate.from > other.to - other.from) candidates[i] = candidate
    return
  }
  const earlier = candidates[candidates.length - MOST_IN_SENTENCE]
  if (earlier?.sentence === candidate.sentence) return
  candidates.push(candidate)
}

/** A currency sign before a digit is money, whatever follows. */
function markMoney(tokens: Tokens, sentences: Sentence[], masks: Int32Array): void {
  const { text, start } = tokens
  let s = 0
  for (let t = 0; t < tokens.count; t++) {
    const at = start[t] as number
    const first = text.charCodeAt(at)
    if (first < 48 || first > 57 || at === 0) continue
    const before = text.charCodeAt(at - 1)
    if (before !== 36 && before !== 0x20ac && before !== 0xa3) continue
    while (s < sentences.length && (sentences[s] as Sentence).to <= t) s++
    masks[s] = (masks[s] as number) | CUE_BIT.money
  }
}

/** Lower case without ever changing the length, so that offsets stay valid. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
