// Recognises boilerplate (menus, footers, banners), and measures the text of elements.
import type { Element } from './element.ts'

const BOILERPLATE_TAGS = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu'])
export const BOILERPLATE_ROLES = new Set('navigation banner contentinfo search dialog complementary menu'.split(' '))
const BOILERPLATE_WORDS =
  /cookie|consent|gdpr|newsletter|subscri|breadcrumb|sidebar|share|social|related|recommend|comment|navbar|nav-|-nav|menu|popup|modal|advert|promo|skip-link|pagination|toolbar|masthead|site-header|site-footer/
/** An element with more text than this is no boilerplate: its class name matches by accident ("shareholders"). */
const BOILERPLATE_MAX_CHARS = 1_500
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

/** Caches a function of an element, so that nested calls visit each element of a page once. */
export function memoizeByElement<T>(compute: (element: Element) => T): (element: Element) => T {
  const known = new WeakMap<Element, { value: T }>()
  return (element) => {
    const found = known.get(element) ?? { value: compute(element) }
    known.set(element, found)
    return found.value
  }
}

/** The number of characters of prose, without link texts, in an element. */
export const proseLength = memoizeByElement((element): number => {
  if (['script', 'style', 'a'].includes(element.tag) || isBoilerplate(element, null)) return 0
  let prose = 0
  for (const child of element.children) {
    if (typeof child !== 'string') prose += proseLength(child)
    else if (child.length > 40) prose += child.length
  }
  return prose
})

/** The number of links in an element and the length of their texts. */
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
/** The length of the text in an element. */
export const textLength = memoizeByElement((element): number => {
  let length = 0
  for (const child of element.children) {
    length += typeof child === 'string' ? child.trim().length : UNREAD.has(child.tag) ? 0 : textLength(child)
  }
  return length
})
