import { foldText } from '../titles/words.ts'
import { attachContacts } from './contacts.ts'
import { pairsInLines } from './line-pairs.ts'
import { hintsOf, type Line, linesOf } from './lines.ts'
import { pairsInDefinitions, pairsInTables } from './tables.ts'
import { type Element, textOf, walk } from './tree.ts'

export type Person = {
  full_name: string
  title: string
  network_url?: string
  email?: string
  phone?: string
  image?: string
}
/** A name beside a title, and the element that holds the name. */
export type Pair = { full_name: string; title: string; element: Element }

/** A roster page of a large firm; more than this on one page is a directory dump. */
const MAX_PEOPLE = 5_000

/** Bounds on the search for sections, so that a page of nothing but headings stays cheap. */
const MAX_HEADINGS = 50
const MAX_SECTION_HEIGHT = 8
const WHOLE_PAGE = new Set(['body', 'main', 'html', '#root'])

const OUTSIDE = new Set(['nav', 'footer', 'form', 'blockquote', 'q'])
const OUTSIDE_HINTS =
  /testimonial|quote|review|case-stud|customer-stor|client-stor|comment|investor|backer|cookie|job-list|jobs|opening|vacanc|speaker|panelist/
const OUTSIDE_HEADING =
  /\b(?:testimonials?|customers? (?:say|love|stor)|clients? (?:say|love|stor)|what (?:our |people|customers|clients|others)|backed by|our investors|investors|trusted by|case stud|reviews|in the news|(?:our |keynote |featured )?speakers|panell?ists|open (?:positions|roles)|our customers)/i

/**
 * The people a page presents as its own, each name beside a job title. `structured` come first (JSON-LD, microdata):
 * they are said in so many words. People who are quoted (customers, investors) are not the company's own.
 */
export function findPeople(root: Element, structured: readonly Person[], baseUrl: string): Person[] {
  const skip = skipOthers(root)
  const lines = linesOf(root, skip)
  const tables = pairsInTables(root, skip)
  const definitions = pairsInDefinitions(root, skip)
  const taken = new Set([...tables.elements, ...definitions.elements])
  const free = lines.filter((line) => !isWithin(line, taken))
  const pairs = [...tables.pairs, ...definitions.pairs, ...pairsInLines(free), ...pairsInImages(root, skip)]
  return merge(structured, attachContacts(pairs, baseUrl)).slice(0, MAX_PEOPLE)
}

function isWithin(line: Line, elements: ReadonlySet<Element>): boolean {
  for (let at: Element | null = line.element; at; at = at.parent) if (elements.has(at)) return true
  return false
}

/** Portraits that carry name and job only in their description. */
function pairsInImages(root: Element, skip: (element: Element) => boolean): Pair[] {
  const lines: Line[] = []
  walk(root, (element) => {
    if (skip(element)) return false
    const { alt } = element.attrs
    if (element.tag === 'img' && alt && alt.length < 200 && alt.includes(',')) {
      lines.push({ text: alt.trim(), element, segments: [], href: null })
    }
    return undefined
  })
  return pairsInLines(lines, { adjacent: false })
}

/** Refuses elements that show other people: quotes, reviews, and sections whose heading says so. */
function skipOthers(root: Element): (element: Element) => boolean {
  const sections = new Set<Element>()
  let headings = 0
  walk(root, (element) => {
    if (headings < MAX_HEADINGS && /^h[1-4]$/.test(element.tag) && OUTSIDE_HEADING.test(textOf(element, 120))) {
      headings++
      const section = sectionOf(element)
      if (section) sections.add(section)
    }
    return undefined
  })
  return (element) => {
    if (OUTSIDE.has(element.tag) || sections.has(element)) return true
    if (WHOLE_PAGE.has(element.tag)) return false
    return (element.attrs.class ?? element.attrs.id) !== undefined && OUTSIDE_HINTS.test(hintsOf(element, 1))
  }
}

/** The element a heading opens: the nearest section or the outermost block in which it is the only heading of its rank. */
function sectionOf(heading: Element): Element | null {
  let section: Element | null = null
  let at = heading.parent
  for (let level = 0; at && level < MAX_SECTION_HEIGHT && !WHOLE_PAGE.has(at.tag); level++, at = at.parent) {
    let peers = 0
    walk(at, (element) => {
      if (element.tag <= heading.tag && /^h[1-6]$/.test(element.tag)) peers++
      return peers < 2
    })
    if (peers > 1) break
    section = at
  }
  return section
}

/** One entry a person: names compare without accents, case and middle initials; the first title stands. */
function merge(...sources: (readonly Person[])[]): Person[] {
  const people = new Map<string, Person>()
  for (const person of sources.flat()) {
    const key = foldText(person.full_name)
      .split(/[\s,.]+/)
      .filter((word) => word.length > 1)
      .join(' ')
    const known = people.get(key)
    people.set(key, known ? { ...person, ...known } : person)
  }
  return [...people.values()]
}
