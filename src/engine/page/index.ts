import { cutText } from '../storable.ts'
import { type ArticleLink, findArticleLinks } from './article-links.ts'
import { Headings } from './headings.ts'
import { jsonLdObjects } from './json-ld.ts'
import { findLinks, type PageLinks } from './links.ts'
import { findOpenings, type Opening } from './openings.ts'
import { findOrganization, type Organization } from './organization.ts'
import { findOutsideLinks, type OutsideLink } from './outside-links.ts'
import { findPeople } from './people.ts'
import { findPeopleLinks, type PeopleLinks } from './people-links.ts'
import type { PagePerson } from './person.ts'
import { findPublishedDate } from './published.ts'
import { jsonLdPeople, markedUpPeople } from './structured-people.ts'
import { mainText } from './text.ts'
import { type Element, foldBlanks, parseHtml, textOf, walk } from './tree.ts'

export type { PageLinks } from './links.ts'
export type { Opening } from './openings.ts'
export type { Organization } from './organization.ts'
export type { PagePerson } from './person.ts'
export { mergeMentions, readFormerTitle } from './same-person.ts'

export type WebPage = {
  title: string | null
  text: string
  published_date: string | null
  people: PagePerson[]
  organization: Organization | null
  links: PageLinks
  /** Other sites it links to. */
  outside_links: OutsideLink[]
  /** What the page lists as published, in reading order. */
  articles: ArticleLink[]
  openings: Opening[]
  /** Where more about the people can be read. */
  people_links: PeopleLinks
}

/**
 * Reads one page: its main text, day of publication, company, people and where else to look. What the page does not
 * say is null or empty. Never throws on any markup; only the first 4,000,000 characters are read.
 */
export function readWebPage({ url, html }: { url: string; html: string }): WebPage {
  const root = parseHtml(html)
  const objects = jsonLdObjects(root)
  const text = mainText(root)
  const headings = new Headings(root)
  return {
    title: titleOf(root),
    text,
    published_date: findPublishedDate(root, objects, text, url),
    people: findPeople(root, headings, [...jsonLdPeople(objects, url), ...markedUpPeople(root, url)], url),
    organization: findOrganization(root, objects, url),
    links: findLinks(root, url),
    outside_links: findOutsideLinks(root, url),
    articles: findArticleLinks(root, headings, url),
    openings: findOpenings(root, objects, url),
    people_links: findPeopleLinks(root, url),
  }
}

/** The title element, or what the page is called elsewhere. */
function titleOf(root: Element): string | null {
  let title: string | null = null
  let shared: string | null = null
  let heading: string | null = null
  walk(root, (element) => {
    if (element.tag === 'svg') return false // drawings have titles of their own
    if (element.tag === 'title') title ??= textOf(element, 300) || null
    else if (element.tag === 'meta' && element.attrs.property === 'og:title')
      shared ??= cutText(foldBlanks(element.attrs.content ?? ''), 300) || null
    else if (element.tag === 'h1') heading ??= textOf(element, 300) || null
    return undefined
  })
  return title ?? shared ?? heading
}
