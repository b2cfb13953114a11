const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * The domain a person means by a domain, a host name or a URL: `https://www.Müller.de/jobs` is `xn--mller-kva.de`.
 * Answers null for what is none.
 */
export function normalizeDomain(text: string): string | null {
  const trimmed = text.trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const parsed = trimmed.length > 2048 ? null : URL.parse(url)
  if (!parsed) return null
  const host = parsed.hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  const labels = host.split('.')
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) return null
  // What ends in a number is an address: a URL has no other such host.
  return /^\d+$/.test(labels.at(-1) as string) ? null : host
}
