import { getDomain } from 'tldts'

/** The registrable domain: `www.acme.com` and `news.acme.com` are one site. */
export function siteOf(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true })
}
