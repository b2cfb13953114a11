// Fitting the model of single sentences: candidates grouped by document, company and signal; weights drawn from a
// prior; a probability fitted on documents the weights have not seen.
import { publishedDate } from '../src/engine/detect/dates.ts'
import { buildLexicon, readDocument } from '../src/engine/detect/document.ts'
import { gatherEvidence } from '../src/engine/detect/evidence.ts'
import { isEnglish } from '../src/engine/language.ts'
import type { Entry } from './engine-data.ts'
import { isWord, priorOf, RARE } from './engine-priors.ts'

/** All candidates of one signal for one company in one document; `told` marks those in the labelled evidence. */
export type Bag = {
  entry: Entry
  id: string
  signal: string
  positive: boolean
  candidates: { features: string[]; told: boolean; sentence: string }[]
}
export type Weights = Map<string, number>

const ROUNDS = 6
const STEPS = 50
const RATE = 0.5
// How many labelled examples a prior weight is worth. Single phrases are many and rare: they need more proof.
const PRIOR_STRENGTH = 6
const PHRASE_STRENGTH = 8
const TITLE_STRENGTH = 30
// The few examples of a rare signal are all odd in their own way.
const RARE_STRENGTH = 25
const isRare = (feature: string) => feature.split(/[:@]/).some((part) => RARE.has(part))
function strengthOf(feature: string): number {
  if (feature.startsWith('title:')) return TITLE_STRENGTH
  if (feature.startsWith('trigger:')) return PHRASE_STRENGTH
  return isRare(feature) ? RARE_STRENGTH : PRIOR_STRENGTH
}
// A phrase seen in fewer documents says something about them, not about the language.
const leastDocuments = (feature: string) => (feature.startsWith('title:') ? 8 : 4)

// A plain statement is worth several documents: it holds beyond this collection.
const TEXTBOOK_WORTH = 3

const lexicon = buildLexicon()

export function bagsOf(entry: Entry): Bag[] {
  const { input, signals } = entry
  if (!isEnglish(input.text || (input.title ?? ''))) return []
  const document = readDocument(lexicon, input.title ?? '', input.text)
  const published = publishedDate(input.published_at, input.text)
  const bags = new Map<string, Bag>()
  const gathered = gatherEvidence(document, input.company, input.url ?? '', published)
  for (const { candidate, features, title } of gathered?.evidence ?? []) {
    const { signal } = candidate.group
    if (entry.unknown?.has(signal)) continue
    const bag = bags.get(signal) ?? { entry, id: input.id, signal, positive: signals.has(signal), candidates: [] }
    bags.set(signal, bag)
    const label = signals.get(signal)
    const sentence = document.sentences[candidate.sentence]
    const isTitle = sentence?.section === 'title'
    const offset = isTitle ? 0 : document.titleEnd
    const start = (document.tokens.start[sentence?.from ?? 0] ?? 0) - offset
    const end = (document.tokens.end[(sentence?.to ?? 1) - 1] ?? 0) - offset
    const told = label !== undefined && (label.field === 'title') === isTitle && start < label.end && label.start < end
    bag.candidates.push({
      features: [...features, ...title],
      told,
      sentence: document.tokens.text.slice(start + offset, end + offset),
    })
  }
  return [...bags.values()]
}

export function scoreOf(features: readonly string[], weights: Weights): number {
  let score = 0
  for (const feature of features) score += weights.get(feature) ?? priorOf(feature)
  return score
}

type Indexed = { id: string; positive: boolean; worth: number; pool: Int32Array[] }

/** Bags with numbers for features, and what the features stand for. */
export type Indexes = { bags: Indexed[]; names: string[]; prior: Float64Array; strength: Float64Array }

/** The candidate that stands for a bag: the one with the best score, among those in the labelled sentence if there are any. */
function strongestCandidate({ pool }: Indexed, weights: Float64Array): Int32Array {
  let best = pool[0] as Int32Array
  let bestScore = Number.NEGATIVE_INFINITY
  for (const candidate of pool) {
    const score = sum(candidate, weights)
    if (score > bestScore) [best, bestScore] = [candidate, score]
  }
  return best
}

function sum(features: Int32Array, weights: Float64Array): number {
  let total = 0
  for (const feature of features) total += weights[feature] as number
  return total
}

export function indexBags(bags: Bag[]): Indexes {
  const seen = new Map<string, Set<string>>()
  for (const { id, candidates } of bags) {
    for (const feature of new Set(candidates.flatMap(({ features }) => features))) {
      if (!isWord(feature)) continue
      const documents = seen.get(feature)
      if (documents) documents.add(id)
      else seen.set(feature, new Set([id]))
    }
  }
  const isKnown = (feature: string) => !isWord(feature) || (seen.get(feature)?.size ?? 0) >= leastDocuments(feature)
  const ids = new Map<string, number>()
  const idOf = (feature: string) => {
    const id = ids.get(feature) ?? ids.size
    ids.set(feature, id)
    return id
  }
  const indexed: Indexed[] = bags.map(({ id, entry, positive, candidates }) => {
    const told = positive ? candidates.filter((candidate) => candidate.told) : []
    const pool = told.length > 0 ? told : candidates
    const worth = entry.kind === 'textbook' ? TEXTBOOK_WORTH : 1
    return { id, positive, worth, pool: pool.map(({ features }) => Int32Array.from(features.filter(isKnown), idOf)) }
  })
  const names = [...ids.keys()]
  return {
    bags: indexed,
    names,
    prior: Float64Array.from(names, priorOf),
    strength: Float64Array.from(names, strengthOf),
  }
}

/** Weights from the bags of the documents that `includes` lets through. */
export function fit(
  { bags, names, prior, strength }: Indexes,
  includes: (id: string) => boolean = () => true,
): Weights {
  const indexed = bags.filter(({ id }) => includes(id))
  const weights = Float64Array.from(prior)
  for (let round = 0; round < ROUNDS; round++) {
    const examples = indexed.map((bag) => ({
      features: strongestCandidate(bag, weights),
      target: bag.positive ? 1 : 0,
      worth: bag.worth,
    }))
    const counts = new Float64Array(names.length)
    for (const { features, worth } of examples)
      for (const feature of features) counts[feature] = (counts[feature] as number) + worth
    for (let step = 0; step < STEPS; step++) {
      const gradient = new Float64Array(names.length)
      for (const { features, target, worth } of examples) {
        const error = worth * (target - 1 / (1 + Math.exp(-sum(features, weights))))
        for (const feature of features) gradient[feature] = (gradient[feature] as number) + error
      }
      for (let f = 0; f < names.length; f++) {
        if (counts[f] === 0) continue
        const slope =
          (gradient[f] as number) - (strength[f] as number) * ((weights[f] as number) - (prior[f] as number))
        // A step sized by the feature's own count converges for rare and common features alike.
        weights[f] = (weights[f] as number) + (RATE * slope) / ((strength[f] as number) + (counts[f] as number) * 2)
      }
    }
  }
  const used = new Set(indexed.flatMap(({ pool }) => pool.flatMap((features) => [...features])))
  return new Map([...used].map((f) => [names[f] as string, weights[f] as number]))
}

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
