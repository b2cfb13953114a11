import { hash } from 'node:crypto'
import type { Feed } from '../feed/index.ts'
import type { ReadPage } from '../page/index.ts'
import { cutText } from '../text/storable.ts'

/** What a fetch can read. */
export type Content = { type: 'page'; page: ReadPage } | { type: 'feed'; feed: Feed }

/** As far as it is compared from one visit to the next. */
type Comparable = { type: 'page'; page: Pick<ReadPage, 'shown' | 'articles'> } | { type: 'feed'; feed: Feed }

/** A piece of content whose coming is news: a line of text, or something the site has published. */
export type ContentPart = {
  kind: 'line' | 'article'
  text: string
  url: string | null
  /** The same for the same piece with other numbers in it; 16 hex digits. */
  hash: string
}

/** What a page was when it was last read, as far as a later fetch needs it. */
export type Fingerprint = {
  /** Over all that is meant to be read; the same when only clocks, counters, the order or the markup differ. */
  content_hash: string
  /** The hashes of all parts, to tell later what is new. */
  line_hashes: string[]
}

const MAX_PARTS = 3_000

/** Parameters of an address that say where a visitor came from. */
const TRACKING = /^(?:utm_\w+|ref|source|fbclid|gclid|mc_[ce]id|_hs\w+)$/

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** What changes by itself: clocks, dates, ages, counters, tokens. A page may be made to hurt: nothing repeats freely. */
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
  // Tried at the beginning of a word only, so that no word is gone through twice.
  /(?<![\w-])(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{20,}/g,
]

/** What of a page or a feed is meant to be read. */
export function contentParts(content: Comparable): ContentPart[] {
  return content.type === 'page' ? pageParts(content.page) : feedParts(content.feed)
}

export function fingerprintContent(parts: readonly ContentPart[]): Fingerprint {
  const lines = new Set(parts.map((part) => (part.kind === 'article' ? keyOf(part) : settled(part.text))))
  lines.delete('')
  return {
    // Sorted: sliders and lists of quotes come in another order every time.
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

/** An article is its address; only without one its title. */
function keyOf({ url, text }: { url: string | null; text: string }): string {
  return url ? canonicalUrl(url) : settled(text)
}

/** One address in several spellings compares equal: without fragment, tracking and the slash at its end. */
export function canonicalUrl(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  url.hash = ''
  return `https://${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}${withoutTracking(url.search)}`
}

/** Each parameter by itself: taking them out of the address one by one would write all of it anew for each of hundreds. */
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
