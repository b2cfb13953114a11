// Recorded answers of a second reader: {"id": of the document, "company", "signal", "answer": "yes" | "no", "sentence": the quoted
// one, 0 for the title, or null}. They are replayed through the service's handling of an answer.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DocumentClassifier } from '../src/engine/classifier/index.ts'
import {
  applySecondVerdict,
  type SecondReaderAnswer,
  type ShownLine,
  secondReaderVerdict,
} from '../src/engine/detect/doubt.ts'
import { type DetectedSignal, type DetectResult, detect, MIN_CONFIDENCE } from '../src/engine/detect/index.ts'
import type { SignalId } from '../src/engine/signals/index.ts'
import type { Example } from './reader-data.ts'
import type { Judged } from './reader-figures.ts'

type Recorded = { id: string; company: string; signal: string; answer: 'yes' | 'no'; sentence: number | null }
type Doubted = DetectedSignal & { shown: ShownLine[] }

/** The answer of a second reader on an uncertain finding; null where there is none. */
export type SecondReader = (example: Example, doubted: Doubted) => SecondReaderAnswer | null

/** A classified document, with its uncertain findings. */
export type Read = { example: Example; result: DetectResult }

export const isDoubtful = (detection: DetectedSignal): detection is Doubted => detection.shown !== undefined

export async function readOnce(classifier: DocumentClassifier, examples: readonly Example[]): Promise<Read[]> {
  const results = await detect(
    examples.map(({ input }) => input),
    { classifier, doubts: true },
  )
  return examples.map((example, i) => ({ example, result: results[i] as DetectResult }))
}

/** The findings after the second reading. */
export function readAgain(reads: readonly Read[], second: SecondReader): Judged[] {
  return reads.map(({ example, result: { judged_by, detections } }) => {
    const found = detections
      .flatMap((detection) => {
        const answer = isDoubtful(detection) ? second(example, detection) : null
        const verdict = answer && secondReaderVerdict(example.input.company.name, detection.shown ?? [], answer)
        return applySecondVerdict({ ...detection, judged_by }, verdict, 'second reader')
      })
      .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    return { example, found: new Map(found.map(({ signal_id, confidence }) => [signal_id as SignalId, confidence])) }
  })
}

/** A reader without answers: the classifier decides alone. */
export const silent: SecondReader = () => null

/** A reader whose answers are recorded in a file, and the documents they are about. */
export function recordedIn(path: string): { answer: SecondReader; documents: string[] } {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  const byQuestion = new Map(
    lines.map((line) => {
      const recorded = JSON.parse(line) as Recorded
      return [JSON.stringify([recorded.id, recorded.company, recorded.signal]), recorded]
    }),
  )
  const answer: SecondReader = ({ row, input }, { signal_id, shown }) => {
    const recorded = byQuestion.get(JSON.stringify([row.id, input.company.name, signal_id]))
    if (!recorded) return null
    const { answer, sentence } = recorded
    const quoted = sentence === null ? '' : ((sentence === 0 ? row.title : row.sents[sentence - 1]) ?? '')
    return { answer, quote: shownOf(shown, quoted) }
  }
  return { answer, documents: [...byQuestion.values()].map(({ id }) => id) }
}

/** Labelled sentences may be split differently from the lines that were shown: then a line within the sentence is its quote. */
function shownOf(shown: readonly ShownLine[], sentence: string): string {
  const inside = shown.filter(({ text }) => sentence.includes(text)).map(({ text }) => text)
  const isShown = shown.some(({ text }) => text.includes(sentence))
  return isShown ? sentence : (inside.toSorted((a, b) => b.length - a.length)[0] ?? sentence)
}

/** False answers with invented quotes. */
export const inventor: SecondReader = ({ input }) => ({
  answer: 'yes',
  quote: `${input.company.name} has firmly announced exactly this on Tuesday.`,
})

/** False answers with a line next to the uncertain sentence that does not name the company; none where there is no such line. */
export const misquoter: SecondReader = (_, { shown }) => {
  const proving = shown.filter(({ proves }) => proves)
  const line = shown.find(({ text }) => !proving.some((one) => one.text.includes(text)))
  return line ? { answer: 'yes', quote: line.text } : null
}
