import { type DateOrder, type FoundDate, findDates, guessDateOrder, parseDate } from '../dates/find-dates.ts'
import { monthNumber } from '../english/calendar.ts'
import { type Element, elementText, walkElements } from './element.ts'
import { firstString, type JsonLdObject } from './json-ld.ts'
import { isArticleType, type WebPageKind } from './kind.ts'
import { classHints } from './lines.ts'

/** Where on the page the date was found. */
export type PublicationSource =
  | 'structured data'
  | 'metadata'
  | 'marked element'
  | 'address'
  | 'label'
  | 'byline'
  | 'time element'
  | 'dateline'
  | 'script'
  | 'last change'

/** The date a page was published, `YYYY-MM-DD`, and where it was found. */
export type PublicationDate = { date: string; by: PublicationSource }

const META_NAMES = new Set(
  (
    'article:published_time article:published og:published_time og:article:published_time og:pubdate datepublished pubdate pub_date pdate ' +
    'publishdate publish-date publish_date publish_time published_time published_date published-date publication_date publication-date ' +
    'dc.date.issued dcterms.issued dc.issued dc.date.created dcterms.created dc.created sailthru.date parsely-pub-date bt:pubdate ' +
    'citation_publication_date citation_online_date citation_date article.published article:post_date rnews:datepublished ' +
    'published_time_telegram publishedtime publishedat publisheddate originalpublicationdate cxenseparse:recs:publishtime release_date ' +
    'prism.publicationdate vr:published_time shareaholic:article_published_time lp.article:published_time object.datepublished'
  ).split(' '),
)
const META_ENDING = /(?:^|[-_.:])(?:pub(?:lish(?:ed)?|lication)?[-_]?(?:date|time)|date[-_]?published)$/
/** Meta names that some sites use for the date of the last change. */
const VAGUE_META_NAMES = new Set(
  'date dc.date dcterms.date dc:date created creation_date date_created timestamp'.split(' '),
)
const OTHER_TYPES = /Comment|Review|Rating|Person|Organization|Product|Offer|Job|Event|Image|Answer/

/** Class names and ids of elements with an article's date. */
const DATED_PLACES =
  /(?<![a-z])(?:date|datum|data|fecha|time|timestamp|publi|post(?:ed|[-_]?(?:meta|info|date|head))|byline|dateline|meta(?:data)?|entry[-_]?(?:meta|date|info)|article[-_]?(?:meta|info|date|head)|artikel|author|autor|submitted|created|veroeff|veröff|info|subline|kicker|credits?)|(?<!up)(?:date|time|datum)(?![a-z])/
/** Class names and ids of elements with dates of other things, unless they contain most of the page. */
const OTHER_PLACES =
  /related|recommend|comment|sidebar|widget|teaser|(?<!post-|entry-|asset-|article-)footer|copyright|popular|latest|trending|promo|archive|calendar|event|upcoming|modified|updated|newsticker|most-?read|see-?also|further|next-?post|prev|nav(?![a-z])|menu/
const OTHER_TAGS = new Set('footer aside nav form figure figcaption select blockquote style noscript'.split(' '))
const MOST_OF_PAGE = 0.3

const CHANGED =
  /(?<!\p{L})(?:updated?|modified|revised|edited|reviewed|aktualisiert|geändert|zuletzt|stand:|mise? à jour|modifié|actualizad[oa]|modificad[oa]|aggiornat[oa]|modificat[oa]|atualizad[oa]|bijgewerkt|gewijzigd|uppdaterad|opdateret|oppdatert|zaktualizowano|обновлено|güncelle\p{L}{0,8})[^\p{L}\d]{0,6}(?:\p{L}{1,8}[^\p{L}\d]{1,4}){0,3}$/iu
const PUBLISHED =
  /(?<!\p{L})(?:(?:published|posted|veröffentlicht|erstellt|erschienen|publiziert|publiée?|postée?|parue?|mise? en ligne|notizia|dieser (?:artikel|beitrag) wurde|publicad[oa]|pubblicat[oa]|geplaatst|gepubliceerd|publicerad|publicerat|publiceret|publisert|julkaistu|opublikowano|dodano|опубликовано|yayınla\p{L}{0,8})[^\p{L}\d]{0,6}(?:\p{L}{1,8}[^\p{L}\d]{1,4}){0,3}|(?:date|datum|data|fecha|дата|released|issued|created)[^\p{L}\d]{0,6})$/iu
