// Reads fields from responses of external APIs: a field that is missing, null or of another type is null, never an exception.

import { parseDate } from '../dates/find-dates.ts'
import { webLink } from '../text/web-address.ts'

type Json = Record<string, unknown>

export function valueAt(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Json)[key]
  }
  return found
}

/** A trimmed string; null when it is blank. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found.trim() || null : null
}

/** An http or https URL. */
export function urlAt(value: unknown, ...path: string[]): string | null {
  const found = textAt(value, ...path)
  return found && webLink(found)
}

export function numberAt(value: unknown, ...path: string[]): number | null {
  const found = valueAt(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

/** A list; null when there is none, because an empty list means something else. */
export function listAt(value: unknown, ...path: string[]): unknown[] | null {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : null
}

/** The strings in a list. */
export function textsAt(value: unknown, ...path: string[]): string[] {
  return (listAt(value, ...path) ?? []).filter((item) => typeof item === 'string')
}

/** Whether none of the entries has one of the fields, which was then renamed: a field without a value is null. */
export function isFieldMissing(entries: readonly unknown[], ...fields: string[]): boolean {
  return entries.length > 0 && fields.some((field) => entries.every((entry) => valueAt(entry, field) === undefined))
}

/** The date of a timestamp given as ISO 8601 text or in milliseconds. */
export function dateAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path)
  if (typeof found === 'number') return found > 0 && found < 8.64e15 ? parseDate(new Date(found).toISOString()) : null
  return typeof found === 'string' ? parseDate(found) : null
}
