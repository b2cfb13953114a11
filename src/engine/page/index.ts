import type { SerializedList } from '../json/serialized-list.ts'
import type { DetectedTechnology } from '../technologies/index.ts'
import { detectLanguage } from '../text/language.ts'
import { cutText } from '../text/storable.ts'
import { type ArticleLink, findArticleLinks } from './article-links.ts'
import { collapseWhitespace, type Element, elementText, walkElements } from './element.ts'
import { Headings } from './headings.ts'
import { findJsonLdObjects, firstString, type JsonLdObject } from './json-ld.ts'
import { declaresArticle, isArticleListing, type WebPageKind } from './kind.ts'
import { visibleLines } from './lines.ts'
import { collectLinks, findOutsideLinks, type OutsideLink, type PageLinks, sortLinks } from './links.ts'
import { extractText } from './main-text.ts'
import type { Opening } from './opening.ts'
import { findOpenings } from './openings.ts'
import { findOrganization, type Organization } from './organization.ts'
import { parseHtml } from './parse-html.ts'
import { findPagePeople } from './people.ts'
import { findPeopleLinks, type PeopleLinks } from './people-links.ts'
import type { PagePerson } from './person.ts'
import { findPublicationDate, type PublicationDate } from './publication-date.ts'
import { findServiceLinks, type ServiceLinks } from './service-links.ts'
import { jsonLdPeople, microdataPeople } from './structured-people.ts'
import { findTechnologies } from './technologies.ts'

export type { PageLinks } from './links.ts'
export { mergeMentions, readFormerTitle } from './merge-mentions.ts'
export type { Opening } from './opening.ts'
export type { Organization } from './organization.ts'
export type { PagePerson } from './person.ts'
export type { PublicationDate } from './publication-date.ts'

/** A page as a worker thread returns it; it may show thousands of people. */
export type ReadPage = Omit<WebPage, 'people'> & { people: SerializedList<PagePerson> }

export type WebPage = {
  title: string | null
  kind: WebPageKind
  text: string
  /** All visible text without boilerplate; used to detect changes between visits. */
  shown: string
  published: PublicationDate | null
  /** Two letters, detected from the text or declared by the page; null when unknown. */
  language: string | null
  people: PagePerson[]
  organization: Organization | null
  links: PageLinks
  outside_links: OutsideLink[]
  /** Links to articles, in reading order. */
  articles: ArticleLink[]
  openings: Opening[]
  people_links: PeopleLinks
  service_links: ServiceLinks
  technologies: DetectedTechnology[]
}

/**
 * Parses one page: main text, publication date, company, people and links. Missing values are null or empty, and no
 * publication date is after `today`. Never throws on any markup; only the first 4,000,000 characters are read.
 */
export function readWebPage({ url, html, today }: { url: string; html: string; today?: string }): WebPage {
  const root = parseHtml(html)
  const objects = findJsonLdObjects(root)
  const isArticle = declaresArticle(root, objects)
  const { text, shown } = extractText(root, { isArticle, structured: articleBodyIn(objects) })
  const headings = new Headings(root)
  const links = collectLinks(root, url)
  const articles = findArticleLinks(root, headings, url)
  const kind = isArticle ? 'article' : isArticleListing(articles, text, url) ? 'listing' : 'page'
  const declared = languageTagOf(root)
  const read = detectLanguage(text)
  const language = read ?? declared?.slice(0, 2) ?? null
  const isForeign = isReadLanguage(read) || (read !== 'en' && isReadLanguage(declared?.slice(0, 2) ?? null))
  const openings = findOpenings({ root, links, objects, url, isForeign })
  const published = findPublicationDate({
    root,
    objects,
    kind,
    text: shown,
    url,
    language: read && read !== 'en' ? read : (declared ?? read),
    today,
  })
  return {
    title: titleOf(root),
    kind,
    text,
    shown,
    published: isForeign ? withoutVacancies(published, openings) : published,
    language,
    people: findPagePeople(root, headings, [...jsonLdPeople(objects, url), ...microdataPeople(root, url)], url),
    organization: findOrganization(root, objects, url),
    links: sortLinks(links, url),
    outside_links: findOutsideLinks(links, url),
    articles,
    openings,
    people_links: findPeopleLinks(links, url),
    service_links: findServiceLinks(links, url),
    technologies: findTechnologies(root, url),
  }
}

/**
 * The publication date as stored with documents. The date of the last change does not count: it would make old pages look new.
 */
export function documentPublication({ published }: Pick<WebPage, 'published'>) {
  const isKnown = published !== null && published.by !== 'last change'
  return { published_date: isKnown ? published.date : null, published_by: isKnown ? published.by : null }
}

/** Languages whose words for teams, jobs and vacancies the page reader knows in addition to English. */
const READ_LANGUAGES: ReadonlySet<string> = new Set(['de', 'fr', 'es', 'nl', 'it'])
const isReadLanguage = (language: string | null) => language !== null && READ_LANGUAGES.has(language)
const DECLARED: ReadonlySet<string> = new Set(['structured data', 'metadata', 'address'])

/** The date of a vacancy is that of a page about it, and not of a list. */
function withoutVacancies(published: PublicationDate | null, openings: readonly Opening[]): PublicationDate | null {
  if (openings.length === 0 || (published && DECLARED.has(published.by))) return published
  const [only, ...others] = openings
  const date = only?.published_date
  return others.length === 0 && date ? { date, by: 'label' } : null
}

/** The title element, otherwise the og:title or the first heading. */
function titleOf(root: Element): string | null {
  let title: string | null = null
  let shared: string | null = null
  let heading: string | null = null
  walkElements(root, (element) => {
    if (element.tag === 'svg') return false // An SVG has a title element that is not the page's.
    if (element.tag === 'title') title ??= elementText(element, 300) || null
    else if (element.tag === 'meta' && element.attrs.property === 'og:title')
      shared ??= cutText(collapseWhitespace(element.attrs.content ?? ''), 300) || null
    else if (element.tag === 'h1') heading ??= elementText(element, 300) || null
    return undefined
  })
  return title ?? shared ?? heading
}

/** The language that the page declares, with a region where it has one: "de-at". */
function languageTagOf(root: Element): string | null {
  const html = root.children.find((child): child is Element => typeof child !== 'string' && child.tag === 'html')
  const tag = html?.attrs.lang ?? html?.attrs['xml:lang'] ?? ''
  return /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(tag.trim()) ? tag.trim().toLowerCase() : null
}

/** The text of an article in the page's JSON-LD. */
function articleBodyIn(objects: readonly JsonLdObject[]): string {
  const bodies = objects.map(({ object }) => firstString(object.articleBody) ?? '')
  const [longest = ''] = bodies.sort((a, b) => b.length - a.length)
  if (!longest.includes('<')) return collapseWhitespace(longest)
  const lines = visibleLines(parseHtml(longest), () => false)
  return lines.map(({ text }) => text).join('\n')
}
