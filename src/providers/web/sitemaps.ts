import type { Sitemap, SitemapEntry } from '../../engine/feed/sitemap.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { ProviderDeps } from '../types.ts'
import type { PageFetchOptions } from './fetch-page.ts'
import { rawDocument } from './raw-document.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { paceOf, robotsOf } from './robots.ts'

export type Failure = { url: string; reason: string }

/** Large sites split theirs into hundreds; the newest few hold the news. */
const MAX_FILES = 4
const MAX_BYTES = 10 * 1024 * 1024
/** Articles of one file; no scan reads more. */
const MAX_ARTICLES = 2_000
const NEWS_FILE = /news|post|press|blog|article|stor/i

/** The site whose addresses count. */
type Site = { isOwn: (url: string) => boolean; domains: string[] }

type Timeouts = Pick<PageFetchOptions, 'timeouts'>

/** Recently published articles that the sitemaps of a site list, newest first. */
export async function articlesInSitemaps(
  deps: ProviderDeps,
  origin: string,
  since: string,
  site: Site,
  options: Timeouts = {},
): Promise<{ articles: SitemapEntry[]; failures: Failure[] }> {
  const want = { since, most: MAX_ARTICLES }
  const { pages, failures } = await readSitemaps(deps, origin, site, (files) => newsFirst(files, since), want, options)
  return { articles: pages.sort((a, b) => dayOf(b).localeCompare(dayOf(a))), failures }
}

/** What of a sitemap is wanted: only articles since a day, or all pages; and how many of a file. */
type Want = { since: string | null; most: number }

/** Pages of a site that its sitemaps list; of the further files an index names, the first few of those chosen are read. */
export async function readSitemaps(
  deps: ProviderDeps,
  origin: string,
  site: Site,
  choose: (files: readonly SitemapEntry[]) => string[],
  want: Want,
  options: Timeouts = {},
): Promise<{ pages: SitemapEntry[]; failures: Failure[] }> {
  const robots = await robotsOf(deps, origin, options.timeouts)
  if (!robots.known) return { pages: [], failures: [{ url: `${origin}/robots.txt`, reason: robots.reason }] }
  const named = robots.sitemaps.flatMap((address) => URL.parse(address, origin)?.href ?? []).filter(site.isOwn)
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`]
  const failures: Failure[] = []
  const pages: SitemapEntry[] = []
  for (let read = 0; read < MAX_FILES; read++) {
    const url = waiting.shift()
    if (!url) break
    const found = await readOne(deps, url, robots.delayMs, { ...want, domains: site.domains }, options)
    if (typeof found === 'string') {
      failures.push({ url, reason: found })
      continue
    }
    pages.push(...found.pages)
    waiting.unshift(...choose(found.sitemaps))
  }
  return { pages, failures }
}

/** A sitemap; empty when there is none; a sentence when it cannot be had. */
async function readOne(
  deps: ProviderDeps,
  url: string,
  delayMs: number,
  want: Want & { domains: string[] },
  { timeouts }: Timeouts,
): Promise<Sitemap | string> {
  try {
    const answer = await deps.outbound.request(url, {
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      overflow: 'refuse',
      pace: paceOf(deps, delayMs),
      signal: deps.signal,
      trust: 'public',
      ...(timeouts ? { timeouts } : {}),
    })
    if (answer.status === 404 || answer.status === 410) return { pages: [], sitemaps: [] }
    if (answer.status !== 200) return refusalOf(answer.status)
    const { came, options } = rawDocument(answer)
    const found = await deps.parserPool.run('sitemap', { ...came, ...want }, { ...options, signal: deps.signal })
    return found instanceof LimitExceeded ? found.reason : (found ?? 'The sitemap cannot be read.')
  } catch (error) {
    if (deps.signal.aborted) throw error
    return reasonOf(error)
  }
}

const dayOf = ({ published_date, modified }: SitemapEntry) => published_date ?? modified ?? ''

function newsFirst(files: readonly SitemapEntry[], since: string): string[] {
  return files
    .filter(({ modified }) => modified === null || modified >= since)
    .sort((a, b) => rank(b) - rank(a) || (b.modified ?? '').localeCompare(a.modified ?? ''))
    .map(({ url }) => url)
}

function rank({ url }: SitemapEntry): number {
  return NEWS_FILE.test(url) ? 1 : 0
}
