import { hash } from 'node:crypto'
import { canonicalUrl } from '../../engine/content/index.ts'
import type { FeedItem } from '../../engine/feed/index.ts'
import { documentPublication } from '../../engine/page/index.ts'
import { yieldToEventLoop } from '../../shared/event-loop.ts'
import type { FoundDocument } from '../types.ts'
import type { SiteCrawler } from './site.ts'

/** An article that the site links to; `text` is the content or excerpt in a feed. */
export type ArticleCandidate = { url: string; title: string | null; published_date: string | null; text: string }

/** An item with this much text is complete, not an excerpt. */
const WHOLE_TEXT_CHARS = 1_200
const PARALLEL = 4

export function articleCandidate(item: FeedItem, feedUrl: string): ArticleCandidate[] {
  const { title, published_date, text } = item
  if (!title && !text) return []
  // Every document needs a distinct URL; an entry without one gets a fragment of its feed's URL.
  const url = item.url ?? `${feedUrl}#${hash('sha1', title ?? text, 'hex').slice(0, 12)}`
  return [{ url, title, published_date, text }]
}

/** Merges candidates by URL, combining what is known about each, newest first and undated ones last. */
export async function mergeArticleCandidates(
  lists: readonly (readonly ArticleCandidate[])[],
  since: string,
): Promise<ArticleCandidate[]> {
  // A sitemap lists thousands of URLs, and each may be long.
  const turn = yieldToEventLoop()
  const found = new Map<string, ArticleCandidate>()
  for (const candidate of lists.flat()) {
    await turn()
    const key = candidate.url.includes('#') ? candidate.url : canonicalUrl(candidate.url)
    const known = found.get(key)
    if (!known) found.set(key, candidate)
    else {
      found.set(key, {
        ...known,
        title: known.title ?? candidate.title,
        published_date: known.published_date ?? candidate.published_date,
        text: known.text.length >= candidate.text.length ? known.text : candidate.text,
      })
    }
  }
  const recent = [...found.values()].filter(({ published_date }) => published_date === null || published_date >= since)
  return recent.sort((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
}

/** Reads articles within the site's page budget. Articles that a feed contains in full are not fetched. */
export async function readArticles(
  site: SiteCrawler,
  candidates: readonly ArticleCandidate[],
  since: string,
  onDocument?: (document: FoundDocument) => void,
): Promise<FoundDocument[]> {
  const documents: FoundDocument[] = []
  const waiting = [...candidates]
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const document = await readArticle(site, next)
      if (!document || (document.published_date !== null && document.published_date < since)) continue
      documents.push(document)
      onDocument?.(document)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return documents.sort((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
}

async function readArticle(site: SiteCrawler, candidate: ArticleCandidate): Promise<FoundDocument | null> {
  const { url, title, published_date, text } = candidate
  const excerpt = text ? { url, kind: 'article' as const, title, text, published_date } : null
  if (text.length >= WHOLE_TEXT_CHARS || !site.isOwn(url) || url.includes('#')) return excerpt
  const read = await site.read(url, 'article')
  if (read?.type !== 'page' || read.page.text === '') return excerpt
  return {
    url: read.url,
    kind: 'article',
    title: title ?? read.page.title,
    text: read.page.text.length >= text.length ? read.page.text : text,
    ...(published_date ? { published_date } : documentPublication(read.page)),
    language: read.page.language,
  }
}
