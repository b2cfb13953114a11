import { getDomain } from 'tldts'
import { foldText } from '../text/fold.ts'
import { type Element, elementText } from './element.ts'
import type { PageLink } from './links.ts'

/** Links to more pages about people. */
export type PeopleLinks = {
  /** Pages about one person each: `/team/ada-pike`, `/author/ada`. */
  profiles: string[]
  /** The next page of a paginated list. */
  next: string | null
}

const MAX_PROFILES = 40
const PEOPLE_FOLDER =
  /^(?:team|our-team|the-team|people|our-people|leadership|leadership-team|management|management-team|executives?|executive-team|staff|board|board-of-directors|authors?|bio|bios|members?|equipe|equipo|mitarbeiter)$/
const SLUG = /^[a-z][a-z0-9%]*(?:[-_.][a-z0-9%]+){0,5}(?:\.html?)?$/
const NEXT = /^(?:next|next page|older|more people|weiter|suivant|siguiente)$/

export function findPeopleLinks(found: readonly PageLink[], pageUrl: string): PeopleLinks {
  const links: PeopleLinks = { profiles: [], next: null }
  const site = getDomain(pageUrl)
  const here = URL.parse(pageUrl)?.pathname.replace(/(?<!\/)\/+$/, '') ?? ''
  for (const { element, url, href } of found) {
    const { tag, attrs } = element
    if ((tag !== 'a' && tag !== 'link') || getDomain(url.hostname) !== site) continue
    const isNext = (attrs.rel ?? '').toLowerCase().split(/\s+/).includes('next')
    if (isNext || (tag === 'a' && NEXT.test(plain(element)))) {
      // Only the next page of this list: a blog's next page has another path.
      if (url.pathname.replace(/\/(?:page\/)?\d+\/?$|(?<!\/)\/+$/g, '') === here.replace(/\/(?:page\/)?\d+$/, '')) {
        links.next ??= href
      }
      continue
    }
    const [folder, slug] = url.pathname.toLowerCase().split('/').filter(Boolean).slice(-2)
    if (tag !== 'a' || !folder || !slug) continue
    const isProfile = PEOPLE_FOLDER.test(folder) && SLUG.test(slug) && !PEOPLE_FOLDER.test(slug) && slug !== 'page'
    if (isProfile && links.profiles.length < MAX_PROFILES && !links.profiles.includes(href)) links.profiles.push(href)
  }
  return links
}

function plain(element: Element): string {
  return foldText(elementText(element, 40))
    .replace(/[^\p{L} ]+/gu, ' ')
    .trim()
}
