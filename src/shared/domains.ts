const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/** A normalized ASCII domain, the usual case in imports: it is returned without URL parsing. */
const PLAIN = /^(?!www\.|.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
const LONGEST = 253

/**
 * Normalizes a domain, a host name or a URL to a domain: `https://www.Müller.de/jobs` becomes `xn--mller-kva.de`.
 * Returns null when the text contains no domain.
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
  // A host that ends in a number is an IPv4 address.
  return /^\d+$/.test(labels.at(-1) as string) ? null : host
}
