// Learns src/engine/weights.json from the tuning half. A document is positive for a company and a signal as a whole,
// so the sentence that tells it is chosen in turns: score all candidates, keep the best of each, fit, again. The second
// judgement learns from scores of documents the first had not seen.
// There is no randomness: folds are cut by document hash, and the same labels give the same file.
import { writeFileSync } from 'node:fs'
import { SIGNAL_IDS } from '../src/engine/detect/lexicon.ts'
import { type Line, probabilityOf } from '../src/engine/detect/model.ts'
import { pressReleasesPath, readEntries, readReleases } from './engine-data.ts'
import { bagsOf, fit, type Weights } from './engine-fit.ts'
import { believedFeatures, priorOf } from './engine-priors.ts'
import { FOLDS, foldOf, forestOf, heldOutVerdicts, rowsOf, sentenceLine, signalLines } from './engine-stage.ts'

/** The least confidence that detect reports. */
const REPORTED = 0.5

const round = (value: number) => Math.round(value * 1000) / 1000

const entries = readEntries(readReleases(pressReleasesPath()), 'tune')
const bags = entries.flatMap(bagsOf)
const unseen = Array.from({ length: FOLDS }, (_, fold) => fit(bags.filter((bag) => foldOf(bag.id) !== fold)))
const rows = entries.flatMap((entry) => rowsOf(entry, (fold) => unseen[fold] as Weights))
const verdicts = heldOutVerdicts(rows)
const points = rows.map(({ signal, target, fold }, i) => ({ signal, target, fold, score: verdicts[i] as number }))

const total = entries.reduce((sum, entry) => sum + entry.signals.size, 0)
console.log(`rows ${rows.length}, positive ${rows.filter(({ target }) => target === 1).length} of ${total} labelled`)

/** The lines of the held-out rows come from the other folds, too. */
const heldOutLines = Array.from({ length: FOLDS }, (_, fold) =>
  signalLines(
    points.filter((point) => point.fold !== fold),
    SIGNAL_IDS,
  ),
)
const judged = points.map(({ signal, target, fold, score }) => {
  const line = heldOutLines[fold]?.get(signal) as Line
  return { signal, target, confidence: probabilityOf(score, line) }
})

function print(name: string, found: typeof judged, labelled: number): void {
  const right = found.filter(({ target }) => target === 1).length
  const precision = right / Math.max(1, found.length)
  const recall = right / Math.max(1, labelled)
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall)
  console.log(`${name.padEnd(22)} labelled ${labelled}  P ${round(precision)} R ${round(recall)} F1 ${round(f1)}`)
}

console.log('cross-validated:')
for (const limit of [0.3, 0.4, 0.5, 0.6, 0.7])
  print(
    `from ${limit}`,
    judged.filter((j) => j.confidence >= limit),
    total,
  )
for (const signal of SIGNAL_IDS) {
  const labelled = entries.filter((entry) => entry.signals.has(signal)).length
  print(
    signal,
    judged.filter((j) => j.signal === signal && j.confidence >= REPORTED),
    labelled,
  )
}
for (let bin = 2; bin < 10; bin++) {
  const inside = judged.filter((j) => j.confidence >= bin / 10 && j.confidence < (bin + 1) / 10)
  const right = inside.filter(({ target }) => target === 1).length
  const said = inside.reduce((sum, j) => sum + j.confidence, 0) / Math.max(1, inside.length)
  console.log(`said ${round(said)}  right ${round(right / Math.max(1, inside.length))}  of ${inside.length}`)
}

const sorted = <T>(map: Iterable<[string, T]>, value: (item: T) => unknown) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, value(item)]))
const line = ({ slope, offset }: Line) => ({ slope: round(slope), offset: round(offset) })
const weights = fit(bags)
for (const name of believedFeatures()) if (!weights.has(name)) weights.set(name, priorOf(name))
const model = {
  sentence: line(sentenceLine(rows)),
  signals: sorted(signalLines(points, SIGNAL_IDS), line),
  weights: sorted(weights, round),
  forest: forestOf(rows),
}
// One line for each name and each tree: readable, and small.
const text = JSON.stringify(model).replaceAll(',"', ',\n"').replaceAll(']],[[', ']],\n[[')
writeFileSync(new URL('../src/engine/weights.json', import.meta.url), `${text}\n`)
