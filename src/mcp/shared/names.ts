import type { LookupOptions } from '@bellwether/client/names'
import { isId } from '../../shared/ids.ts'
import { ToolError } from './errors.ts'

/** One page per name: every request counts against the caller's rate limit, and the error lists similar names. */
export const LOOKUP: LookupOptions = { maxPages: 1 }

/** Every name costs an API request. */
const MAX_NAMES = 50

/** The given names and ids. Throws a ToolError when more than 50 of them are names. */
export function limitNames(given: readonly string[]): readonly string[] {
  if (given.filter((one) => !isId(one.trim())).length > MAX_NAMES)
    throw new ToolError(`At most ${MAX_NAMES} names are accepted in one call. Give the others by their ids.`)
  return given
}
