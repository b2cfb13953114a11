import { parseFeed } from 'feedsmith'
import { parseDate } from '../dates/find-dates.ts'
import { absoluteUrl } from '../page/addresses.ts'
import { firstString } from '../page/json-ld.ts'
import { visibleLines } from '../page/lines.ts'
import { parseHtml } from '../page/parse-html.ts'
import { cutText, toStorable } from '../text/storable.ts'

export type FeedItem = {
  url: string | null
  title: string | null
  published_date: string | null
  text: string
  /** What wires say of a release. */
  release?: WireRelease
}

/** Whose release it is, its number at the wire, its language, and what it is filed under. */
export type WireRelease = { company: string; key: string | null; language: string | null; subjects: string[] }

/** `every_seconds`: how often it says that it is brought up to date; absent when it does not say. */
export type Feed = { title: string | null; items: FeedItem[]; every_seconds?: number }

/** Feeds hold the latest entries; a file above this is not one, and the XML reader keeps all of it in memory. */
const MAX_FEED_CHARS = 8_000_000
const MAX_ITEMS = 500
const MAX_DEPTH = 200
/** The XML reader takes its time over tags and attributes; a long feed of podcasts has half as many. */
const MAX_TAGS = 200_000
const MAX_ATTRIBUTES = 100_000
const MAX_ITEM_CHARS = 100_000

type Fields = { url: unknown; title: unknown; date: unknown; body: unknown; release?: WireRelease | null }
type Loose = { [key: string]: unknown }

/**
 * Reads RSS, Atom, RDF or JSON Feed, as of the day `today`. Throws when the text is none of them: "no items" and "not a
 * feed" differ.
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

/** By the minutes of `ttl`, or by the period of the syndication module and how often in it; 0 when neither is there. */
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

/** By the Dublin Core fields in which wires name whoever speaks. */
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
    date: entry.published ?? notToCome(entry.updated, today),
    body: entry.content ?? entry.summary,
  }
}

function jsonFields(item: Loose, today: string): Fields {
  return {
    url: item.url ?? item.external_url,
    title: item.title,
    date: item.date_published ?? notToCome(item.date_modified, today),
    body: item.content_html ?? item.content_text ?? item.summary,
  }
}

/** Many entries say only when they were last changed. That is the best there is, unless it is a day still to come. */
function notToCome(date: unknown, today: string): unknown {
  const day = typeof date === 'string' ? parseDate(date) : null
  return day !== null && day > today ? null : date
}

function textValue(value: unknown): string {
  if (typeof value === 'string') return value
  const inner = (value as { value?: unknown } | null | undefined)?.value
  return typeof inner === 'string' ? inner : ''
}

/** Feeds carry HTML in every text field; readers want the lines. */
function plain(source: string, limit: number): string {
  const cut = toStorable(cutText(source, limit * 4))
  if (!/[<&]/.test(cut)) return cutText(cut.trim(), limit)
  const lines = visibleLines(parseHtml(cut), () => false)
  return cutText(lines.map((line) => line.text).join('\n'), limit)
}

/**
 * The XML and JSON readers recurse; real feeds are a dozen levels deep. An unclosed tag or CDATA counts as too deep, and
 * so does markup beyond measure.
 */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  if (text.startsWith('{') || text.startsWith('[')) {
    for (let i = 0; i < text.length; i++) {
      const char = text[i]
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      if (depth > MAX_DEPTH) return true
    }
    return false
  }
  let tags = 0
  let attributes = 0
  let equals = text.indexOf('=')
  let end = -1
  for (let i = text.indexOf('<'); i >= 0; i = text.indexOf('<', i + 1)) {
    const next = text[i + 1]
    if (text.startsWith('<![CDATA[', i)) {
      // markup inside CDATA is text; one that never ends makes the rest of the file text
      i = text.indexOf(']]>', i)
      if (i < 0) return true
      continue
    }
    if (next === '/') {
      depth--
      continue
    }
    if (++tags > MAX_TAGS) return true
    if (next === '!' || next === '?') continue
    if (end < i) end = text.indexOf('>', i)
    if (end < 0) return true
    if (equals >= 0 && equals < i) equals = text.indexOf('=', i)
    for (; equals >= 0 && equals < end; equals = text.indexOf('=', equals + 1)) attributes++
    if (text[end - 1] !== '/') depth++
    if (depth > MAX_DEPTH || attributes > MAX_ATTRIBUTES) return true
  }
  return false
}
