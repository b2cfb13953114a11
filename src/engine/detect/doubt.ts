// Where the reader is in doubt, and what a second reader's answer changes.
import { coreWords } from '../company-names.ts'

/**
 * Verdicts in this range of confidence go to the second reader, where one is set. Below `from` the reader is nearly always right that
 * there is no event, from `to` on that there is one, so that an answer would cost more than it corrects: both are read off
 * the calibration table of `scripts/eval-reader.ts`, and `scripts/eval-second-reader.ts` measures them.
 */
export const DOUBT_RANGE = { from: 0.08, to: 0.85 } as const

/** What a finding has at least once the second reader confirms it: two readers agree, and either may still be wrong. */
export const CONFIRMED_CONFIDENCE = 0.9

/** A shorter quote is found in almost any text and proves nothing; nor does the company's name alone. */
const MIN_QUOTED_CHARS = 12

/**
 * A line that the second reader is shown. `proves`: it is the sentence in doubt, or it names the company; a quote of another one
 * proves nothing of this company. `isTitle`: it is part of the headline, also where that is in doubt itself.
 */
export type ShownLine = {
  place: 'headline' | 'before' | 'sentence' | 'after'
  text: string
  isTitle: boolean
  proves: boolean
}

/** Whether the second reader finds the event in the text, and the words that tell it; empty where it finds none. */
export type SecondReaderAnswer = { answer: 'yes' | 'no'; quote: string }

/** True confirms, false refutes, null leaves the reader's own verdict as it is. */
export type SecondReaderVerdict = boolean | null

export const isInDoubt = (confidence: number) => confidence >= DOUBT_RANGE.from && confidence < DOUBT_RANGE.to

/** What an answer is worth: nothing if it quotes words that were not shown, or says yes without words that prove it. */
export function secondReaderVerdict(
  company: string,
  lines: readonly ShownLine[],
  { answer, quote }: SecondReaderAnswer,
): SecondReaderVerdict {
  const quoted = onOneLine(quote)
  const places = placesOf(lines, quoted)
  if (answer === 'no') return quoted === '' || places.length > 0 ? false : null
  const name = nameIn(company)
  const isProof = (text: string) => onOneLine(text.replace(name, ' ')).length >= MIN_QUOTED_CHARS
  return places.some((proving) => proving.some(isProof)) ? true : null
}

/** The finding after the second reading; empty when it is refuted. */
export function applySecondVerdict<F extends { confidence: number; judged_by: string | null }>(
  finding: F,
  verdict: SecondReaderVerdict,
  model: string,
): F[] {
  if (verdict === false) return []
  if (verdict === null) return [finding]
  const confidence = Math.max(finding.confidence, CONFIRMED_CONFIDENCE)
  return [{ ...finding, confidence, judged_by: `${finding.judged_by} + ${model}` }]
}

/** The words of a company's name, in any case. */
function nameIn(company: string): RegExp {
  const words = coreWords(company).map((word) => RegExp.escape(word))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Where the lines have exactly these words: of each place what is in lines that prove. */
function placesOf(lines: readonly ShownLine[], quoted: string): string[][] {
  if (quoted === '') return []
  let shown = ''
  const proving: { start: number; end: number }[] = []
  for (const [at, { text, isTitle, proves }] of lines.entries()) {
    // The headline is not next to the sentences: no quote goes on from one to the others.
    if (at > 0) shown += lines[at - 1]?.isTitle === isTitle ? ' ' : '\n'
    const start = shown.length
    shown += onOneLine(text)
    if (proves) proving.push({ start, end: shown.length })
  }
  const places: string[][] = []
  for (let at = shown.indexOf(quoted); at !== -1; at = shown.indexOf(quoted, at + 1)) {
    const end = at + quoted.length
    places.push(proving.map((line) => shown.slice(Math.max(line.start, at), Math.max(at, Math.min(line.end, end)))))
  }
  return places
}

const onOneLine = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
