import type { Answer } from './client.ts'
import type { Operation } from './operations.ts'

/** Differences in fields between the example of a response and a real one: a path and the difference. */
export function differences({ examples }: Operation, { status, body }: Pick<Answer, 'status' | 'body'>): string[] {
  return body === null ? [] : compare(examples[status], body, '')
}

function compare(example: unknown, real: unknown, at: string): string[] {
  // Null and empty values match any value; the schema covers them.
  if (isEmpty(example) || isEmpty(real)) return []
  if (Array.isArray(example) || Array.isArray(real)) {
    if (!Array.isArray(example) || !Array.isArray(real)) return [`${at}: one is a list`]
    return compare(example[0], real[0], `${at}[]`)
  }
  if (typeof example !== typeof real) return [`${at}: ${typeof example} in the example, ${typeof real} in the answer`]
  if (typeof example !== 'object') return []
  const [shown, came] = [example, real] as Record<string, unknown>[]
  const fields = new Set([...Object.keys(shown ?? {}), ...Object.keys(came ?? {})])
  return [...fields].flatMap((field) => {
    const where = `${at}.${field}`
    if (!came || !(field in came)) return [`${where}: only in the example`]
    if (!shown || !(field in shown)) return [`${where}: only in the answer`]
    return compare(shown[field], came[field], where)
  })
}

const isEmpty = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0)
