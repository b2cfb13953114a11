import { getDomain } from 'tldts'
import { cutText } from '../text/storable.ts'
import { absoluteUrl } from './addresses.ts'
import { isBoilerplate } from './boilerplate.ts'
import { collapseWhitespace, type Element, elementText, walkElements } from './element.ts'
import type { Headings } from './headings.ts'
import { baseUrlOf } from './links.ts'

/** A link to an article, press release or post. */
export type ArticleLink = { url: string; title: string }

const MAX_ARTICLES = 100
const MAX_ANCHORS = 5_000
/** Shorter link texts such as "Read more" are no titles; the heading of the card is used instead. */
const MIN_TITLE_CHARS = 12
const MAX_CARD_HEIGHT = 4

const SECTION =
  /^(?:news|newsroom|press|press-?releases?|press-room|media|blogs?|posts?|articles?|stor(?:y|ies)|insights|updates|announcements?|releases|journal|magazine?|presse|pressemitteilungen|aktuelles|actualites|noticias|changelog)$/
const LISTING = /^(?:tags?|topics?|categor(?:y|ies)|authors?|page|archives?|feed|rss|search|amp|comments?)$/
const FILE = /\.(?:pdf|zip|jpe?g|png|gif|svg|webp|mp[34]|css|js|xml|json|ics|docx?|pptx?|xlsx?)$/
const YEAR = /^20\d{2}$/

/** Links to articles in the content of a page, in reading order, each URL once. */
export function findArticleLinks(root: Element, headings: Headings, pageUrl: string): ArticleLink[] {
  const base = baseUrlOf(root, pageUrl)
  const site = getDomain(pageUrl, { allowPrivateDomains: true })
  const found = new Map<string, ArticleLink>()
  let anchors = 0
  walkElements(root, (element) => {
    if (isBoilerplate(element, null) || anchors > MAX_ANCHORS || found.size >= MAX_ARTICLES) return false
    if (element.tag !== 'a' || !element.attrs.href) return undefined
    anchors++
    const address = absoluteUrl(element.attrs.href, base)
    const url = address ? URL.parse(address) : null
    if (!url || (site && getDomain(url.hostname, { allowPrivateDomains: true }) !== site)) return undefined
    url.hash = ''
    if (!isArticleUrl(url)) return undefined
    const title = titleOf(element, headings)
    const known = found.get(url.href)
    // A card links its picture, its heading and "read more": the longest text is the title.
    if (!known || known.title.length < title.length) found.set(url.href, { url: url.href, title })
    return undefined
  })
  return [...found.values()]
}

/** Whether a URL looks like an article's: below a news section or a year, or with a sentence as its last segment. */
export function isArticleUrl(url: URL): boolean {
  const segments = url.pathname.toLowerCase().split('/').filter(Boolean)
  const last = segments.at(-1)
  if (!last || FILE.test(last) || segments.some((segment) => LISTING.test(segment))) return false
  const name = last.replace(/\.(?:html?|php|aspx?)$/, '')
  const words = name.split(/[-_]/).filter(Boolean).length
  const inSection = segments.slice(0, -1).some((segment) => SECTION.test(segment))
  if (inSection) return !SECTION.test(name) && !YEAR.test(name) && !/^\d{1,2}$/.test(name)
  if (segments.slice(0, -1).some((segment) => YEAR.test(segment))) return words >= 2
  return words >= 5
}

function titleOf(anchor: Element, headings: Headings): string {
  const own = headings.firstIn(anchor) ?? elementText(anchor, 300)
  if (own.length >= MIN_TITLE_CHARS) return own
  let at: Element | null = anchor.parent
  for (let height = 0; at && height < MAX_CARD_HEIGHT && at.tag !== 'body'; height++, at = at.parent) {
    const heading = headings.firstIn(at)
    if (heading) return heading
    if (at.tag === 'article' || at.tag === 'li') break
  }
  return own || cutText(collapseWhitespace(anchor.attrs.title ?? anchor.attrs['aria-label'] ?? ''), 300)
}
