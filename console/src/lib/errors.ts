import { ApiError, Unreachable } from '../api/client.ts'

/** The validation error of each field, by field name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, `Value ${message}.`]))
}

/** Whether the code of a page could not be loaded, in the words of Chromium, Firefox and Safari. */
export const isCodeNotLoaded = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(error.message)

/** Whether the server responds. */
export const isReachable = async (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** The message of an error for display. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.details.length > 0 && error.status === 400) {
    return error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  }
  if (error instanceof ApiError || error instanceof Unreachable) return error.message
  if (isCodeNotLoaded(error)) return 'Could not reach the server. Check your connection, then try again.'
  return error instanceof Error ? error.message : 'Something went wrong.'
}
