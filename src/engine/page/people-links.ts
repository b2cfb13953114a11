import { getDomain } from 'tldts'
import { foldText } from '../titles/words.ts'
import { absoluteUrl } from './addresses.ts'
import { baseOf } from './links.ts'
import { type Element, textOf, walk } from './tree.ts'

/** Where more about the people of a page can be read. */
export type PeopleLinks = {
  /** Pages about one person each: `/team/ada-pike`, `/author/ada`. */
  profiles: string[]
  /** The next part of a list that goes over several pages. */
  next: string | null
}

const MAX_PROFILES = 40
const MAX_ANCHORS = 20_000
const PEOPLE_FOLDER =
  /^(?:team|our-team|the-team|people|our-people|leadership|leadership-team|management|management-team|executives?|executive-team|staff|board|board-of-directors|authors?|bio|bios|members?|equipe|equipo|mitarbeiter)$/
const SLUG = /^[a-z][a-z0-9%]*(?:[-_.][a-z0-9%]+){0,5}(?:\.html?)?$/
const NEXT = /^(?:next|next page|older|more people|weiter|suivant|siguiente)$/

export function findPeopleLinks(root: Element, baseUrl: string): PeopleLinks {
  const links: PeopleLinks = { profiles: [], next: null }
  const base = baseOf(root, baseUrl)
  const site = getDomain(base)
  const here = URL.parse(base)?.pathname.replace(/(?<!\/)\/+$/, '') ?? ''
  let anchors = 0
  walk(root, (element) => {
    const { href, rel } = element.attrs
    if ((element.tag !== 'a' && element.tag !== 'link') || !href || ++anchors > MAX_ANCHORS) return undefined
    const address = absoluteUrl(href, base)
    const url = address ? URL.parse(address) : null
    if (!url || getDomain(url.hostname) !== site) return undefined
    url.hash = ''
    const isNext = (rel ?? '').toLowerCase().split(/\s+/).includes('next')
    if (isNext || (element.tag === 'a' && NEXT.test(plain(element)))) {
      // Of the same list: a blog's next page lies elsewhere.
      if (url.pathname.replace(/\/(?:page\/)?\d+\/?$|(?<!\/)\/+$/g, '') === here.replace(/\/(?:page\/)?\d+$/, '')) {
        links.next ??= url.href
      }
      return undefined
    }
    const segments = url.pathname.toLowerCase().split('/').filter(Boolean)
    const [folder, slug] = segments.slice(-2)
    if (element.tag !== 'a' || segments.length < 2 || !folder || !slug) return undefined
    const isProfile = PEOPLE_FOLDER.test(folder) && SLUG.test(slug) && !PEOPLE_FOLDER.test(slug) && slug !== 'page'
    if (isProfile && links.profiles.length < MAX_PROFILES && !links.profiles.includes(url.href)) {
      links.profiles.push(url.href)
    }
    return undefined
  })
  return links
}

function plain(element: Element): string {
  return foldText(textOf(element, 40))
    .replace(/[^\p{L} ]+/gu, ' ')
    .trim()
}
