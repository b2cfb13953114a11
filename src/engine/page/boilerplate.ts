// What stands on every page of a site, and how much text there is in an element.
import type { Element } from './tree.ts'

const BOILERPLATE_TAGS = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu'])
export const BOILERPLATE_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'dialog',
  'complementary',
  'menu',
])
const BOILERPLATE_WORDS =
  /cookie|consent|gdpr|newsletter|subscri|breadcrumb|sidebar|share|social|related|recommend|comment|navbar|nav-|-nav|menu|popup|modal|advert|promo|skip-link|pagination|toolbar|masthead|site-header|site-footer/
/** A container called "share" with more text than this is named after something else ("shareholders"). */
const BOILERPLATE_MAX_CHARS = 1_500
/** Boilerplate: menus, footers, banners and the like, what stands on every page of a site. */
export function isBoilerplate(element: Element, main: Element | null): boolean {
  const { tag, attrs } = element
  if (element === main) return false
  if (BOILERPLATE_TAGS.has(tag) || BOILERPLATE_ROLES.has(attrs.role ?? '')) return true
  if (tag === 'header')
    return element.parent?.tag !== 'article' && element.parent?.tag !== 'main' && element.parent?.tag !== 'section'
  if (isHidden(element)) return true
  const hints = `${attrs.class ?? ''} ${attrs.id ?? ''}`.slice(0, 300).toLowerCase()
  if (hints.length < 3 || !BOILERPLATE_WORDS.test(hints)) return false
  if (tag === 'body' || tag === 'main' || tag === 'article') return false
  return textLength(element) < BOILERPLATE_MAX_CHARS
}

export function isHidden({ attrs }: Element): boolean {
  return (attrs.style ?? '').slice(0, 200).replaceAll(' ', '').includes('display:none')
}

const PROSE = new WeakMap<Element, number>()
/** Characters of paragraph text (not link text) below an element; kept, so the whole page is measured once. */
export function proseIn(element: Element): number {
  const known = PROSE.get(element)
  if (known !== undefined) return known
  let prose = 0
  if (element.tag !== 'script' && element.tag !== 'style' && element.tag !== 'a' && !isBoilerplate(element, null)) {
    for (const child of element.children) {
      if (typeof child === 'string') prose += child.length > 40 ? child.length : 0
      else prose += proseIn(child)
    }
  }
  PROSE.set(element, prose)
  return prose
}

const LINKS = new WeakMap<Element, { chars: number; count: number }>()
/** Characters and number of the links below an element; kept as well. */
export function linksIn(element: Element): { chars: number; count: number } {
  const known = LINKS.get(element)
  if (known) return known
  let chars = 0
  let count = 0
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.tag === 'a') {
      chars += textLength(child)
      count++
    } else {
      const inside = linksIn(child)
      chars += inside.chars
      count += inside.count
    }
  }
  const links = { chars, count }
  LINKS.set(element, links)
  return links
}

const UNREAD = new Set(['script', 'style', 'noscript', 'template'])
const LENGTHS = new WeakMap<Element, number>()
/** Length of the text below an element; kept, for everything around it is asked too. */
export function textLength(element: Element): number {
  const known = LENGTHS.get(element)
  if (known !== undefined) return known
  let length = 0
  for (const child of element.children) {
    length += typeof child === 'string' ? child.trim().length : UNREAD.has(child.tag) ? 0 : textLength(child)
  }
  LENGTHS.set(element, length)
  return length
}
