const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/** What most files hold, and nothing could be made of it but itself; labels of other alphabets have to be checked. */
const PLAIN = /^(?!www\.|.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
const LONGEST = 253

/**
 * The domain a person means by a domain, a host name or a URL: `https://www.Müller.de/jobs` is `xn--mller-kva.de`.
 * Answers null for what is none.
 */
export function normalizeDomain(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length <= LONGEST && PLAIN.test(trimmed)) return trimmed
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const parsed = trimmed.length > 2048 ? null : URL.parse(url)
  if (!parsed) return null
  const host = parsed.hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  const labels = host.split('.')
  if (labels.length < 2 || host.length > LONGEST || !labels.every((label) => LABEL.test(label))) return null
  // What ends in a number is an address: a URL has no other such host.
  return /^\d+$/.test(labels.at(-1) as string) ? null : host
}
