import { decodePercentEncoding } from '../text/decode.ts'
import { webLink } from '../text/web-address.ts'

/** Resolves a link against the page's URL; null when the result is not http or https. */
export function absoluteUrl(href: string, base: string): string | null {
  if (href.length > 2_000) return null
  const url = URL.parse(href.trim(), URL.canParse(base) ? base : undefined)
  return url && webLink(url.href)
}

/** Whether a URL is a person's profile on a professional network. */
export function isNetworkUrl(href: string): boolean {
  if (href.length > 500) return false
  const url = URL.parse(href)
  if (!url) return false
  const host = url.hostname
  if (host === 'linkedin.com' || host.endsWith('.linkedin.com')) return /^\/(?:in|pub)\/[^/]/.test(url.pathname)
  return (host === 'xing.com' || host.endsWith('.xing.com')) && url.pathname.startsWith('/profile/')
}

/** Normalises a profile URL so that its spellings compare equal: https, no country host, no query, no trailing slash. */
export function canonicalNetworkUrl(href: string): string {
  const url = new URL(href)
  const host = url.hostname.endsWith('linkedin.com') ? 'www.linkedin.com' : 'www.xing.com'
  return `https://${host}${url.pathname.replace(/\/$/, '')}`
}

const EMAIL = /^[a-z0-9._%+'-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/

/** The lower-cased email address of a mailto link or of a text that is nothing else. */
export function readEmail(source: string): string | null {
  if (source.length > 400) return null
  let text = source.trim()
  if (/^mailto:/i.test(text)) {
    text = decodePercentEncoding((text.slice(7).split('?')[0] ?? '').trim())
  }
  text = text
    .toLowerCase()
    .replace(/\s*[[(]at[\])]\s*/, '@')
    .replace(/\s*[[(]dot[\])]\s*/g, '.')
  return EMAIL.test(text) ? text : null
}
