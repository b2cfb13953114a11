import { type CustomSignal, compileCustomSignal, EmptyDescription } from '../../engine/detect/custom-signal.ts'
import { AppError } from '../../errors.ts'

/** What a description has the service look for. Throws invalid_request where it names nothing. */
export function readDescription(id: string, description: string): CustomSignal {
  try {
    return compileCustomSignal(id, description)
  } catch (error) {
    if (!(error instanceof EmptyDescription)) throw error
    const message = 'must name something that could be looked for'
    throw new AppError('invalid_request', `description ${message}.`, { details: [{ path: 'description', message }] })
  }
}
