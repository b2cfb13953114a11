import type { ResponseHeaders } from './exchange.ts'

/** For how many seconds an answer says that it holds (RFC 9111); null when it does not say. */
export function freshSeconds(headers: ResponseHeaders, now: Date): number | null {
  const control = textOf(headers['cache-control'])
  if (/\b(?:no-store|no-cache)\b/i.test(control)) return 0
  const [, maxAge] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(control) ?? []
  if (maxAge !== undefined) return Math.max(0, Number(maxAge) - (Number(textOf(headers.age)) || 0))
  const expires = textOf(headers.expires)
  if (expires === '') return null
  // What is no date, `0` above all, is over already. By the clock of the sender, which may be wrong.
  const from = Date.parse(textOf(headers.date)) || now.getTime()
  return Math.max(0, Math.floor((Date.parse(expires) - from) / 1000) || 0)
}

const textOf = (value: string | string[] | undefined): string => [value ?? []].flat().join(', ')
