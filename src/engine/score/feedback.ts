/** How many findings of a signal members marked right and wrong. */
export type FeedbackCounts = { right: number; wrong: number }

/** The share of correct findings without feedback, as measured on labelled documents. */
const EXPECTED_RIGHT = 0.8
/** The weight of that expectation in verdicts, so that a few verdicts change little. */
const EXPECTED_WEIGHT = 20
/** Maximum shift of the confidence in logits: from 0.73 to one half, or the reverse. */
export const MAX_FEEDBACK_SHIFT = 1

/**
 * How far the verdicts of a workspace shift its confidence in a signal, in logits: the observed odds of being right
 * relative to the expected odds. 0 without verdicts.
 */
export function feedbackShift({ right, wrong }: FeedbackCounts): number {
  const expected = EXPECTED_RIGHT / (1 - EXPECTED_RIGHT)
  const seen = (right + EXPECTED_WEIGHT * EXPECTED_RIGHT) / (wrong + EXPECTED_WEIGHT * (1 - EXPECTED_RIGHT))
  const shift = Math.log(seen) - Math.log(expected)
  return Math.round(Math.max(-MAX_FEEDBACK_SHIFT, Math.min(MAX_FEEDBACK_SHIFT, shift)) * 100) / 100
}

/** A confidence after a shift. 0 and 1 are unchanged. */
export function shiftConfidence(confidence: number, shift: number): number {
  const grown = confidence * Math.exp(shift)
  return grown === 0 ? 0 : grown / (grown + 1 - confidence)
}
