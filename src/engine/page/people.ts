import { hasGivenName } from '../people/given-names.ts'
import { foldText } from '../text/fold.ts'
import { attachContacts } from './contacts.ts'
import { type Element, elementText, findElement, walkElements } from './element.ts'
import type { Headings } from './headings.ts'
import { classHints, tagAndClass, type VisibleLine, visibleLines } from './lines.ts'
import { mergeMentions } from './merge-mentions.ts'
import { findPairsInLines } from './people-lines.ts'
import { findPairsInDefinitions, findPairsInTables } from './people-tables.ts'
import type { NameTitlePair, PagePerson } from './person.ts'
import { label } from './vocabulary.ts'

/** The staff page of a large company has fewer; more on one page is a directory dump. */
const MAX_PEOPLE = 5_000

/** Limits on the search for sections, so that a page of nothing but headings stays cheap. */
const MAX_HEADINGS = 50
const MAX_SECTION_HEIGHT = 8
const WHOLE_PAGE = new Set(['body', 'main', 'html', '#root'])

const OUTSIDE = new Set(['nav', 'footer', 'form', 'blockquote', 'q'])
const OUTSIDE_HINTS =
  /testimonial|quote|review|case-stud|customer-stor|client-stor|comment|investor|backer|cookie|job-list|jobs|opening|vacanc|speaker|panelist/
const OUTSIDE_HEADING =
  /\b(?:testimonials?|customers? (?:say|love|stor)|clients? (?:say|love|stor)|what (?:our |people|customers|clients|others)|backed by|our investors|investors|trusted by|case stud|reviews|in the news|(?:our |keynote |featured )?speakers|panell?ists|open (?:positions|roles)|our customers)/i
const FOREIGN_OUTSIDE_HEADING = new RegExp(`\\b(?:${label('outsiders')})\\b`)

/**
 * The company's people on a page: names next to job titles. `structured` people (JSON-LD, microdata) come first, because
 * they are explicit. Quoted people such as customers and investors are skipped.
 */
export function findPagePeople(
  root: Element,
  headings: Headings,
  structured: readonly PagePerson[],
  baseUrl: string,
): PagePerson[] {
  const skip = skipOutsiders(root, headings)
  const lines = visibleLines(root, skip)
  const tables = findPairsInTables(root, skip)
  const definitions = findPairsInDefinitions(root, skip)
  const taken = new Set([...tables.elements, ...definitions.elements])
  const free = lines.filter((line) => !isWithin(line, taken))
  const pairs = [...tables.pairs, ...definitions.pairs, ...findPairsInLines(free), ...pairsInImages(root, skip)]
  // Contacts are attached before filtering: a card ends where the next one begins, whether or not that one is kept.
  const { people, addPhones } = attachContacts(root, pairs, baseUrl)
  const isPlausible = plausibility(pairs, people, root, baseUrl)
  return mergeMentions(addPhones((at) => isPlausible[at] === true, structured)).slice(0, MAX_PEOPLE)
}

const isOutsideHeading = (text: string) => OUTSIDE_HEADING.test(text) || FOREIGN_OUTSIDE_HEADING.test(spaced(text))