/** Labels of dates that are no publication date: "Copyright 2020", "born 3 May 1960". */
const OTHERWISE =
  /(?<!\p{L})(?:copyright|©|born|geboren|died|since|seit|until|till|bis|deadline|expires?)[^\p{L}\d]{0,4}(?:\p{L}{1,6}[^\p{L}\d]{1,3})?$/iu

/** A byline is short, and a text that is hardly more than a date is a byline anywhere; a dateline is at the top of a text. */
const BYLINE_CHARS = 300
const BYLINE_DAY_CHARS = 160
const BYLINE_PIECES = 60
const BARE_CHARS = 45
const DATELINE_CHARS = 1_500
const LABEL_CHARS = 60
/** A page with more dates than this is a calendar or an archive; the rest is not read. */
const MOST_DAYS = 500
const SCRIPT_CHARS = 400_000
const IN_SCRIPT =
  /"(?:datePublished|publishedAt|published_at|publishedDate|published_date|publishedOn|publishDate|publish_date|pubDate|publicationDate|publication_date|firstPublishedAt|first_published_at|datePublication|createdDate)"\s{0,3}:\s{0,3}"([^"]{8,40})"/

type Page = {
  root: Element
  kind: WebPageKind
  objects: readonly JsonLdObject[]
  text: string
  url: string
  language: string | null
  /** No date after this one is accepted. */
  today?: string | undefined
}

/** The publication date of a page: from metadata first, then from visible text. */
export function findPublicationDate({
  root,
  objects,
  kind,
  text,
  url: given,
  language,
  today,
}: Page): PublicationDate | null {
  const { url, archived } = unarchived(given)
  // In time zones further east it may already be tomorrow.
  const until = [today && dayAfter(today), archived].filter((day) => day !== undefined).sort()[0]
  const possible = (date: string | null): date is string => date !== null && (until === undefined || date <= until)
  const order = guessDateOrder(language, hostOf(url))
  const inUrl = dateInPath(url)
  const inName = dateInName(url, order)
  const seen = collectDates(root, order)
  /** A visible date must agree with the month in the URL. Dates on a listing are those of other pages. */
  const shown = (date: string) => kind !== 'listing' && possible(date) && (inUrl === null || date.startsWith(inUrl))
  const first = (dates: readonly string[], accept: (date: string) => boolean) => dates.find(accept) ?? null
  const inArticle = first(inObjects(objects, isArticleType, url), possible)
  const inMeta = first(seen.meta, possible)
  const declared = inArticle ?? inMeta
  const visible = [...seen.labelled, ...seen.bylines, ...seen.times]
  const ways: [PublicationSource, string | null][] = [
    // A timestamp may be a day off because of the server's time zone; the URL and the visible date are the author's.
    [
      'address',
      inUrl?.length === 10 && possible(inUrl) && (declared === null || areNear(inUrl, declared, 2)) ? inUrl : null,
    ],
    [
      'byline',
      declared && !visible.includes(declared)
        ? first(visible, (date) => shown(date) && areNear(date, declared, 1))
        : null,
    ],
    ['structured data', inArticle],
    ['metadata', inMeta],
    ['marked element', first(seen.marked, possible)],
    [
      'structured data',
      first(
        inObjects(objects, (type) => !OTHER_TYPES.test(type), url),
        possible,
      ),
    ],
    ['label', first(seen.labelled, shown)],
    ['byline', first(seen.bylines, shown)],
    ['address', inName !== null && possible(inName) ? inName : null],
    ['time element', onlyOf(seen.times.filter(shown))],
    ['metadata', first(seen.vagueMeta, shown)],
    ['marked element', onlyOf(seen.markedElsewhere.filter(shown))],
    ['byline', first(seen.bare, shown)],
    ['dateline', first(datelines(text.slice(0, DATELINE_CHARS), order), shown)],
    ['time element', first(seen.times, shown)],
    ['script', first(seen.scripts, shown)],
    ['last change', first(seen.changed, possible)],
  ]
  for (const [by, date] of ways) {
    if (date !== null) return { date: today !== undefined && date > today ? today : date, by }
  }
  return null
}

const PLACED = ['labelled', 'bylines', 'bare', 'times', 'changed'] as const
type Placed = Record<(typeof PLACED)[number], { date: string; number: number }[]>
type Seen = Record<'meta' | 'vagueMeta' | 'marked' | 'markedElsewhere' | 'scripts' | keyof Placed, string[]>

