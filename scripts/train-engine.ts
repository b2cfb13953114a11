// Learns src/engine/weights.json from the tuning half. A document is positive for a company and a signal as a whole,
// so the sentence that tells it is chosen in turns: score all candidates, keep the best of each, fit, again.
// There is no randomness: folds are cut by document hash, and the same labels give the same file.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { pressReleasesPath, readEntries, readReleases } from './engine-data.ts'
import { type Bag, bagsOf, bestScore, calibrate, fit } from './engine-fit.ts'

const FOLDS = 8

const foldOf = (id: string) => (createHash('sha256').update(`fold:${id}`).digest()[0] as number) % FOLDS
const round = (value: number) => Math.round(value * 1000) / 1000

const entries = readEntries(readReleases(pressReleasesPath()), 'tune')
const bags = entries.flatMap(bagsOf)
const heldOut: { score: number; target: number; bag: Bag }[] = []
for (let fold = 0; fold < FOLDS; fold++) {
  const weights = fit(bags.filter((bag) => foldOf(bag.id) !== fold))
  for (const bag of bags) {
    if (foldOf(bag.id) === fold) heldOut.push({ score: bestScore(bag, weights), target: bag.positive ? 1 : 0, bag })
  }
}
const { slope, offset } = calibrate(heldOut)
const total = entries.reduce((sum, entry) => sum + entry.signals.size, 0)
console.log(`bags ${bags.length}, positive ${bags.filter((bag) => bag.positive).length} of ${total} labelled`)
for (const threshold of [0.3, 0.4, 0.5, 0.6, 0.7]) {
  const found = heldOut.filter(({ score }) => 1 / (1 + Math.exp(-(slope * score + offset))) >= threshold)
  const right = found.filter(({ target }) => target === 1).length
  const precision = right / found.length
  const recall = right / total
  console.log(
    `cross-validated at ${threshold}: P ${round(precision)} R ${round(recall)} F1 ${round((2 * precision * recall) / (precision + recall))}`,
  )
}
const weights = fit(bags)
const named = Object.fromEntries([...weights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, w]) => [name, round(w)]))
writeFileSync(
  new URL('../src/engine/weights.json', import.meta.url),
  `${JSON.stringify({ slope: round(slope), offset: round(offset), weights: named }, null, 2)}\n`,
)