const PEOPLE_WORDS =
  /\b(?:team|leadership|leaders|people|staff|management|managers|board|directors|officers|executives?|founders?|crew|faculty|directory|employees|contacts?|our lawyers|attorneys|providers|physicians|committee|who we are|who'?s who|about us|family behind|medarbetare|ansatte)\b/
const FOREIGN_PEOPLE_WORDS = new RegExp(`\\b(?:${label('people')})\\b`)
const isAboutPeople = (folded: string) => PEOPLE_WORDS.test(folded) || FOREIGN_PEOPLE_WORDS.test(spaced(folded))
/** Folded, with spaces for punctuation, as the vocabulary is written. */
const spaced = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const PEOPLE_HINTS =
  /team|leader|people|person|staff|member|\bbio|exec|board|founder|profile|author|management|employee|crew|faculty|provider|kontakt|contact|equipe|equipo|membre/
const HINT_LEVELS = 6

/**
 * Which pairs are plausible: those with a common given name, a profile or an email, those with the same markup, and others
 * only where the page is about people. "Cedar Falls" next to "Data Engineer" is a vacancy; the same two lines under
 * "Our team" would be a person.
 */
function plausibility(
  pairs: readonly NameTitlePair[],
  people: readonly PagePerson[],
  root: Element,
  baseUrl: string,
): boolean[] {
  const sure = pairs.map(({ full_name }, i) => {
    const words = foldText(full_name).split(/[\s,.]+/)
    const { network_url, email } = people[i] as PagePerson
    return (
      hasGivenName(words) ||
      network_url !== undefined ||
      words.some((word) => word.length > 2 && email?.split('@')[0]?.includes(word))
    )
  })
  if (sure.every(Boolean)) return sure
  const shapes = new Map<string, { sure: number; doubtful: number }>()
  for (const [i, { element }] of pairs.entries()) {
    const shape = shapes.get(shapeOf(element)) ?? { sure: 0, doubtful: 0 }
    shape[sure[i] ? 'sure' : 'doubtful']++
    shapes.set(shapeOf(element), shape)
  }
  const headed = underPeopleHeadings(pairs, root, baseUrl)
  return pairs.map(({ element }, i) => {
    const alike = shapes.get(shapeOf(element))
    return sure[i] || headed.has(element) || (alike !== undefined && alike.sure > 0 && alike.sure * 3 >= alike.doubtful)
  })
}

const shapeOf = (element: Element) => `${tagAndClass(element)}<${tagAndClass(element.parent)}`

/** The elements of names below a heading about people, or in elements with such a class or id. */
function underPeopleHeadings(pairs: readonly NameTitlePair[], root: Element, baseUrl: string): Set<Element> {
  const named = new Set(pairs.map(({ element }) => element))
  const headed = new Set<Element>()
  let heading = pageName(root, baseUrl)
  walkElements(root, (element) => {
    // A heading applies to what follows it, unless it is itself a person's name.
    if (!named.has(element) && /^h[1-3]$/.test(element.tag)) heading = foldText(elementText(element, 120))
    else if (named.has(element) && (isAboutPeople(heading) || PEOPLE_HINTS.test(classHints(element, HINT_LEVELS))))
      headed.add(element)
    return undefined
  })
  return headed
}

/** The page's title and the words of its path. */
function pageName(root: Element, baseUrl: string): string {
  const title = findElement(root, ({ tag }) => tag === 'title')
  const path = URL.parse(baseUrl)?.pathname ?? ''
  return foldText(`${title ? elementText(title, 200) : ''} ${path.slice(0, 200).replace(/[/_.-]+/g, ' ')}`)
}

function isWithin(line: VisibleLine, elements: ReadonlySet<Element>): boolean {
  if (elements.size === 0) return false
  for (let at: Element | null = line.element; at; at = at.parent) if (elements.has(at)) return true
  return false
}

/** Name and title in the alt text of portraits. */
function pairsInImages(root: Element, skip: (element: Element) => boolean): NameTitlePair[] {
  const lines: VisibleLine[] = []
  walkElements(root, (element) => {
    if (skip(element)) return false
    const { alt } = element.attrs
    if (element.tag === 'img' && alt && alt.length < 200 && alt.includes(',')) {
      lines.push({ text: alt.trim(), element, segments: [], href: null })
    }
    return undefined
  })
  return findPairsInLines(lines, { adjacent: false })
}

/** Returns true for elements with people of other companies: quotes, reviews, and sections with such a heading. */
function skipOutsiders(root: Element, headings: Headings): (element: Element) => boolean {
  const sections = new Set<Element>()
  let outside = 0
  walkElements(root, (element) => {
    if (outside < MAX_HEADINGS && /^h[1-4]$/.test(element.tag) && isOutsideHeading(elementText(element, 120))) {
      outside++
      const section = sectionOf(element, headings)
      if (section) sections.add(section)
    }
    return undefined
  })
  return (element) => {
    if (OUTSIDE.has(element.tag) || sections.has(element)) return true
    if (WHOLE_PAGE.has(element.tag)) return false
    return (element.attrs.class ?? element.attrs.id) !== undefined && OUTSIDE_HINTS.test(classHints(element, 1))
  }
}

/** The section of a heading: the outermost block in which it is the only heading of its rank. */
function sectionOf(heading: Element, headings: Headings): Element | null {
  let section: Element | null = null
  let at = heading.parent
  for (let level = 0; at && level < MAX_SECTION_HEIGHT && !WHOLE_PAGE.has(at.tag); level++, at = at.parent) {
    if (headings.peersIn(at, heading) > 1) break
    section = at
  }
  return section
}
