import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readSitemap, type Sitemap, type SitemapEntry } from '../../engine/feed/sitemap.ts'
import { isArticleUrl } from '../../engine/page/article-links.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { ProviderDeps } from '../types.ts'
import type { PageFetchOptions } from './fetch-page.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { paceOf, robotsOf } from './robots.ts'

export type Failure = { url: string; reason: string }

/** Large sites split theirs into hundreds; the newest few hold the news. */
const MAX_FILES = 4
const MAX_BYTES = 10 * 1024 * 1024
const NEWS_FILE = /news|post|press|blog|article|stor/i

const unzip = promisify(gunzip)

type Timeouts = Pick<PageFetchOptions, 'timeouts'>

/** Recently published articles that the sitemaps of a site list, newest first. */
export async function articlesInSitemaps(
  deps: ProviderDeps,
  origin: string,
  since: string,
  isOwn: (url: string) => boolean,
  options: Timeouts = {},
): Promise<{ articles: SitemapEntry[]; failures: Failure[] }> {
  const { pages, failures } = await readSitemaps(deps, origin, isOwn, (files) => newsFirst(files, since), options)
  const articles = pages.filter((page) => isRecentArticle(page, since))
  articles.sort((a, b) => dayOf(b).localeCompare(dayOf(a)))
  return { articles, failures }
}

/** Pages of a site that its sitemaps list; of the further files an index names, the first few of those chosen are read. */
export async function readSitemaps(
  deps: ProviderDeps,
  origin: string,
  isOwn: (url: string) => boolean,
  choose: (files: readonly SitemapEntry[]) => string[],
  options: Timeouts = {},
): Promise<{ pages: SitemapEntry[]; failures: Failure[] }> {
  const robots = await robotsOf(deps, origin, options.timeouts)
  if (!robots.known) return { pages: [], failures: [{ url: `${origin}/robots.txt`, reason: robots.reason }] }
  const named = robots.sitemaps.flatMap((address) => URL.parse(address, origin)?.href ?? []).filter(isOwn)
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`]
  const failures: Failure[] = []
  const pages: SitemapEntry[] = []
  for (let read = 0; read < MAX_FILES; read++) {
    const url = waiting.shift()
    if (!url) break
    const found = await readOne(deps, url, robots.delayMs, options)
    if (typeof found === 'string') {
      failures.push({ url, reason: found })
      continue
    }
    for (const page of found.pages) if (isOwn(page.url)) pages.push(page)
    waiting.unshift(...choose(found.sitemaps.filter((file) => isOwn(file.url))))
  }
  return { pages, failures }
}

/** A sitemap; empty when there is none; a sentence when it cannot be had. */
async function readOne(
  deps: ProviderDeps,
  url: string,
  delayMs: number,
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
    const isZipped = answer.body[0] === 0x1f && answer.body[1] === 0x8b
    const body = isZipped ? (await unzip(answer.body, { maxOutputLength: 2 * MAX_BYTES })).toString() : answer.text()
    return readSitemap({ url: answer.url, body })
  } catch (error) {
    if (deps.signal.aborted) throw error
    if (error instanceof OutboundError) return reasonOf(error)
    // Not a sitemap, not gzip, or more than anybody should be asked to unpack.
    return 'The sitemap cannot be read.'
  }
}

function dayOf({ published_date, modified }: SitemapEntry): string {
  return published_date ?? modified ?? ''
}

function isRecentArticle(entry: SitemapEntry, since: string): boolean {
  if (dayOf(entry) < since) return false
  return entry.published_date !== null || isArticleUrl(new URL(entry.url))
}

function newsFirst(files: readonly SitemapEntry[], since: string): string[] {
  return files
    .filter(({ modified }) => modified === null || modified >= since)
    .sort((a, b) => rank(b) - rank(a) || (b.modified ?? '').localeCompare(a.modified ?? ''))
    .map(({ url }) => url)
}

function rank({ url }: SitemapEntry): number {
  return NEWS_FILE.test(url) ? 1 : 0
}
