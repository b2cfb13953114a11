import type { Sitemap, SitemapEntry } from '../../engine/feed/sitemap.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { ProviderDeps } from '../types.ts'
import type { PageFetchOptions } from './fetch-page.ts'
import { outboundErrorReason, statusReason, toRawDocument } from './response.ts'
import { crawlPace, loadRobots } from './robots.ts'

export type CrawlFailure = { url: string; reason: string }

/** Large sites split theirs into hundreds; the newest few contain the news. */
const MAX_FILES = 4
const MAX_BYTES = 10 * 1024 * 1024
/** Articles of one file; no scan reads more. */
const MAX_ARTICLES = 2_000

/** The site whose URLs are included. */
type Site = { isOwn: (url: string) => boolean; domains: string[] }

type Timeouts = Pick<PageFetchOptions, 'timeouts'>

/** Recently published articles listed in the sitemaps of a site, newest first. */
export async function findSitemapArticles(
  deps: ProviderDeps,
  origin: string,
  since: string,
  site: Site,
  options: Timeouts = {},
): Promise<{ articles: SitemapEntry[]; failures: CrawlFailure[] }> {
  const want = { since, most: MAX_ARTICLES }
  const { pages, failures } = await fetchSitemaps(deps, origin, site, want, options)
  return { articles: pages.sort((a, b) => entryDay(b).localeCompare(entryDay(a))), failures }
}

/** Which entries to return: articles since a day, or all pages; and at most how many per file. */
type Want = { since: string | null; most: number }

/** Pages listed in the sitemaps of a site. Of the files that an index lists, the most promising ones are read. */
export async function fetchSitemaps(
  deps: ProviderDeps,
  origin: string,
  site: Site,
  want: Want,
  options: Timeouts = {},
): Promise<{ pages: SitemapEntry[]; failures: CrawlFailure[] }> {
  const robots = await loadRobots(deps, origin, options.timeouts)
  if (!robots.known) return { pages: [], failures: [{ url: `${origin}/robots.txt`, reason: robots.reason }] }
  const named = robots.sitemaps.flatMap((address) => URL.parse(address, origin)?.href ?? []).filter(site.isOwn)
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`]
  const failures: CrawlFailure[] = []
  const pages: SitemapEntry[] = []
  for (let read = 0; read < MAX_FILES; read++) {
    const url = waiting.shift()
    if (!url) break
    const found = await fetchSitemap(deps, url, robots.delayMs, { ...want, domains: site.domains }, options)
    if (typeof found === 'string') {
      failures.push({ url, reason: found })
      continue
    }
    pages.push(...found.pages)
    waiting.unshift(...found.sitemaps.map(({ url }) => url))
  }
  return { pages, failures }
}

/** A sitemap, empty when the site has none, or the reason why it could not be read. */
async function fetchSitemap(
  deps: ProviderDeps,
  url: string,
  delayMs: number,
  want: Want & { domains: string[] },
  { timeouts }: Timeouts,
): Promise<Sitemap | string> {
  try {
    const response = await deps.outbound.request(url, {
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      overflow: 'refuse',
      pace: crawlPace(deps, delayMs),
      signal: deps.signal,
      trust: 'public',
      ...(timeouts ? { timeouts } : {}),
    })
    if (response.status === 404 || response.status === 410) return { pages: [], sitemaps: [] }
    if (response.status !== 200) return statusReason(response.status)
    const { document, options } = toRawDocument(response)
    const found = await deps.parserPool.run(
      'sitemap',
      { ...document, ...want, files: MAX_FILES },
      { ...options, signal: deps.signal },
    )
    return found instanceof LimitExceeded ? found.reason : (found ?? 'The sitemap cannot be read.')
  } catch (error) {
    if (deps.signal.aborted) throw error
    return outboundErrorReason(error)
  }
}

const entryDay = ({ published_date, modified }: SitemapEntry) => published_date ?? modified ?? ''
