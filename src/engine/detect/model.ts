// The learned model. First logistic regression over the named features of a sentence; then gradient-boosted trees over
// what the whole document says (summary.ts); the mean of both, calibrated to a probability for each signal. All numbers
// come from scripts/train-engine.ts.

import type { Summary } from './summary.ts'
import weights from './weights.json' with { type: 'json' }

/** A tree as a list of nodes [feature, threshold, left, right]; a leaf has feature -1 and its value as threshold. */
type Node = readonly number[]
export type Forest = { base: number; trees: readonly (readonly Node[])[] }

/** A straight line from a score to the logarithm of the odds (Platt scaling). */
export type Calibration = { slope: number; offset: number }

type Model = {
  weights: Record<string, number>
  sentence: Calibration
  forest: Forest
  signals: Record<string, Calibration>
  /** What a short text gains: it cannot repeat itself, and its one sentence counts for more. */
  short: number
}

const MODEL: Model = weights

const table = new Map(Object.entries(MODEL.weights))

/** The score of a candidate: the sum of its features' weights. */
export function scoreOf(features: readonly string[], model: ReadonlyMap<string, number> = table): number {
  let score = 0
  for (const feature of features) score += model.get(feature) ?? 0
  return score
}

function forestScore({ base, trees }: Forest, values: ArrayLike<number>): number {
  let score = base
  for (const nodes of trees) {
    let node = nodes[0] as Node
    while ((node[0] as number) >= 0) {
      const goesLeft = (values[node[0] as number] as number) <= (node[1] as number)
      node = nodes[(goesLeft ? node[2] : node[3]) as number] as Node
    }
    score += node[1] as number
  }
  return score
}

/** The mean of the best sentence's score and the document's. */
export function combinedScore(
  best: number,
  values: ArrayLike<number>,
  { slope, offset }: Calibration,
  forest: Forest,
): number {
  return (slope * best + offset + forestScore(forest, values)) / 2
}

export function probabilityOf(score: number, { slope, offset }: Calibration): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)))
}

/** The calibrated probability that the document tells this signal of the company. */
export function confidenceOf({ signal, best, values, short }: Summary): number {
  const score = combinedScore(best, values, MODEL.sentence, MODEL.forest) + (short ? MODEL.short : 0)
  return probabilityOf(score, MODEL.signals[signal] as Calibration)
}
