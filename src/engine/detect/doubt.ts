// The range of confidence in which the classifier is in doubt, and the effect of the second reader, a language model.
import { coreWords } from '../companies/company-names.ts'

/**
 * Verdicts in this range go to the second reader, if one is configured. Below `from` the classifier is almost always
 * right that there is no event, and from `to` on that there is one, so that an answer would cost more than it corrects.
 * Both come from the calibration table of `scripts/eval-reader.ts`; `scripts/eval-second-reader.ts` measures them.
 */
export const DOUBT_RANGE = { from: 0.08, to: 0.85 } as const

/** Minimum confidence of a finding that the second reader confirms: both agree, and both may be wrong. */
export const CONFIRMED_CONFIDENCE = 0.9

/** A shorter quote is found in almost any text and proves nothing, and neither does the company's name alone. */
const MIN_QUOTED_CHARS = 12

/**
 * A line shown to the second reader. `proves`: it is the sentence in doubt or names the company; a quote from any other
 * line proves nothing about this company. `isTitle`: it is part of the headline, even where the headline is in doubt.
 */
export type ShownLine = {
  place: 'headline' | 'before' | 'sentence' | 'after'
  text: string
  isTitle: boolean
  proves: boolean
}

/** Whether the second reader finds the event, and the words that report it; empty where it finds none. */
export type SecondReaderAnswer = { answer: 'yes' | 'no'; quote: string }

/** True confirms, false refutes, null keeps the verdict of the classifier. */
export type SecondReaderVerdict = boolean | null

export const isInDoubt = (confidence: number) => confidence >= DOUBT_RANGE.from && confidence < DOUBT_RANGE.to

/** The verdict of an answer: null if it quotes words that were not shown, or is a yes without a proving quote. */
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

/** The finding after the second reader's verdict; empty when it is refuted. */
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

/** Matches the words of a company's name, ignoring case. */
function nameIn(company: string): RegExp {
  const words = coreWords(company).map((word) => RegExp.escape(word))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Occurrences of the quote in the lines: for each, the parts within lines that prove. */
function placesOf(lines: readonly ShownLine[], quoted: string): string[][] {
  if (quoted === '') return []
  let shown = ''
  const proving: { start: number; end: number }[] = []
  for (const [at, { text, isTitle, proves }] of lines.entries()) {
    // The headline is not adjacent to the sentences, so that no quote spans both.
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
