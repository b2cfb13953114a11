// Open positions that a page shows without markup for machines, in German, French, Spanish, Dutch and Italian.
import { findDates, parseDate } from '../dates/find-dates.ts'
import { parseLocation } from '../places/index.ts'
import { foldText } from '../text/fold.ts'
import { cutText } from '../text/storable.ts'
import { isAddressedToAll, removeGenderMarker } from '../titles/gender-forms.ts'
import { isBoilerplate } from './boilerplate.ts'
import { isPlaceText, MAX_PLACE_CHARS } from './card-text.ts'
import { type Element, elementText, findElement, walkElements } from './element.ts'
import { readJobTitle } from './job-title.ts'
import { classHints, type VisibleLine, visibleLines } from './lines.ts'
import type { PageLink } from './links.ts'
import { MAX_OPENINGS, type Opening } from './opening.ts'
import { label } from './vocabulary.ts'

type Page = { root: Element; links: readonly PageLink[]; url: string; isCareers: boolean }

const TITLE_TAGS = new Set('a h1 h2 h3 h4 h5 summary td dt strong b li'.split(' '))
const MAX_TITLE_CHARS = 140
/** A row is read again for every position in it, so only its top is read. */
const MAX_ROW_LINES = 30
/** The facts of a single vacancy are near its title, or labelled. */
const MAX_LINES_NEAR = 6
const MAX_CLIMB = 5
const WHOLE_PAGE = new Set(['body', 'main', 'html', '#root', 'table', 'tbody', 'ul', 'ol', 'dl'])
/** Not a position: an unsolicited application, or the way to apply. */
const NO_POSITION = /initiativ|spontan|espontane|open sollicitatie|auto ?candidatura|bewerbungs|candidatar|solliciteer/
const PLACE_HINT =
  /(?:^|[\s_-])(?:location|city|place|standort|ort|lieu|ville|ubicacion|lugar|locatie|standplaats|plaats|sede|luogo|citta|addresslocality)(?:$|[\s_-])/
const DATE_HINT = /(?:^|[\s_-])(?:date|datum|fecha|data|time|posted|published)(?:$|[\s_-])/
/** Before dates of something else: when the job begins, or until when to apply. */
const OTHER_DATE =
  /(?:^|\s)(?:ab|zum|beginn|eintritt\w*|start|frist|bewerbungsschluss|bis|a partir du|des le|debut|jusqu.?au|date limite|a partir del?|inicio|hasta el|vanaf|per|tot|startdatum|dal|da|entro il|scadenza|inizio)(?: (?:dem|zum|am))?:?\s*$/

const LOCATION = new RegExp(`^(?:${label('location')})$`)
const DEPARTMENT = new RegExp(`^(?:${label('department')})$`)
const POSTED = new RegExp(`^(?:${label('posted')})$`)
const POSTED_BEFORE = new RegExp(`(?:^|\\s)(?:${label('posted')}):?\\s*$`)
const TERMS = new RegExp(`(?:^|\\W)(?:${label('terms')})(?:$|\\W)`)

type Candidate = { element: Element; title: string; url: string | null }

/** The vacancy that the page is about, or the vacancies that it lists. */
export function shownOpenings({ root, links, url, isCareers }: Page): Opening[] {
  const heading = findElement(root, ({ tag, attrs }) => tag === 'h1' || attrs.itemprop === 'title')
  const own = heading && readPosition(elementText(heading, MAX_TITLE_CHARS))
  const isMarked = heading && isAddressedToAll(elementText(heading, MAX_TITLE_CHARS))
  if (own && (isCareers || isMarked)) return [singleOpening(root, heading, own, url)]
  const found = candidatesOf(root, links, isCareers)
  const taken = new Set(found.map(({ element }) => element))
  const openings = new Map<string, Opening>()
  for (const { element, title, url: address } of found) {
    const row = rowOf(element, taken)
    const facts = factsIn(rowLines(row, element), headersOf(row))
    const opening: Opening = { ...facts, title, url: address ?? linkIn(row, links), valid_through: null }
    openings.set(`${title}\n${opening.url ?? opening.location}`, opening)
    if (openings.size >= MAX_OPENINGS) break
  }
  return [...openings.values()]
}

