import { parseFeed } from 'feedsmith'
import { parseDate } from '../dates/find-dates.ts'
import { absoluteUrl } from '../page/addresses.ts'
import { firstString } from '../page/json-ld.ts'
import { visibleLines } from '../page/lines.ts'
import { parseHtml } from '../page/parse-html.ts'
import { cutText, toStorable } from '../text/storable.ts'
import { nestsTooDeep } from './nesting.ts'

export type FeedItem = {
  url: string | null
  title: string | null
  published_date: string | null
  text: string
  /** Set for press releases from a newswire. */
  release?: WireRelease
}

/** Metadata of a press release: the issuing company, the newswire's id, language and subjects. */
export type WireRelease = { company: string; key: string | null; language: string | null; subjects: string[] }

/** `every_seconds`: the update interval that the feed declares; absent when it declares none. */
export type Feed = { title: string | null; items: FeedItem[]; every_seconds?: number }

/** Feeds contain only the latest entries, and the XML parser keeps the whole file in memory. */
const MAX_FEED_CHARS = 8_000_000
const MAX_ITEMS = 500
const MAX_ITEM_CHARS = 100_000

type Fields = { url: unknown; title: unknown; date: unknown; body: unknown; release?: WireRelease | null }
type Loose = { [key: string]: unknown }

/**
 * Parses RSS, Atom, RDF or JSON Feed. Throws when the text is none of them, which is different from a feed without items.
 */
export function readFeed({ url, body }: { url: string; body: string }, today: string): Feed {
  const text = toStorable(cutText(body, MAX_FEED_CHARS))
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (nestsTooDeep(text)) throw new Error('not a feed: nested too deep, cut off, or nothing but markup')
  let parsed: ReturnType<typeof parseFeed>
  try {
    parsed = parseFeed(text, { maxItems: MAX_ITEMS })
  } catch (cause) {
    throw new Error('not a feed', { cause })
  }
  const feed = parsed.feed as Loose
  const entries = ((parsed.format === 'atom' ? feed.entries : feed.items) ?? []) as Loose[]
  const read = parsed.format === 'atom' ? atomFields : parsed.format === 'json' ? jsonFields : rssFields
  const every_seconds = everySeconds(feed)
  return {
    title: plain(textValue(feed.title), 300) || null,
    items: entries.slice(0, MAX_ITEMS).map((entry) => toItem(read(entry, today), url)),
    ...(every_seconds > 0 ? { every_seconds } : {}),
  }
}

const PERIOD_SECONDS: Record<string, number> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
}

/** From `ttl` in minutes, or from period and frequency of the RSS syndication module; 0 when neither is set. */
function everySeconds({ ttl, sy }: Loose): number {
  const minutes = Number(ttl)
  if (minutes > 0) return Math.min(minutes * 60, 31_536_000)
  const { updatePeriod, updateFrequency } = (sy ?? {}) as Loose
  return (PERIOD_SECONDS[String(updatePeriod).trim().toLowerCase()] ?? 0) / Math.max(1, Number(updateFrequency) || 1)
}

function toItem({ url, title, date, body, release }: Fields, base: string): FeedItem {
  return {
    url: typeof url === 'string' ? absoluteUrl(url, base) : null,
    title: plain(textValue(title), 500) || null,
    published_date: parseDate(typeof date === 'string' ? date : null),
    text: plain(textValue(body), MAX_ITEM_CHARS),
    ...(release ? { release } : {}),
  }
}

function rssFields(item: Loose): Fields {
  const guid = item.guid as { value?: string; isPermaLink?: boolean } | undefined
  const dc = (item.dc ?? {}) as Loose
  const content = item.content as { encoded?: string } | undefined
  return {
    url: item.link ?? (guid?.isPermaLink === false ? null : guid?.value) ?? (item.rdf as Loose | undefined)?.about,
    title: item.title ?? firstString(dc.titles),
    date: item.pubDate ?? firstString(dc.dates) ?? firstString(dc.date),
    body: content?.encoded ?? item.description,
    release: releaseOf(dc),
  }
}

const MAX_SUBJECTS = 20

/** Newswires name the issuing company in the Dublin Core field `contributor`. */
function releaseOf(dc: Loose): WireRelease | null {
  const company = plain(firstString(dc.contributors) ?? '', 300)
  if (company === '') return null
  return {
    company,
    key: firstString(dc.identifiers)?.slice(0, 100) ?? null,
    language: firstString(dc.languages)?.slice(0, 10).toLowerCase() ?? null,
    subjects: textsOf(dc.subjects).slice(0, MAX_SUBJECTS),
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').map((one) => plain(one, 200)) : []
}

function atomFields(entry: Loose, today: string): Fields {
  const links = (entry.links ?? []) as { href?: string; rel?: string }[]
  const link = links.find(({ rel }) => rel === undefined || rel === 'alternate') ?? links[0]
  return {
    url: link?.href ?? entry.id,
    title: entry.title,
    date: entry.published ?? unlessFuture(entry.updated, today),
    body: entry.content ?? entry.summary,
  }
}

function jsonFields(item: Loose, today: string): Fields {
  return {
    url: item.url ?? item.external_url,
    title: item.title,
    date: item.date_published ?? unlessFuture(item.date_modified, today),
    body: item.content_html ?? item.content_text ?? item.summary,
  }
}

/** The date of the last change replaces a missing publication date, unless it is in the future. */
function unlessFuture(date: unknown, today: string): unknown {
  const day = typeof date === 'string' ? parseDate(date) : null
  return day !== null && day > today ? null : date
}

function textValue(value: unknown): string {
  if (typeof value === 'string') return value
  const inner = (value as { value?: unknown } | null | undefined)?.value
  return typeof inner === 'string' ? inner : ''
}

/** Feeds contain HTML in any text field; this returns its lines. */
function plain(source: string, limit: number): string {
  const cut = toStorable(cutText(source, limit * 4))
  if (!/[<&]/.test(cut)) return cutText(cut.trim(), limit)
  const lines = visibleLines(parseHtml(cut), () => false)
  return cutText(lines.map((line) => line.text).join('\n'), limit)
}
