// Fitting the judgement of the engine: candidates grouped by document, company and signal; weights drawn from a
// prior; a probability fitted on documents the weights have not seen.
import { publishedDate } from '../src/engine/dates.ts'
import { buildLexicon, readDocument } from '../src/engine/detect/document.ts'
import { gatherEvidence } from '../src/engine/detect/evidence.ts'
import { isEnglish } from '../src/engine/language.ts'
import type { Entry } from './engine-data.ts'
import { priorOf } from './engine-priors.ts'

/** All candidates of one signal for one company in one document; `told` marks those in the labelled evidence. */
export type Bag = { entry: Entry; id: string; signal: string; positive: boolean; candidates: { features: string[]; told: boolean; sentence: string }[] }
export type Weights = Map<string, number>

const ROUNDS = 10
const STEPS = 150
const RATE = 0.5
// How many labelled examples a prior weight is worth.
const PRIOR_STRENGTH = 6

const lexicon = buildLexicon()

export function bagsOf(entry: Entry): Bag[] {
  const { input, signals } = entry
  if (!isEnglish(input.text)) return []
  const document = readDocument(lexicon, input.title ?? '', input.text)
  const published = publishedDate(input.published_at, input.text)
  const bags = new Map<string, Bag>()
  for (const { candidate, features } of gatherEvidence(document, input.company, input.url ?? '', published)) {
    const { signal } = candidate.group
    let bag = bags.get(signal)
    if (!bag) bags.set(signal, (bag = { entry, id: input.id, signal, positive: signals.has(signal), candidates: [] }))
    const label = signals.get(signal)
    const sentence = document.sentences[candidate.sentence]
    const isTitle = sentence?.section === 'title'
    const offset = isTitle ? 0 : document.titleEnd
    const start = (document.tokens.start[sentence?.from ?? 0] ?? 0) - offset
    const end = (document.tokens.end[(sentence?.to ?? 1) - 1] ?? 0) - offset
    const told = label !== undefined && (label.field === 'title') === isTitle && start < label.end && label.start < end
    bag.candidates.push({ features, told, sentence: document.tokens.text.slice(start + offset, end + offset) })
  }
  return [...bags.values()]
}

export function scoreOf(features: string[], weights: Weights): number {
  let score = 0
  for (const feature of features) score += weights.get(feature) ?? priorOf(feature)
  return score
}

/** The candidate that speaks for the bag: the best one, among those in the labelled sentence if there are any. */
function spokesman(bag: Bag, weights: Weights): string[] {
  const told = bag.positive ? bag.candidates.filter((candidate) => candidate.told) : []
  const pool = told.length > 0 ? told : bag.candidates
  let best = pool[0] as Bag['candidates'][number]
  let bestScore = Number.NEGATIVE_INFINITY
  for (const candidate of pool) {
    const score = scoreOf(candidate.features, weights)
    if (score > bestScore) [best, bestScore] = [candidate, score]
  }
  return best.features
}

export function fit(bags: Bag[]): Weights {
  const weights: Weights = new Map()
  for (const bag of bags) {
    for (const { features } of bag.candidates) for (const feature of features) weights.set(feature, priorOf(feature))
  }
  for (let round = 0; round < ROUNDS; round++) {
    const examples = bags.map((bag) => ({ features: spokesman(bag, weights), target: bag.positive ? 1 : 0 }))
    for (let step = 0; step < STEPS; step++) {
      const gradient = new Map<string, { sum: number; count: number }>()
      for (const { features, target } of examples) {
        const error = target - 1 / (1 + Math.exp(-scoreOf(features, weights)))
        for (const feature of features) {
          const entry = gradient.get(feature)
          if (entry) {
            entry.sum += error
            entry.count++
          } else gradient.set(feature, { sum: error, count: 1 })
        }
      }
      for (const [feature, { sum, count }] of gradient) {
        const weight = weights.get(feature) ?? 0
        const slope = sum - PRIOR_STRENGTH * (weight - priorOf(feature))
        // A step sized by the feature's own count converges for rare and common features alike.
        weights.set(feature, weight + (RATE * slope) / (PRIOR_STRENGTH + count * 2))
      }
    }
  }
  return weights
}

export const bestScore = (bag: Bag, weights: Weights) => Math.max(...bag.candidates.map((c) => scoreOf(c.features, weights)))

/** Slope and offset of the probability, fitted on scores of documents the weights have not seen. */
export function calibrate(points: { score: number; target: number }[]): { slope: number; offset: number } {
  let slope = 1
  let offset = 0
  for (let step = 0; step < 4000; step++) {
    let slopeGradient = 0
    let offsetGradient = 0
    for (const { score, target } of points) {
      const error = target - 1 / (1 + Math.exp(-(slope * score + offset)))
      slopeGradient += error * score
      offsetGradient += error
    }
    slope += (0.05 * slopeGradient) / points.length
    offset += (0.05 * offsetGradient) / points.length
  }
  return { slope, offset }
}
