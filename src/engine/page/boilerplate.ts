// What stands on every page of a site, and how much text there is in an element.
import type { Element } from './element.ts'

const BOILERPLATE_TAGS = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu'])
export const BOILERPLATE_ROLES = new Set('navigation banner contentinfo search dialog complementary menu'.split(' '))
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

/** Keeps what was computed of an element: everything around it is asked too, and the page is measured once. */
export function memoizeByElement<T>(compute: (element: Element) => T): (element: Element) => T {
  const known = new WeakMap<Element, { value: T }>()
  return (element) => {
    const found = known.get(element) ?? { value: compute(element) }
    known.set(element, found)
    return found.value
  }
}

/** Characters of paragraph text (not link text) below an element. */
export const proseLength = memoizeByElement((element): number => {
  if (['script', 'style', 'a'].includes(element.tag) || isBoilerplate(element, null)) return 0
  let prose = 0
  for (const child of element.children) {
    if (typeof child !== 'string') prose += proseLength(child)
    else if (child.length > 40) prose += child.length
  }
  return prose
})

/** Characters and number of the links below an element. */
export const measureLinks = memoizeByElement((element): { chars: number; count: number } => {
  const links = { chars: 0, count: 0 }
  for (const child of element.children) {
    if (typeof child === 'string') continue
    const { chars, count } = child.tag === 'a' ? { chars: textLength(child), count: 1 } : measureLinks(child)
    links.chars += chars
    links.count += count
  }
  return links
})

const UNREAD = new Set(['script', 'style', 'noscript', 'template'])
/** Length of the text below an element. */
export const textLength = memoizeByElement((element): number => {
  let length = 0
  for (const child of element.children) {
    length += typeof child === 'string' ? child.trim().length : UNREAD.has(child.tag) ? 0 : textLength(child)
  }
  return length
})
