import { calendarDay } from '../calendar.ts'
import { firstString, type JsonObject } from './json-ld.ts'
import { type Element, textOf, walk } from './tree.ts'

const META_NAMES = new Set(
  (
    'article:published_time og:published_time og:article:published_time datepublished date pubdate ' +
    'publishdate publish-date publish_date publication_date ' +
    'dc.date dc.date.issued dcterms.created dcterms.date dc.date.created sailthru.date parsely-pub-date ' +
    'citation_publication_date citation_date article.published ' +
    'published_time_telegram publishedtime originalpublicationdate cxenseparse:recs:publishtime release_date'
  ).split(' '),
)
const ARTICLE_TYPES = /Article|Posting$|Report$|PressRelease|WebPage$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** A dateline stands at the top of a text. */
const DATELINE_CHARS = 1_500

/** The day a page says it was published, `YYYY-MM-DD`: metadata first, then time elements, the dateline, the address. */
export function findPublishedDate(
  root: Element,
  objects: readonly { types: string[]; object: JsonObject }[],
  text: string,
  url: string,
): string | null {
  for (const { types, object } of objects) {
    if (!types.some((type) => ARTICLE_TYPES.test(type))) continue
    const date = isoDay(firstString(object.datePublished))
    if (date) return date
  }
  let meta: string | null = null
  let marked: string | null = null
  const times: string[] = []
  walk(root, (element) => {
    const { attrs } = element
    if (element.tag === 'meta') {
      const name = (attrs.property ?? attrs.name ?? attrs.itemprop ?? '').toLowerCase()
      if (META_NAMES.has(name)) meta ??= isoDay(attrs.content ?? null)
    } else if (element.tag === 'time' || attrs.itemprop === 'datePublished') {
      const date = isoDay(attrs.datetime ?? attrs.content ?? textOf(element, 60)) ?? spelledDate(textOf(element, 60))
      if (date && (attrs.itemprop === 'datePublished' || Object.hasOwn(attrs, 'pubdate'))) marked ??= date
      if (date) times.push(date)
    }
    return undefined
  })
  // several different time elements belong to a list of other pages: only the dateline can tell then
  const agreed = new Set(times).size === 1 ? (times[0] ?? null) : null
  return meta ?? marked ?? agreed ?? spelledDate(text.slice(0, DATELINE_CHARS)) ?? times[0] ?? dateInUrl(url)
}

/** A day on which something can have been published on the web. */
function day(year: number, month: number, date: number): string | null {
  return year < 1990 || year > 2100 ? null : calendarDay(year, month, date)
}

/** The day in an ISO timestamp as its author wrote it, or in an RFC 2822 date. */
export function isoDay(value: string | null): string | null {
  if (!value || value.length > 60) return null
  const iso = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(value) ?? /^\s*(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/.exec(value)
  return iso ? day(Number(iso[1]), Number(iso[2]), Number(iso[3])) : spelledDate(value)
}

const MONTH_FIRST = /\b([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/
const DAY_FIRST = /\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([A-Z][a-z]{2,8})\.?,? (\d{4})\b/
const NUMERIC = /\b(\d{4})-(\d{2})-(\d{2})\b/

/** The first date written out: "April 14, 2026", "14 Apr 2026", "2026-04-14". All-numeric orders are ambiguous and not read. */
function spelledDate(text: string): string | null {
  const found: { at: number; date: string }[] = []
  const note = (match: RegExpExecArray | null, year: number, month: number, date: number) => {
    if (!match) return
    const word = match[month] ?? ''
    const number = /^\d/.test(word) ? Number(word) : MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
    const written = day(Number(match[year]), number, Number(match[date]))
    if (written) found.push({ at: match.index, date: written })
  }
  note(MONTH_FIRST.exec(text), 3, 1, 2)
  note(DAY_FIRST.exec(text), 3, 2, 1)
  note(NUMERIC.exec(text), 1, 2, 3)
  return found.sort((a, b) => a.at - b.at)[0]?.date ?? null
}

function dateInUrl(url: string): string | null {
  const match = /[/-](20\d{2})[/-](\d{2})[/-](\d{2})(?!\d)/.exec(url.slice(0, 500))
  return match ? day(Number(match[1]), Number(match[2]), Number(match[3])) : null
}
