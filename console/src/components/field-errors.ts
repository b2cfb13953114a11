import { ApiError } from '../api/client.ts'

/** What a refusal says about each field, to be shown beside it. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, `It ${message}.`]))
}