/** The title of a position: a job title, or anything that is addressed to all genders. */
function readPosition(text: string): string | null {
  if (text.length < 4 || text.length >= MAX_TITLE_CHARS - 1 || NO_POSITION.test(foldText(text))) return null
  const isMarked = isAddressedToAll(text)
  if (isMarked) return /[.!?]\s|:\s/.test(text) ? null : removeGenderMarker(text)
  return readJobTitle(text)
}

/** Elements that are nothing but the title of a position; outside careers pages only titles addressed to all genders. */
function candidatesOf(root: Element, links: readonly PageLink[], isCareers: boolean): Candidate[] {
  const hrefs = new Map(links.map(({ element, href }) => [element, href]))
  const found: Candidate[] = []
  walkElements(root, (element) => {
    if (isBoilerplate(element, null) || found.length >= MAX_OPENINGS) return false
    if (!TITLE_TAGS.has(element.tag)) return undefined
    const text = elementText(element, MAX_TITLE_CHARS)
    if (!isCareers && !isAddressedToAll(text)) return undefined
    const inner = findElement(element, ({ tag }) => TITLE_TAGS.has(tag))
    // The innermost element with the title, so that "Title, Place" around a link is not one.
    if (inner && inner !== element && readPosition(elementText(inner, MAX_TITLE_CHARS))) return undefined
    const title = readPosition(text)
    if (!title) return undefined
    found.push({ element, title, url: element.tag === 'a' ? (hrefs.get(element) ?? null) : linkAround(element, hrefs) })
    return false
  })
  return found
}

function linkAround(element: Element, hrefs: ReadonlyMap<Element, string>): string | null {
  for (let at = element.parent, i = 0; at && i < 3; at = at.parent, i++) {
    if (at.tag === 'a') return hrefs.get(at) ?? null
  }
  return null
}

function linkIn(row: Element, links: readonly PageLink[]): string | null {
  const link = links.find(
    ({ element }) => element.tag === 'a' && element.number > row.number && element.number <= row.last,
  )
  return link && /^https?:/.test(link.href) ? link.href : null
}

/** The largest element around a title that contains no other title. */
function rowOf(element: Element, taken: ReadonlySet<Element>): Element {
  const others = [...taken].filter((one) => one !== element)
  let row = element
  for (let i = 0; i < MAX_CLIMB && row.parent && !WHOLE_PAGE.has(row.parent.tag); i++) {
    const { number, last } = row.parent
    if (others.some((one) => one.number >= number && one.number <= last)) break
    row = row.parent
    if (row.tag === 'tr' || row.tag === 'li') break
  }
  return row
}

type Row = { lines: VisibleLine[]; title: string }

function rowLines(row: Element, title: Element): Row {
  const lines = visibleLines(row, () => false).slice(0, MAX_ROW_LINES)
  return { lines, title: elementText(title, MAX_TITLE_CHARS) }
}

/** The header of each column of the row's table. */
function headersOf(row: Element): string[] {
  if (row.tag !== 'tr') return []
  let table = row.parent
  while (table && table.tag !== 'table') table = table.parent
  const first = table && findElement(table, ({ tag }) => tag === 'tr')
  if (!first || first === row) return []
  return cellsOf(first).map((cell) => plain(elementText(cell, 60)))
}

const cellsOf = (row: Element) =>
  row.children.filter(
    (child): child is Element => typeof child !== 'string' && (child.tag === 'td' || child.tag === 'th'),
  )

type Facts = Pick<Opening, 'location' | 'department' | 'published_date'>

/** Location, department and date in the lines of a row: labelled, by class or column, or by what they are. */
function factsIn({ lines, title }: Row, headers: readonly string[]): Facts {
  const facts: Facts = { location: null, department: null, published_date: null }
  const rest: string[] = []
  for (const [i, line] of lines.entries()) {
    const text = line.text.replace(title, '').trim()
    const header = headers[line.element.tag === 'td' ? columnOf(line.element) : -1] ?? ''
    const before = plain(lines[i - 1]?.text ?? '')
    if (text && !takeLabelled(text, header || before, facts)) {
      // Only the style sheet separates the parts of some lines: "<span>Ulm</span><span>Vollzeit</span>".
      for (const part of [{ element: line.element, text }, ...line.segments]) {
        facts.published_date ??= shownDate(part.element, part.text)
        if (PLACE_HINT.test(hintsOf(part.element))) facts.location ??= asPlace(part.text)
      }
      rest.push(...(line.segments.length > 1 ? line.segments.map((part) => part.text.replace(title, '')) : [text]))
    }
  }
  facts.location ??= knownPlaceIn(rest)
  return facts
}

