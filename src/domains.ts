import { isIP } from 'node:net'

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * The domain a person means by a domain, a host name or a URL: `https://www.Müller.de/jobs` is `xn--mller-kva.de`.
 * Answers null for what is none.
 */
export function normalizeDomain(text: string): string | null {
  const trimmed = text.trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  if (trimmed.length > 2048 || !URL.canParse(url)) return null
  const host = new URL(url).hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  const labels = host.split('.')
  if (labels.length < 2 || host.length > 253 || isIP(host) || !labels.every((label) => LABEL.test(label))) return null
  return host
}
