import { hash } from 'node:crypto'
import type { Feed } from '../feed/index.ts'
import type { ReadPage } from '../page/index.ts'
import { cutText } from '../text/storable.ts'

export type Content = { type: 'page'; page: ReadPage } | { type: 'feed'; feed: Feed }

/** The parts of content that are compared between visits. */
type Comparable = { type: 'page'; page: Pick<ReadPage, 'shown' | 'articles'> } | { type: 'feed'; feed: Feed }

/** A unit of comparison: a line of text or an article. */
export type ContentPart = {
  kind: 'line' | 'article'
  text: string
  url: string | null
  /** 16 hex digits; equal for texts that differ only in numbers. */
  hash: string
}

/** What is stored of a page to detect changes at the next fetch. */
export type Fingerprint = {
  /** Hash of all parts; equal when only dates, counters, order or markup differ. */
  content_hash: string
  /** Hashes of all parts, to find new ones later. */
  line_hashes: string[]
}

const MAX_PARTS = 3_000

/** URL parameters for visitor tracking. */
const TRACKING = /^(?:utm_\w+|ref|source|fbclid|gclid|mc_[ce]id|_hs\w+)$/

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/**
 * Texts that change on every visit: times, dates, ages, counters, tokens. All repetitions are bounded, because pages are
 * untrusted.
 */
const MOVING: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:z|[+-]\d{2}:?\d{2})?)?/g,
  new RegExp(`\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b`, 'g'),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th|\\.)? ${MONTH}\\.?,?(?: \\d{4})?\\b`, 'g'),
  /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?/g,
  /\b(?:an?|one|\d{1,4}) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|years?|yrs?) ago\b/g,
  /\b(?:just now|today|yesterday)\b/g,
  /\b\d[\d.,]{0,15} ?[km]?\+? ?(?:views?|likes?|shares?|comments?|reads?|followers?|visitors?|readers?|repl(?:y|ies)|reactions?|claps?|stars?|downloads?|people online|users? online|in stock|min(?:ute)? read)\b/g,
  /(?:©|\(c\)|copyright)[^\p{L}]{0,12}(?:\d{4}(?: ?[-–] ?\d{4})?)?/gu,
  // Matches only at the beginning of a word, so that each word is scanned once.
  /(?<![\w-])(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{20,}/g,
]

export function contentParts(content: Comparable): ContentPart[] {
  return content.type === 'page' ? pageParts(content.page) : feedParts(content.feed)
}

export function fingerprintContent(parts: readonly ContentPart[]): Fingerprint {
  const lines = new Set(parts.map((part) => (part.kind === 'article' ? keyOf(part) : settled(part.text))))
  lines.delete('')
  return {
    // Sorted, because sliders and lists of quotes change their order on every visit.
    content_hash: hash('sha256', [...lines].sort().join('\n'), 'base64url'),
    line_hashes: [...new Set(parts.map((part) => part.hash))],
  }
}

function pageParts({ shown, articles }: Pick<ReadPage, 'shown' | 'articles'>): ContentPart[] {
  const titles = new Set(articles.map(({ title }) => title))
  const lines = shown.split('\n', MAX_PARTS).filter((line) => /\p{L}{2}/u.test(line) && !titles.has(line))
  return [
    ...articles.map(({ url, title }) => articlePart(url, title)),
    ...lines.map(
      (line): ContentPart => ({ kind: 'line', text: line, url: null, hash: lineHash(withoutNumbers(line)) }),
    ),
  ].slice(0, MAX_PARTS)
}

function feedParts({ items }: Feed): ContentPart[] {
  return items.flatMap(({ url, title, text }) => {
    const name = title ?? cutText(text.split('\n', 1)[0] ?? '', 200)
    return url || name ? [articlePart(url, name)] : []
  })
}

function articlePart(url: string | null, text: string): ContentPart {
  const key = keyOf({ url, text })
  return { kind: 'article', text, url, hash: lineHash(key) }
}

/** The identity of an article: its URL, or its title when it has none. */
function keyOf({ url, text }: { url: string | null; text: string }): string {
  return url ? canonicalUrl(url) : settled(text)
}

/** Normalises a URL for comparison: without fragment, tracking parameters and trailing slash. */
export function canonicalUrl(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  url.hash = ''
  return `https://${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}${withoutTracking(url.search)}`
}

/** Filters the query as text: URLSearchParams.delete would serialise the whole URL again for each of hundreds of parameters. */
function withoutTracking(search: string): string {
  const all = search.slice(1).split('&')
  const kept = all.filter((part) => !TRACKING.test(nameOf(part)))
  if (kept.length === all.length) return search
  const written = kept.map((part) => new URLSearchParams(`?${part}`).toString()).filter((part) => part !== '')
  return written.length > 0 ? `?${written.join('&')}` : ''
}

function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1)
  return name.includes('%') ? ([...new URLSearchParams(`?${name}`).keys()][0] ?? '') : name
}

function settled(line: string): string {
  let text = line.toLowerCase()
  for (const pattern of MOVING) text = text.replace(pattern, '§')
  return text.replace(/\s+/g, ' ').trim()
}

function withoutNumbers(line: string): string {
  return settled(line)
    .replace(/§|\d(?:[\d.,]*\d)?/g, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim()
}

function lineHash(text: string): string {
  return hash('sha1', text, 'hex').slice(0, 16)
}
