import { parseDate } from '../dates/find-dates.ts'
import { absoluteUrl } from '../page/addresses.ts'
import { cutText, toStorable } from '../text/storable.ts'

/** `modified` is the date of the last change, `published_date` comes from a news sitemap; both are `YYYY-MM-DD`. */
export type SitemapEntry = {
  url: string
  title: string | null
  modified: string | null
  published_date: string | null
}
/** A sitemap lists pages; an index lists further sitemaps. */
export type Sitemap = { pages: SitemapEntry[]; sitemaps: SitemapEntry[] }

/** The limit of the sitemap protocol. */
const MAX_ENTRIES = 50_000
const MAX_CHARS = 20_000_000
const MAX_FIELD_CHARS = 3_000

/** Parses a sitemap, an index of sitemaps, or a plain list of URLs. Throws when the text is none of them. */
export function readSitemap({ url, body }: { url: string; body: string }): Sitemap {
  const text = toStorable(cutText(body, MAX_CHARS))
  if (/^\s*(?:\uFEFF)?https?:\/\//.test(text.slice(0, 200))) {
    const lines = text.split('\n', MAX_ENTRIES)
    return { pages: lines.flatMap((line) => (line.trim() ? entryOf(line.trim(), url, null) : [])), sitemaps: [] }
  }
  if (!/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 5_000))) throw new Error('not a sitemap')
  return { pages: [...blocks(text, 'url', url)], sitemaps: [...blocks(text, 'sitemap', url)] }
}

const NEWS_FILE = /news|post|press|blog|article|stor/i
const PEOPLE_FILE = /page|team|people|news|press|post/i

/** The files of an index in the order in which they are worth reading: those with news since a day, or else with people. */
export function rankSitemaps(files: readonly SitemapEntry[], since: string | null): SitemapEntry[] {
  const named = since === null ? PEOPLE_FILE : NEWS_FILE
  const [first = [], others = []] = [true, false].map((is) => files.filter(({ url }) => named.test(url) === is))
  if (since === null) return [...first, ...others]
  const newest = (some: SitemapEntry[]) =>
    some
      .filter(({ modified }) => modified === null || modified >= since)
      .sort((a, b) => (b.modified ?? '').localeCompare(a.modified ?? ''))
  return [...newest(first), ...newest(others)]
}

/** One pass with indexOf, because the file is untrusted and may be large. */
function* blocks(text: string, tag: 'url' | 'sitemap', base: string): Generator<SitemapEntry> {
  let count = 0
  for (let at = text.indexOf(`<${tag}>`); at >= 0 && count < MAX_ENTRIES; at = text.indexOf(`<${tag}>`, at + 1)) {
    const end = text.indexOf(`</${tag}>`, at)
    if (end < 0) return
    const block = text.slice(at, Math.min(end, at + MAX_FIELD_CHARS * 4))
    const location = field(block, 'loc')
    if (location) yield* entryOf(location, base, block)
    count++
    at = end
  }
}

function entryOf(location: string, base: string, block: string | null): SitemapEntry[] {
  const url = absoluteUrl(location, base)
  if (!url) return []
  if (block === null) return [{ url, title: null, modified: null, published_date: null }]
  return [
    {
      url,
      title: field(block, 'news:title'),
      modified: parseDate(field(block, 'lastmod')),
      published_date: parseDate(field(block, 'news:publication_date')),
    },
  ]
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

function field(block: string, name: string): string | null {
  const start = block.indexOf(`<${name}>`)
  const end = start < 0 ? -1 : block.indexOf(`</${name}>`, start)
  if (end < 0) return null
  const raw = cutText(block.slice(start + name.length + 2, end), MAX_FIELD_CHARS).trim()
  const inner = /^<!\[CDATA\[(.*)\]\]>$/s.exec(raw)?.[1] ?? raw
  return inner.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity).trim() || null
}
