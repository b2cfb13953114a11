// Learns src/engine/detect/weights.json from the tuning half. A document is positive for a company and a signal as a whole,
// so the sentence that tells it is chosen in turns: score all candidates, keep the best of each, fit, again. The trees
// learn from scores of documents that the weights had not seen.
// There is no randomness: folds are cut by document hash, and the same labels give the same file.
import { writeFileSync } from 'node:fs'
import { type Calibration, probabilityOf } from '../src/engine/detect/model.ts'
import { SIGNAL_IDS } from '../src/engine/signals/index.ts'
import { pressReleasesPath, readEntries, readReleases, readTextbook, shortened } from './engine-data.ts'
import { bagsOf, fit, indexBags, type Weights } from './engine-fit.ts'
import { featuresWithPrior, isWord, priorOf } from './engine-priors.ts'
import {
  FOLDS,
  foldOf,
  forestOf,
  heldOutScores,
  type Point,
  rowsOf,
  sentenceCalibration,
  shortShift,
  signalCalibrations,
} from './engine-stage.ts'

/** Phrases that weigh less than this are left out of the file. */
const LEAST_WEIGHT = 0.01

/** The least confidence that detect reports. */
const REPORTED = 0.5

const round = (value: number) => Math.round(value * 1000) / 1000

const whole = readEntries(readReleases(pressReleasesPath()), 'tune')
const entries = [...whole, ...shortened(whole), ...readTextbook()]
const bags = indexBags(entries.flatMap(bagsOf))
const unseen = Array.from({ length: FOLDS }, (_, fold) => fit(bags, (id) => foldOf(id) !== fold))
const rows = entries.flatMap((entry) => rowsOf(entry, (fold) => unseen[fold] as Weights))
const scores = heldOutScores(rows)
const points = rows.map(({ entry, signal, target, fold, short }, i) => ({
  kind: entry.kind,
  signal,
  target,
  fold,
  short,
  score: scores[i] as number,
}))

/** The calibrations come from whole documents; short texts get a shift of their own. */
function calibrateSignals(some: (Point & { kind: string; short: boolean })[]) {
  const calibrations = signalCalibrations(
    some.filter(({ kind }) => kind === 'whole'),
    SIGNAL_IDS,
  )
  return {
    calibrations,
    shift: shortShift(
      some.filter(({ short }) => short),
      calibrations,
    ),
  }
}

/** The calibrations of the held-out rows come from the other folds, too. */
const heldOut = Array.from({ length: FOLDS }, (_, fold) =>
  calibrateSignals(points.filter((point) => point.fold !== fold)),
)
const predictions = points.map(({ kind, signal, target, fold, short, score }) => {
  const { calibrations, shift } = heldOut[fold] as (typeof heldOut)[number]
  return {
    kind,
    signal,
    target,
    confidence: probabilityOf(score + (short ? shift : 0), calibrations.get(signal) as Calibration),
  }
})

function print(name: string, found: typeof predictions, labelled: number): void {
  const right = found.filter(({ target }) => target === 1).length
  const precision = right / Math.max(1, found.length)
  const recall = right / Math.max(1, labelled)
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall)
  console.log(`${name.padEnd(22)} labelled ${labelled}  P ${round(precision)} R ${round(recall)} F1 ${round(f1)}`)
}

for (const kind of ['whole', 'short', 'textbook'] as const) {
  const own = predictions.filter((j) => j.kind === kind)
  const labelledIn = (signal?: (typeof SIGNAL_IDS)[number]) =>
    entries
      .filter((entry) => entry.kind === kind)
      .reduce((sum, { signals }) => sum + (signal ? Number(signals.has(signal)) : signals.size), 0)
  console.log(`cross-validated, ${kind}:`)
  for (const limit of [0.3, 0.4, 0.5, 0.6, 0.7])
    print(
      `from ${limit}`,
      own.filter((j) => j.confidence >= limit),
      labelledIn(),
    )
  for (const signal of SIGNAL_IDS)
    print(
      signal,
      own.filter((j) => j.signal === signal && j.confidence >= REPORTED),
      labelledIn(signal),
    )
  for (let bin = 2; bin < 10; bin++) {
    const inside = own.filter((j) => j.confidence >= bin / 10 && j.confidence < (bin + 1) / 10)
    const right = inside.filter(({ target }) => target === 1).length
    const said = inside.reduce((sum, j) => sum + j.confidence, 0) / Math.max(1, inside.length)
    console.log(`said ${round(said)}  right ${round(right / Math.max(1, inside.length))}  of ${inside.length}`)
  }
}

const sorted = <T>(map: Iterable<[string, T]>, value: (item: T) => unknown) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, value(item)]))
const rounded = ({ slope, offset }: Calibration) => ({ slope: round(slope), offset: round(offset) })
const weights = fit(bags)
for (const name of featuresWithPrior()) if (!weights.has(name)) weights.set(name, priorOf(name))
const { calibrations, shift } = calibrateSignals(points)
const model = {
  sentence: rounded(sentenceCalibration(rows)),
  signals: sorted(calibrations, rounded),
  short: round(shift),
  weights: sorted(
    [...weights].filter(([name, weight]) => !isWord(name) || Math.abs(weight) >= LEAST_WEIGHT),
    round,
  ),
  forest: forestOf(rows),
}
// One line for each name and each tree: readable, and small.
const text = JSON.stringify(model).replaceAll(',"', ',\n"').replaceAll(']],[[', ']],\n[[')
writeFileSync(new URL('../src/engine/detect/weights.json', import.meta.url), `${text}\n`)
