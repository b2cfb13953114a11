import { getDomain } from 'tldts'

export const MAX_LINK_CHARS = 2_048

/**
 * The text as a link that may be stored and shown: an absolute http or https URL. Null for anything else, such as
 * `javascript:` and `data:`, which would run in the reader's browser.
 */
export function webLink(text: string): string | null {
  const link = text.trim()
  return link.length <= MAX_LINK_CHARS && /^https?:\/\/[^\p{Cc}]+$/iu.test(link) && URL.canParse(link) ? link : null
}

/** Like webLink, but a URL without a scheme, as data sources and files often contain it, is read as https. */
export function readWebLink(text: string): string | null {
  const link = text.trim()
  return webLink(
    /^(?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/|$)/i.test(link) ? `https://${link.replace(/^\/\//, '')}` : link,
  )
}

/** `www.acme.com` and `news.acme.com` have the same registrable domain. */
export function registrableDomain(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true })
}

/** Like registrableDomain, with the host for URLs that have none, such as IP addresses. */
export function registrableDomainOrHost(url: string): string {
  return registrableDomain(url) ?? URL.parse(url)?.host ?? url
}
