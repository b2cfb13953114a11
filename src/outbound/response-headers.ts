import type { ResponseHeaders } from './exchange.ts'

const MAX_SECONDS = 300

/** The delay of a Retry-After header in seconds, at most five minutes unless given; null when it has none. */
export function readRetryAfter(header: string | string[] | undefined, maxSeconds = MAX_SECONDS): number | null {
  const text = Array.isArray(header) ? header[0] : header
  if (!text) return null
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(seconds, maxSeconds) : null
}

/** Varies a delay by up to 20 percent, so that calls that failed together are not retried together. */
export function withJitter(pause: number): number {
  return pause * (0.8 + Math.random() * 0.4)
}

/** The freshness lifetime of a response in seconds (RFC 9111); null when its headers do not define one. */
export function freshSeconds(headers: ResponseHeaders, now: Date): number | null {
  const control = textOf(headers['cache-control'])
  if (/\b(?:no-store|no-cache)\b/i.test(control)) return 0
  const [, maxAge] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(control) ?? []
  if (maxAge !== undefined) return Math.max(0, Number(maxAge) - (Number(textOf(headers.age)) || 0))
  const expires = textOf(headers.expires)
  if (expires === '') return null
  // An invalid date, usually `0`, counts as expired. Relative to the Date header, because the sender's clock may be wrong.
  const from = Date.parse(textOf(headers.date)) || now.getTime()
  return Math.max(0, Math.floor((Date.parse(expires) - from) / 1000) || 0)
}

const textOf = (value: string | string[] | undefined): string => [value ?? []].flat().join(', ')
