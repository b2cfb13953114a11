import { getDomain } from 'tldts'

/** The longest link that is stored. */
export const MAX_LINK_CHARS = 2_048

/**
 * The text as a link that may be stored and shown: an absolute http or https address. Null for anything else, such as
 * `javascript:` and `data:`, which would run in the browser of the reader.
 */
export function webLink(text: string): string | null {
  const link = text.trim()
  return link.length <= MAX_LINK_CHARS && /^https?:\/\/[^\p{Cc}]+$/iu.test(link) && URL.canParse(link) ? link : null
}

/** The same for what a source or a file gives: an address without a scheme, as they often write it, is taken for https. */
export function readWebLink(text: string): string | null {
  const link = text.trim()
  return webLink(
    /^(?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/|$)/i.test(link) ? `https://${link.replace(/^\/\//, '')}` : link,
  )
}

/** The registrable domain: `www.acme.com` and `news.acme.com` are one site. */
export function registrableDomain(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true })
}

/** The same for addresses that have none, such as those of numbers. */
export function registrableDomainOrHost(url: string): string {
  return registrableDomain(url) ?? URL.parse(url)?.host ?? url
}
