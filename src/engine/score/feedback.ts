/** How many findings of a signal members called right and wrong. */
export type FeedbackCounts = { right: number; wrong: number }

/** What share of findings is right where nobody has said anything: as measured on labelled documents. */
const EXPECTED_RIGHT = 0.8
/** So many verdicts weigh as much as that expectation, so that a few alone change little. */
const EXPECTED_WEIGHT = 20
/** Confidence moves by at most so much, in logits: from 0.73 to one half, or the other way round. */
export const MAX_FEEDBACK_SHIFT = 1

/**
 * How far the verdicts of a workspace move its confidence in a signal, in logits: the odds of being right as members see
 * them, against those expected. 0 without verdicts.
 */
export function feedbackShift({ right, wrong }: FeedbackCounts): number {
  const expected = EXPECTED_RIGHT / (1 - EXPECTED_RIGHT)
  const seen = (right + EXPECTED_WEIGHT * EXPECTED_RIGHT) / (wrong + EXPECTED_WEIGHT * (1 - EXPECTED_RIGHT))
  const shift = Math.log(seen) - Math.log(expected)
  return Math.round(Math.max(-MAX_FEEDBACK_SHIFT, Math.min(MAX_FEEDBACK_SHIFT, shift)) * 100) / 100
}

/** A confidence after a shift. 0 and 1 stay what they are. */
export function shiftConfidence(confidence: number, shift: number): number {
  const grown = confidence * Math.exp(shift)
  return grown === 0 ? 0 : grown / (grown + 1 - confidence)
}
