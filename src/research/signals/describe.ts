import { loadModelCard } from '../../engine/classifier/weights.ts'
import { checkDescription, type DescriptionCheck } from '../../engine/custom-signals/check-description.ts'
import { type FeedbackCounts, feedbackShift } from '../../engine/score/feedback.ts'
import { AppError } from '../../shared/errors.ts'

let vocabulary: ReadonlySet<string> | undefined

/** Checks a description. The vocabulary of the classifier is loaded on first use. */
function checkSignalDescription(description: string): DescriptionCheck {
  vocabulary ??= new Set(loadModelCard().vocabulary)
  const words = vocabulary
  return checkDescription(description, (word) => words.has(word))
}

/** Throws unclear_description. */
export function requireClearDescription(description: string): DescriptionCheck {
  const checked = checkSignalDescription(description)
  const { refusal } = checked
  if (refusal === null) return checked
  throw new AppError('unclear_description', refusal, { details: [{ path: 'description', message: refusal }] })
}

/** Throws unclear_description, and builtin_signal when the description equals that of a built-in signal. */
export function requireCustomSignal(description: string): void {
  const { similar, isSame } = requireClearDescription(description)
  if (!similar || !isSame) return
  const message = `This is the built-in signal “${similar.name}” (${similar.id}). Switch that one on, or describe a special case of it.`
  throw new AppError('builtin_signal', message, { details: [{ path: 'description', message }] })
}

/** The built-in signal that a description is similar to, to be offered instead. */
export function findSimilarBuiltin(description: string): { id: string; name: string } | null {
  const { similar } = checkSignalDescription(description)
  return similar && { id: similar.id, name: similar.name }
}

type Row = { description: string; is_builtin: boolean; verdicts: FeedbackCounts }

/** A signal as the API returns it. */
export function presentSignal<R extends Row>({ verdicts, ...signal }: R) {
  return {
    ...signal,
    similar: signal.is_builtin ? null : findSimilarBuiltin(signal.description),
    feedback: { ...verdicts, shift: feedbackShift(verdicts) },
  }
}
