import { getDomain } from 'tldts'

/** The registrable domain: `www.acme.com` and `news.acme.com` are one site. */
export function siteOf(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true })
}

/** The same for addresses that have none, such as those of numbers. */
export function placeOf(url: string): string {
  return siteOf(url) ?? URL.parse(url)?.host ?? url
}
