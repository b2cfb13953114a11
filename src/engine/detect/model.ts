// The learned judgement: a logistic model over named features, and two numbers that turn its score into a
// probability. Weights come from scripts/train-engine.ts.
import weights from '../weights.json' with { type: 'json' }

type Model = { weights: Record<string, number>; slope: number; offset: number }

const MODEL: Model = weights

const table = new Map(Object.entries(MODEL.weights))

/** The score of a candidate: the sum of its features' weights. */
export function scoreOf(features: readonly string[], model: ReadonlyMap<string, number> = table): number {
  let score = 0
  for (const feature of features) score += model.get(feature) ?? 0
  return score
}

/** The calibrated probability of a score. */
export function probabilityOf(score: number, { slope, offset }: { slope: number; offset: number } = MODEL): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)))
}
