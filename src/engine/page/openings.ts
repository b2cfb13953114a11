import { parseDate } from '../dates/find-dates.ts'
import { cutText } from '../text/storable.ts'
import { absoluteUrl } from './addresses.ts'
import { elementText } from './element.ts'
import { readJobTitle } from './job-title.ts'
import { firstString, type JsonLdObject } from './json-ld.ts'
import type { PageLink } from './links.ts'

export type Opening = {
  title: string
  department: string | null
  url: string | null
  published_date: string | null
  valid_through: string | null
}

const MAX_OPENINGS = 500
const CAREERS =
  /\/(?:careers?|jobs?|join-?us|work-with-us|vacancies|open-positions|positions|openings|karriere|stellen)(?:\/|\.html?|$)/i

/**
 * Open positions on a page, each once: those marked up as `JobPosting`, otherwise, on a careers page, links to pages below
 * it whose text is a job title.
 */
export function findOpenings(found: readonly PageLink[], objects: readonly JsonLdObject[], pageUrl: string): Opening[] {
  const described = describedOpenings(objects, pageUrl)
  return described.length > 0 ? described : listedOpenings(found, pageUrl)
}

function listedOpenings(links: readonly PageLink[], pageUrl: string): Opening[] {
  const page = URL.parse(pageUrl)
  if (!page || !CAREERS.test(page.pathname)) return []
  const below = `${page.pathname.replace(/\.html?$|(?<!\/)\/+$/, '')}/`
  const found = new Map<string, Opening>()
  for (const { element, url, href } of links) {
    if (element.tag !== 'a' || url.host !== page.host || !url.pathname.startsWith(below)) continue
    const title = readJobTitle(elementText(element, 140))
    if (!title || found.size >= MAX_OPENINGS) continue
    found.set(href, { title, department: null, url: href, published_date: null, valid_through: null })
  }
  return [...found.values()]
}

function describedOpenings(objects: readonly JsonLdObject[], pageUrl: string): Opening[] {
  const found = new Map<string, Opening>()
  for (const { types, object } of objects) {
    const title = types.includes('JobPosting') ? firstString(object.title ?? object.name) : null
    if (!title || found.size >= MAX_OPENINGS) continue
    const address = firstString(object.url)
    const department = firstString(object.department ?? object.occupationalCategory)
    const opening: Opening = {
      title: cutText(title, 200),
      department: department && cutText(department, 100),
      url: address ? absoluteUrl(address, pageUrl) : null,
      published_date: parseDate(firstString(object.datePosted)),
      valid_through: parseDate(firstString(object.validThrough)),
    }
    found.set(`${opening.title}\n${opening.url ?? found.size}`, opening)
  }
  return [...found.values()]
}
