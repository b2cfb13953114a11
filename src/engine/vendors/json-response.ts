// Parses large JSON responses of external APIs in a parser thread. What crosses to the main thread is bounded.
import type { RawDocument } from '../content/read.ts'
import { decodeText } from '../text/decode.ts'
import { tryParseJson } from '../text/storable.ts'

export type JsonTask = RawDocument & {
  /** Names of the fields to keep, at any depth; all when absent. */
  fields?: readonly string[]
}
export type JsonResult = { outcome: 'read'; value: unknown } | { outcome: 'no-json' } | { outcome: 'too-long' }

/** Receiving this many values takes the main thread about ten milliseconds. */
const MAX_VALUES = 100_000
/** Of all texts together. */
const MAX_CHARS = 8_000_000
/** Responses are some ten levels deep, and copying recurses. */
const MAX_DEPTH = 50

export function parseJsonResponse({ body, contentType, fields }: JsonTask): JsonResult {
  const parsed = tryParseJson(decodeText(body, contentType))
  if (parsed === undefined) return { outcome: 'no-json' }
  const kept = fields && new Set(fields)
  let values = 0
  let chars = 0
  let isTooLong = false
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') chars += value.length
    isTooLong ||= ++values > MAX_VALUES || chars > MAX_CHARS || depth > MAX_DEPTH
    if (isTooLong || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) {
        if (isTooLong) break
        items.push(copy(item, depth + 1))
      }
      return items
    }
    const copied: Record<string, unknown> = Object.create(null)
    for (const name in value) {
      if (isTooLong) break
      if (!kept || kept.has(name)) copied[name] = copy((value as Record<string, unknown>)[name], depth + 1)
    }
    return copied
  }
  const value = copy(parsed, 0)
  return isTooLong ? { outcome: 'too-long' } : { outcome: 'read', value }
}
