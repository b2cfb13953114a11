const MAX_SECONDS = 300

/** Seconds a Retry-After header asks us to wait, at most five minutes; null when it says nothing. */
export function readRetryAfter(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header
  if (!text) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(seconds, MAX_SECONDS) : null
}

/** A pause a little shorter or longer, so that what failed together does not come back together. */
export function withJitter(pause: number): number {
  return pause * (0.8 + Math.random() * 0.4)
}
