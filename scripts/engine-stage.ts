// The model of whole documents: rows scored by weights that have not seen them, and a calibration from score to
// probability for each signal.
import { createHash } from 'node:crypto'
import { publishedDate } from '../src/engine/detect/dates.ts'
import { buildLexicon, readDocument } from '../src/engine/detect/document.ts'
import { gatherEvidence, scoreAll } from '../src/engine/detect/evidence.ts'
import type { Calibration, Forest } from '../src/engine/detect/model.ts'
import { combinedScore, probabilityOf } from '../src/engine/detect/model.ts'
import { summarize } from '../src/engine/detect/summary.ts'
import { isEnglish } from '../src/engine/language.ts'
import type { SignalId } from '../src/engine/signals/index.ts'
import { boost } from './engine-boost.ts'
import type { Entry } from './engine-data.ts'
import { calibrate, scoreOf, type Weights } from './engine-fit.ts'

export const FOLDS = 8
const TREES = { rounds: 80, depth: 2, rate: 0.06, leaf: 40, ridge: 10 }

/** What a signal's own data must outweigh before its calibration leaves the common one. */
const COMMON_WORTH = 25

type Row = {
  entry: Entry
  signal: SignalId
  target: number
  fold: number
  best: number
  values: Float64Array
  short: boolean
  sentence: string
}

export const foldOf = (id: string) => (createHash('sha256').update(`fold:${id}`).digest()[0] as number) % FOLDS

const lexicon = buildLexicon()

/** One row for each signal with a candidate; `weightsOf` gives weights that have not seen the document. */
export function rowsOf(entry: Entry, weightsOf: (fold: number) => Weights): Row[] {
  const { input, signals } = entry
  if (!isEnglish(input.text || (input.title ?? ''))) return []
  const document = readDocument(lexicon, input.title ?? '', input.text)
  const published = publishedDate(input.published_at, input.text)
  const gathered = gatherEvidence(document, input.company, input.url ?? '', published)
  if (!gathered) return []
  const fold = foldOf(input.id)
  const weights = weightsOf(fold)
  const scores = scoreAll(gathered.evidence, (features) => scoreOf(features, weights))
  return summarize(document, gathered.prominence, gathered.evidence, scores)
    .filter(({ signal }) => !entry.unknown?.has(signal))
    .map(({ signal, best, values, short, strongestEvidence }) => {
      const { from, to } = document.sentences[strongestEvidence.candidate.sentence] ?? { from: 0, to: 1 }
      const sentence = document.tokens.text.slice(document.tokens.start[from], document.tokens.end[to - 1])
      return { entry, signal, target: signals.has(signal) ? 1 : 0, fold, best, values, short, sentence }
    })
}

export const sentenceCalibration = (rows: Row[]): Calibration =>
  calibrate(rows.map(({ best, target }) => ({ score: best, target })))

export const forestOf = (rows: Row[]): Forest =>
  boost(
    rows.map(({ values }) => values),
    rows.map(({ target }) => target),
    TREES,
  )

/** The score of every row by a forest and a calibration that have not seen its fold. */
export function heldOutScores(rows: Row[]): number[] {
  const models = Array.from({ length: FOLDS }, (_, fold) => {
    const others = rows.filter((row) => row.fold !== fold)
    return { calibration: sentenceCalibration(others), forest: forestOf(others) }
  })
  return rows.map(({ best, values, fold }) => {
    const { calibration, forest } = models[fold] as (typeof models)[number]
    return combinedScore(best, values, calibration, forest)
  })
}

export type Point = { score: number; target: number; signal: SignalId }

/** The common calibration, moved for each signal as far as its own examples carry it. */
export function signalCalibrations(points: Point[], signals: readonly SignalId[]): Map<SignalId, Calibration> {
  const common = calibrate(points)
  return new Map(
    signals.map((signal) => {
      const own = points.filter((point) => point.signal === signal)
      const moved = { slope: common.slope, offset: common.offset }
      for (let step = 0; step < 300; step++) {
        let slope = COMMON_WORTH * (common.offset - moved.offset) * 0.25
        for (const { score, target } of own) slope += target - probabilityOf(score, moved)
        moved.offset += slope / (own.length * 0.25 + COMMON_WORTH)
      }
      return [signal, moved]
    }),
  )
}

/** How much to add to the score of a short text, so that what is said of short texts is right on the whole. */
export function shortShift(points: Point[], calibrations: Map<SignalId, Calibration>): number {
  let shift = 0
  for (let step = 0; step < 200; step++) {
    let gradient = 0
    let curve = 1e-6
    for (const { score, target, signal } of points) {
      const said = probabilityOf(score + shift, calibrations.get(signal) as Calibration)
      gradient += target - said
      curve += said * (1 - said)
    }
    shift += (0.5 * gradient) / curve
  }
  return shift
}