/** Collects all dates in one walk over the page; dates near the heading come first. */
function collectDates(root: Element, order: DateOrder): Seen {
  const seen: Seen = {
    ...{ meta: [], vagueMeta: [], marked: [], markedElsewhere: [], scripts: [] },
    ...{ labelled: [], bylines: [], bare: [], times: [], changed: [] },
  }
  const placed: Placed = { labelled: [], bylines: [], bare: [], times: [], changed: [] }
  let heading: number | null = null
  let scriptChars = 0
  /** The number of the last element inside a block for other content, and inside a block whose dates have another meaning. */
  let elsewhere = -1
  let explained = -1
  let days = 0
  const whole = root.to - root.from
  const note = (list: string[], date: string | null) => {
    if (date) list.push(date)
  }
  walkElements(root, (element) => {
    const { tag, attrs, number } = element
    if (tag === 'meta') {
      const name = (attrs.property ?? attrs.name ?? attrs.itemprop ?? '').toLowerCase()
      if (META_NAMES.has(name) || META_ENDING.test(name)) note(seen.meta, parseDate(attrs.content ?? null, order))
      else if (VAGUE_META_NAMES.has(name)) note(seen.vagueMeta, parseDate(attrs.content ?? null, order))
      return undefined
    }
    if (tag === 'script') {
      const source = element.children[0]
      if (typeof source !== 'string' || /ld\+json/.test(attrs.type ?? '')) return false
      const part = source.slice(0, SCRIPT_CHARS - scriptChars)
      scriptChars += part.length
      note(seen.scripts, parseDate(IN_SCRIPT.exec(part)?.[1] ?? null))
      return false
    }
    if (tag === 'h1') heading ??= number
    const hints = classHints(element, 1)
    if (isMarked(element, hints)) {
      const date =
        parseDate(attrs.content ?? attrs.datetime ?? attrs.title ?? null) ?? shownIn(elementText(element, 80), order)
      note(number <= elsewhere ? seen.markedElsewhere : seen.marked, date)
      return undefined
    }
    if (number <= elsewhere || number <= explained || days > MOST_DAYS) return undefined
    const isOther = OTHER_TAGS.has(tag) || (hints.length > 3 && OTHER_PLACES.test(hints) && !DATED_PLACES.test(hints))
    if (isOther && element.to - element.from < whole * MOST_OF_PAGE) {
      elsewhere = element.last
      return undefined
    }
    if (tag === 'time') {
      const date = parseDate(attrs.datetime ?? null, order) ?? shownIn(elementText(element, 80), order)
      const isChange = attrs.itemprop === 'dateModified' || /modif|updated/.test(hints)
      if (date) placed[isChange ? 'changed' : 'times'].push({ date, number })
      days++
      return undefined
    }
    if (element.to - element.from > BYLINE_PIECES) return undefined
    const shown = elementText(element, BYLINE_CHARS)
    // A text that was cut at the limit is too long for a byline.
    if (shown.length < 6 || shown.length >= BYLINE_CHARS - 1 || !/\d/.test(shown)) return undefined
    const isDated = DATED_PLACES.test(hints)
    if (!isDated && shown.length > BARE_CHARS) return undefined
    for (const { date, at } of findDates(shown, order, { short: true })) {
      if (at > BYLINE_DAY_CHARS) break
      days++
      const before = shown.slice(Math.max(0, at - LABEL_CHARS), at)
      const isChange = CHANGED.test(before)
      const isOtherwise = OTHERWISE.test(before)
      // Nested elements no longer contain the label that explains the date.
      if (isChange || isOtherwise) explained = element.last
      if (isOtherwise) continue
      if (isChange) placed.changed.push({ date, number })
      else if (PUBLISHED.test(before)) placed.labelled.push({ date, number })
      else placed[isDated ? 'bylines' : 'bare'].push({ date, number })
    }
    return undefined
  })
  for (const kind of PLACED) seen[kind] = byHeading(placed[kind], heading)
  return seen
}

/** Whether an element is marked up as the publication date. */
function isMarked({ tag, attrs }: Element, hints: string): boolean {
  if (attrs.itemprop === 'datePublished' || attrs.property === 'datePublished') return true
  if (tag === 'time') return Object.hasOwn(attrs, 'pubdate') || /entry-date|entry-time/.test(hints)
  return tag === 'abbr' && /(?:^|[\s-])published/.test(hints)
}