const hintsOf = (element: Element) => `${classHints(element, 1)} ${element.attrs.itemprop ?? ''}`.toLowerCase()
const columnOf = (cell: Element) => (cell.parent ? cellsOf(cell.parent).indexOf(cell) : -1)

/** Takes "Standort: Ulm", or "Ulm" below or next to "Standort"; false for another text. */
function takeLabelled(text: string, before: string, facts: Facts): boolean {
  const at = text.indexOf(':')
  const [name, value] = at > 0 ? [plain(text.slice(0, at)), text.slice(at + 1).trim()] : [before, text]
  if (!value) return LOCATION.test(name) || POSTED.test(name)
  if (LOCATION.test(name)) {
    facts.location ??= asPlace(value)
    return true
  }
  if (POSTED.test(name)) {
    facts.published_date ??= parseDate(value, 'day-first')
    return facts.published_date !== null
  }
  if (DEPARTMENT.test(name) && value.length < 60) facts.department ??= value
  return false
}

/** A date in a line that is little more than one, or is labelled as the date of publication. */
function shownDate(element: Element, text: string): string | null {
  const [day] = findDates(text, 'day-first', { short: true })
  if (!day) return null
  const before = foldText(text.slice(Math.max(0, day.at - 40), day.at))
  if (OTHER_DATE.test(before)) return null
  const isShort = text.length < 60 || DATE_HINT.test(classHints(element, 1))
  return isShort || POSTED_BEFORE.test(before) ? day.date : null
}

function asPlace(text: string): string | null {
  const place = text.replace(/^[\s,;|·•(–-]+|[\s,;|·•)–-]+$/g, '')
  return place && place.length <= MAX_PLACE_CHARS && isPlaceText(place) && place.split(' ').length <= 6
    ? cutText(place, 100)
    : null
}

/** The first part of the short lines that is a known place: "Hamburg · Vollzeit · ab sofort". */
function knownPlaceIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (line.length > 120 || /[.!?]$/.test(line)) continue
    for (const part of line.split(/[|·•,;/()]|\s[–-]\s/)) {
      const place = asPlace(part)
      if (place && /^\p{Lu}/u.test(place) && !TERMS.test(foldText(place)) && parseLocation(place).length > 0)
        return place
    }
  }
  return null
}

/** The facts of the vacancy that the page is about: labelled anywhere, otherwise next to its title. */
function singleOpening(root: Element, heading: Element, title: string, url: string): Opening {
  const lines = visibleLines(root, (element) => isBoilerplate(element, null))
  const at = lines.findIndex(({ element }) => element.number >= heading.number)
  const shown = elementText(heading, MAX_TITLE_CHARS)
  const near = factsIn({ lines: lines.slice(at, at + MAX_LINES_NEAR), title: shown }, [])
  const labelled: Facts = { location: null, department: null, published_date: null }
  for (const [i, line] of lines.entries()) {
    if (i < at || line.text.length > 120) continue
    takeLabelled(line.text, plain(lines[i - 1]?.text ?? ''), labelled)
    const [day] = findDates(line.text, 'day-first', { short: true })
    if (day && POSTED_BEFORE.test(foldText(line.text.slice(0, day.at)))) labelled.published_date ??= day.date
  }
  return {
    title,
    department: labelled.department,
    location: labelled.location ?? near.location,
    url,
    published_date: markedDate(root) ?? labelled.published_date ?? near.published_date,
    valid_through: null,
  }
}

function markedDate(root: Element): string | null {
  const marked = findElement(root, ({ attrs }) => attrs.itemprop === 'datePosted')
  return marked && parseDate(marked.attrs.content ?? marked.attrs.datetime ?? elementText(marked, 60), 'day-first')
}

const plain = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
