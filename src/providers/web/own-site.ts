import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { companyKey, coreWords } from '../../engine/companies/company-names.ts'
import { isSameHeadline } from '../../engine/events/same-headline.ts'
import type { WebPage } from '../../engine/page/index.ts'
import { cutText } from '../../engine/text/storable.ts'
import { registrableDomain, registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { isSharedDomain } from '../../shared/company-sites.ts'
import type { ProviderDeps } from '../types.ts'
import { type FetchedContent, fetchPage } from './fetch-page.ts'
import { guessDomains } from './guess-domains.ts'
import { isHomePageUrl } from './site.ts'

const TIMEOUTS = { headers: 8_000, body: 8_000, total: 12_000 }
/** Sites checked for one company; a story that names more of them identifies none. */
const MAX_SITES = 3
/** Sites checked because one of those links to them. */
const MAX_LINKED_SITES = 2
/** Pages checked for a witness in addition to the home page, of each kind. */
const MAX_PAGES = 2
const DOMAIN = /(?:^|[^\w.-])(?:www\.)?((?:[a-z0-9-]{1,63}\.){1,3}[a-z]{2,24})(?![\w-]|\.[a-z0-9])/gi
/** Phrases that precede a company's website in a text. */
const SITE_WORDS = /\b(?:web ?sites?|web ?page|visit|online at|more at|learn more|internet address)\b[^.!?]{0,60}$/i
const MAX_TEXT_CHARS = 200_000
const MAX_NAME_CHARS = 60
/** Domains checked in one text, because the check is synchronous; a text with more is a directory. */
const MAX_MENTIONS = 500

/**
 * Domains that a text or its links attribute to a company: linked under its name, written after "website", or derived
 * from its name. They are candidates without proof; see `findNamedSite`.
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

/** The domain of a company's website with proof, or what was tried, in words for users. */
export type SiteSearch = { domain: string | null; attempts: string[] }

/** What the source states about the company: facts, and headlines about its events. */
type SiteProof = { witnesses: readonly string[]; headlines: readonly string[] }

/**
 * The site among those that a source names that uses exactly the company's name. A named site of another company is
 * searched for a link to the company. Throws only when the signal aborts.
 */
export async function findNamedSite(reader: PageReader, name: string, named: readonly string[]): Promise<SiteSearch> {
  const attempts: string[] = []
  const checked = new Set<string>()
  const linked: string[] = []
  const check = async (domain: string) => {
    if (checked.has(domain) || isPublisher(domain)) return null
    checked.add(domain)
    const home = await fetchHome(reader, domain)
    if (home.page && usesName(home.page, name)) return registrableDomain(home.page.url)
    attempts.push(`${describeMiss(domain, home)}.`)
    if (home.page) linked.push(...findNamedSites(name, home.page.page))
    return null
  }
  for (const domain of named.slice(0, MAX_SITES)) {
    const proven = await check(domain)
    if (proven) return { domain: proven, attempts }
  }
  for (const domain of new Set(linked.slice(0, MAX_LINKED_SITES))) {
    const proven = await check(domain)
    if (proven) return { domain: proven, attempts }
  }
  return { domain: null, attempts }
}

/**
 * A site at a domain formed from the name that uses the name and shows a witness or an event from the source. Throws
 * only when the signal aborts.
 */
export async function findGuessedSite(
  reader: PageReader,
  name: string,
  proof: SiteProof,
  country?: string,
): Promise<SiteSearch> {
  if (proof.witnesses.length === 0 && proof.headlines.length === 0) return { domain: null, attempts: [] }
  const misses: string[] = []
  const unread: string[] = []
  for (const domain of guessDomains(name, country)) {
    if (isPublisher(domain)) continue
    const home = await fetchHome(reader, domain)
    if (!home.page || !usesName(home.page, name)) {
      if (home.page || home.elsewhere) misses.push(describeMiss(domain, home))
      else unread.push(domain)
    } else if (await showsProof(reader, home.page, proof)) {
      return { domain: registrableDomain(home.page.url), attempts: [] }
    } else misses.push(`${domain} uses the name, but shows nothing else that the source states`)
  }
  const parts = [...misses, ...(unread.length > 0 ? [`no page could be read at ${unread.join(', ')}`] : [])]
  return { domain: null, attempts: parts.length > 0 ? [`Domains formed from the name: ${parts.join('; ')}.`] : [] }
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

/** The home page of a domain; `elsewhere` is the site that it redirects to instead. */
type Home = { page: Page | null; elsewhere: string | null }

/**
 * A company that moved is at its new domain; a domain that redirects into another company's site is not a website of
 * its owner.
 */
async function fetchHome(reader: PageReader, domain: string): Promise<Home> {
  for (const url of [`https://${domain}/`, `https://www.${domain}/`]) {
    const page = await reader.read(url)
    if (!page) continue
    const isHome = registrableDomain(page.url) === registrableDomain(url) || isHomePageUrl(page.url)
    if (isHome && !isPublisher(page.url)) return { page, elsewhere: null }
    return { page: null, elsewhere: registrableDomainOrHost(page.url) }
  }
  return { page: null, elsewhere: null }
}

/** Hosts of other companies' news: wires, registers, news aggregators, encyclopedias, marketplaces. */
const PUBLISHERS = new Set(
  (
    'globenewswire.com prnewswire.com businesswire.com accesswire.com newswire.com einpresswire.com prweb.com cision.com ' +
    'presseportal.de openpr.com marketscreener.com yahoo.com msn.com bloomberg.com reuters.com apnews.com techcrunch.com ' +
    'ycombinator.com sec.gov usaspending.gov europa.eu nih.gov gleif.org service.gov.uk wikidata.org gdeltproject.org ' +
    'google.com amazon.com ebay.com etsy.com alibaba.com aliexpress.com archive.org'
  ).split(' '),
)

/** Whether a domain or URL belongs to a publisher, a network or a marketplace, which is no website of a company it names. */
export function isPublisher(domainOrUrl: string): boolean {
  const site = registrableDomainOrHost(domainOrUrl)
  return PUBLISHERS.has(site) || isSharedDomain(site)
}

/** By its structured data or its title: "Acme Robotics | Robots for warehouses". */
function usesName(page: Page, name: string): boolean {
  const key = companyKey(name)
  return key !== '' && namesOf(page).some((one) => companyKey(one) === key)
}

function namesOf({ page: { organization, title } }: Page): string[] {
  const parts = (title ?? '').split(/\s+[|–—·•:-]\s+|:\s+/)
  return [organization?.name, organization?.legal_name, ...parts].filter((one) => !!one) as string[]
}

function describeMiss(domain: string, { page, elsewhere }: Home): string {
  if (elsewhere) return `${domain} leads to a page of ${elsewhere}`
  if (!page) return `${domain} could not be read`
  const [name] = namesOf(page)
  return name ? `${domain} uses another name (${cutText(name.trim(), MAX_NAME_CHARS)})` : `${domain} shows no name`
}

async function showsProof(reader: PageReader, home: Page, { witnesses, headlines }: SiteProof): Promise<boolean> {
  const shows = async (page: Page) =>
    page.page.articles.some(({ title }) => headlines.some((headline) => isSameHeadline(headline, title))) ||
    (witnesses.length > 0 && (await reader.shows(page, witnesses)))
  if (await shows(home)) return true
  const { team, about, press, blog } = home.page.links
  const site = registrableDomain(home.url)
  const further = [about, team, press, blog].flatMap((kind) =>
    kind.filter((url) => registrableDomain(url) === site).slice(0, MAX_PAGES),
  )
  for (const url of new Set(further)) {
    const page = await reader.read(url)
    if (page && (await shows(page))) return true
  }
  return false
}