/** Dates after the heading in document order, then those before it in reverse order. */
function byHeading(placed: readonly { date: string; number: number }[], heading: number | null): string[] {
  const after = placed.filter(({ number }) => heading === null || number > heading)
  const before = heading === null ? [] : placed.filter(({ number }) => number < heading).toReversed()
  return [...after, ...before].map(({ date }) => date)
}

function shownIn(text: string, order: DateOrder): string | null {
  return findDates(text, order, { short: true })[0]?.date ?? null
}

/** Dates in prose, without those of a change, a copyright or a birth. */
function datelines(text: string, order: DateOrder): string[] {
  const isOther = ({ at }: FoundDate) => {
    const before = text.slice(Math.max(0, at - LABEL_CHARS), at)
    return CHANGED.test(before) || OTHERWISE.test(before)
  }
  return findDates(text, order)
    .filter((day) => !isOther(day))
    .map(({ date }) => date)
}

/** Publication dates in the page's JSON-LD; the object with this URL first. */
function inObjects(objects: Page['objects'], accept: (type: string) => boolean, url: string): string[] {
  const own: string[] = []
  const others: string[] = []
  for (const { types: given, object } of objects) {
    if (!given.some(accept)) continue
    const date = parseDate(firstString(object.datePublished))
    if (!date) continue
    const about = [object.url, object['@id'], object.mainEntityOfPage].map(firstString)
    if (about.some((address) => address && pathOf(address) === pathOf(url))) own.push(date)
    else others.push(date)
  }
  return [...own, ...others]
}

function onlyOf(dates: readonly string[]): string | null {
  // Several different dates belong to a list of other pages.
  return new Set(dates).size === 1 ? (dates[0] ?? null) : null
}

const areNear = (a: string, b: string, days: number) => Math.abs(Date.parse(a) - Date.parse(b)) <= days * 86_400_000

/** The date in the folders of a URL, `YYYY-MM-DD`, or its month, `YYYY-MM`: /2026/05/03/gauges. */
function dateInPath(url: string): string | null {
  const path = pathIn(url)
  const whole =
    /\/(20\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=\/|$)/.exec(path) ?? /\/(20\d\d)\/(\d{1,2})\/(\d{1,2})(?!\d)/.exec(path)
  const day = whole && parseDate(`${whole[1]}-${whole[2]?.padStart(2, '0')}-${whole[3]?.padStart(2, '0')}`)
  if (day) return day
  const named = /\/(20\d\d)\/([a-z]{3})\/(\d{1,2})(?!\d)/.exec(path)
  const month = named ? monthNumber(named[2] as string) : 0
  if (named && month > 0)
    return parseDate(`${named[1]}-${String(month).padStart(2, '0')}-${named[3]?.padStart(2, '0')}`)
  const part = /\/(20\d\d)[/-](\d\d)\//.exec(path)
  return part && Number(part[2]) >= 1 && Number(part[2]) <= 12 ? `${part[1]}-${part[2]}` : null
}

/** The date in the name of a page, which may be what the page is about: /interim-report-2026-09-30. */
function dateInName(url: string, order: DateOrder): string | null {
  const path = pathIn(url)
  const whole = /[/_-](20\d\d)[/_-]?(\d\d)[/_-]?(\d\d)(?!\d)/.exec(path)
  const day = whole && parseDate(`${whole[1]}-${whole[2]}-${whole[3]}`)
  if (day) return day
  const backwards = /[/_-](\d\d)[_-](\d\d)[_-](20\d\d)(?!\d)/.exec(path)
  return backwards && parseDate(`${backwards[1]}-${backwards[2]}-${backwards[3]}`, order)
}

const pathIn = (url: string) => url.slice(0, 500).replace(/^https?:\/\/[^/]*/, '')

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

/** The original URL of a page in the Internet Archive, and the date on which it was archived. */
function unarchived(url: string): { url: string; archived?: string } {
  const match = /^https?:\/\/web\.archive\.org\/web\/(\d{4})(\d\d)(\d\d)\d{0,6}[a-z_]{0,4}\/(.+)$/.exec(url)
  return match ? { url: match[4] as string, archived: `${match[1]}-${match[2]}-${match[3]}` } : { url }
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''
const pathOf = (url: string) => URL.parse(url)?.pathname.replace(/\/$/, '') ?? url
