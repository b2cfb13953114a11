import { parseDate } from '../dates/find-dates.ts'
import { cutText } from '../text/storable.ts'
import { isAddressedToAll, removeGenderMarker } from '../titles/gender-forms.ts'
import { absoluteUrl } from './addresses.ts'
import { type Element, elementText } from './element.ts'
import { readJobTitle } from './job-title.ts'
import { firstString, isJsonObject, type JsonLdObject } from './json-ld.ts'
import type { PageLink } from './links.ts'
import { MAX_OPENINGS, type Opening } from './opening.ts'
import { shownOpenings } from './shown-openings.ts'
import { pathPart } from './vocabulary.ts'

type Page = {
  root: Element
  links: readonly PageLink[]
  objects: readonly JsonLdObject[]
  url: string
  /** The page is in a language whose vacancies are also read without markup. */
  isForeign: boolean
}

const CAREERS = new RegExp(
  `/(?:careers?|jobs?|join-?us|work-with-us|vacancies|open-positions|positions|openings|${pathPart('careers')})(?:/|\\.html?|$)`,
  'i',
)

/**
 * Open positions on a page, each once: those marked up as `JobPosting`; otherwise those that a page in German, French,
 * Spanish, Dutch or Italian shows; otherwise, on a careers page, links to pages below it whose text is a job title.
 */
export function findOpenings({ root, links, objects, url, isForeign }: Page): Opening[] {
  const described = describedOpenings(objects, url)
  if (described.length > 0) return described
  const path = URL.parse(url)?.pathname ?? ''
  const shown = isForeign ? shownOpenings({ root, links, url, isCareers: CAREERS.test(path) }) : []
  return shown.length > 0 ? shown : listedOpenings(links, url)
}

function listedOpenings(links: readonly PageLink[], pageUrl: string): Opening[] {
  const page = URL.parse(pageUrl)
  if (!page || !CAREERS.test(page.pathname)) return []
  const below = `${page.pathname.replace(/\.html?$|(?<!\/)\/+$/, '')}/`
  const openings = new Map<string, Opening>()
  for (const { element, url, href } of links) {
    if (element.tag !== 'a' || url.host !== page.host || !url.pathname.startsWith(below)) continue
    const title = readJobTitle(elementText(element, 140))
    if (!title || openings.size >= MAX_OPENINGS) continue
    const nothing = { department: null, location: null, published_date: null, valid_through: null }
    openings.set(href, { ...nothing, title, url: href })
  }
  return [...openings.values()]
}

function describedOpenings(objects: readonly JsonLdObject[], pageUrl: string): Opening[] {
  const found = new Map<string, Opening>()
  for (const { types, object } of objects) {
    const title = types.includes('JobPosting') ? firstString(object.title ?? object.name) : null
    if (!title || found.size >= MAX_OPENINGS) continue
    const address = firstString(object.url)
    const department = firstString(object.department ?? object.occupationalCategory)
    const opening: Opening = {
      title: cutText(isAddressedToAll(title) ? removeGenderMarker(title) : title, 200),
      department: department && cutText(department, 100),
      location: townOf(object.jobLocation),
      url: address ? absoluteUrl(address, pageUrl) : null,
      published_date: parseDate(firstString(object.datePosted)),
      valid_through: parseDate(firstString(object.validThrough)),
    }
    found.set(`${opening.title}\n${opening.url ?? found.size}`, opening)
  }
  return [...found.values()]
}

/** The town in the address of a place, or a location that is a text. */
function townOf(value: unknown): string | null {
  const [first] = Array.isArray(value) ? value : [value]
  const town = isJsonObject(first)
    ? (townOf(first.address) ?? firstString(first.addressLocality) ?? firstString(first.name))
    : firstString(first)
  return town && cutText(town, 100)
}
