import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { companyKey, coreWords } from '../../engine/companies/company-names.ts'
import type { WebPage } from '../../engine/page/index.ts'
import { registrableDomain, registrableDomainOrHost } from '../../engine/text/web-address.ts'
import type { ProviderDeps, SiteHints } from '../types.ts'
import { type FetchedContent, fetchPage } from './fetch-page.ts'
import { isHomePageUrl } from './site.ts'

const TIMEOUTS = { headers: 8_000, body: 8_000, total: 12_000 }
/** Sites checked for one company; a story that names more of them identifies none. */
const MAX_SITES = 3
/** Pages checked for a witness in addition to the home page. */
const MAX_PAGES = 3
/** Top-level domains to try with a domain derived from the name. */
const TOP_LEVEL_DOMAINS = ['com', 'io', 'ai']
const DOMAIN = /(?:^|[^\w.-])(?:www\.)?((?:[a-z0-9-]{1,63}\.){1,3}[a-z]{2,24})(?![\w-]|\.[a-z0-9])/gi
/** Phrases that precede a company's website in a text. */
const SITE_WORDS = /\b(?:web ?sites?|web ?page|visit|online at|more at|learn more|internet address)\b[^.!?]{0,60}$/i
const MAX_TEXT_CHARS = 200_000
/** Domains checked in one text, because the check is synchronous; a text with more is a directory. */
const MAX_MENTIONS = 500

/**
 * Domains that a text or its links attribute to a company: linked under its name, written after "website", or derived
 * from its name. They are candidates without proof; see `findOwnSite`.
 */
export function findNamedSites(
  name: string,
  { text, outside_links }: Pick<WebPage, 'text' | 'outside_links'>,
): string[] {
  const key = companyKey(name)
  const found: string[] = []
  for (const link of outside_links) {
    if (companyKey(link.text) === key || isDerivedFrom(link.domain, name)) found.push(link.domain)
  }
  const read = text.slice(0, MAX_TEXT_CHARS)
  for (const match of read.matchAll(DOMAIN).take(MAX_MENTIONS)) {
    const domain = getDomain(match[1] ?? '')
    if (!domain) continue
    const before = read.slice(Math.max(0, match.index - 100), match.index + 1)
    if (isDerivedFrom(domain, name) || SITE_WORDS.test(before)) found.push(domain)
  }
  return [...new Set(found)]
}

/** acme-robotics.io and acme.io are derived from Acme Robotics. */
function isDerivedFrom(domain: string, name: string): boolean {
  const label = getDomainWithoutSuffix(domain)?.replaceAll('-', '')
  const core = coreWords(name)
  return core.some((_, at) => label === core.slice(0, at + 1).join(''))
}

/**
 * The domain of a company's website, with proof: either a source names the domain and the site uses exactly the
 * company's name, or the domain is derived from the name, the site uses the name and shows one of the witnesses. Null
 * without proof. Throws only when the signal aborts.
 */
export async function findOwnSite(reader: PageReader, name: string, hints: SiteHints): Promise<string | null> {
  for (const domain of hints.named.slice(0, MAX_SITES)) {
    const home = await fetchHome(reader, domain)
    if (home && usesName(home, name)) return registrableDomain(home.url)
  }
  if (hints.witnesses.length === 0) return null
  const label = coreWords(name).join('')
  if (!/^[a-z0-9]{3,63}$/.test(label)) return null
  for (const ending of TOP_LEVEL_DOMAINS) {
    const home = await fetchHome(reader, `${label}.${ending}`)
    if (home && usesName(home, name) && (await showsWitness(reader, home, hints.witnesses)))
      return registrableDomain(home.url)
  }
  return null
}

type Page = FetchedContent & { type: 'page' }
export type PageReader = {
  read: (url: string) => Promise<Page | null>
  /** Whether a page shows one of the witnesses; false when it cannot be parsed, since that proves nothing. */
  shows: (page: Page, witnesses: readonly string[]) => Promise<boolean>
}

/** Fetches pages, each URL once: several stories about a company lead to the same sites. */
export function createPageReader(deps: ProviderDeps): PageReader {
  const seen = new Map<string, Promise<Page | null>>()
  const fetched = async (url: string) => {
    const found = await fetchPage(deps, url, null, { timeouts: TIMEOUTS })
    return found.outcome === 'read' && found.type === 'page' ? found : null
  }
  return {
    read: (url) => {
      const page = seen.get(url) ?? fetched(url)
      seen.set(url, page)
      return page
    },
    async shows({ url, page: { shown, people, organization } }, witnesses) {
      const task = { page: { shown, people, organization }, witnesses: [...witnesses] }
      return (
        (await deps.parserPool.run('witness', task, { from: registrableDomainOrHost(url), signal: deps.signal })) ===
        true
      )
    },
  }
}

/**
 * A company that moved is at its new domain; a domain that redirects into another company's site is not a website of
 * its owner.
 */
async function fetchHome(reader: PageReader, domain: string): Promise<Page | null> {
  for (const url of [`https://${domain}/`, `https://www.${domain}/`]) {
    const page = await reader.read(url)
    if (page) return registrableDomain(page.url) === registrableDomain(url) || isHomePageUrl(page.url) ? page : null
  }
  return null
}

/** By its structured data or its title: "Acme Robotics | Robots for warehouses". */
function usesName({ page: { organization, title } }: Page, name: string): boolean {
  const parts = (title ?? '').split(/\s+[|–—·•:-]\s+|:\s+/)
  const names = [organization?.name, organization?.legal_name, ...parts]
  const key = companyKey(name)
  return key !== '' && names.some((one) => one && companyKey(one) === key)
}

async function showsWitness(reader: PageReader, home: Page, witnesses: readonly string[]): Promise<boolean> {
  if (await reader.shows(home, witnesses)) return true
  const { team, about } = home.page.links
  const site = registrableDomain(home.url)
  const further = [...team, ...about].filter((url) => registrableDomain(url) === site).slice(0, MAX_PAGES)
  for (const url of further) {
    const page = await reader.read(url)
    if (page && (await reader.shows(page, witnesses))) return true
  }
  return false
}
