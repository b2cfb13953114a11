import { ApiError, Unreachable } from '../api/client.ts'

/** The validation error of each field, by field name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, `Value ${message}.`]))
}

/** The message of an error for display. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.details.length > 0 && error.status === 400) {
    return error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  }
  if (error instanceof ApiError || error instanceof Unreachable) return error.message
  return error instanceof Error ? error.message : 'Something went wrong.'
}
