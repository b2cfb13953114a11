import { cutText } from '../storable.ts'
import { type Line, linesOf } from './lines.ts'
import { type Element, walk } from './tree.ts'

const BOILERPLATE_TAGS = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu'])
const BOILERPLATE_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'search', 'dialog', 'complementary', 'menu'])
const BOILERPLATE_WORDS =
  /cookie|consent|gdpr|newsletter|subscri|breadcrumb|sidebar|share|social|related|recommend|comment|navbar|nav-|-nav|menu|popup|modal|advert|promo|skip-link|pagination|toolbar|masthead|site-header|site-footer/
/** A container called "share" with more text than this is named after something else ("shareholders"). */
const BOILERPLATE_MAX_CHARS = 1_500
const MAX_TEXT_CHARS = 400_000

/** The main text of a page: its reading lines, without menus, footers, banners and the like. */
export function mainText(root: Element): string {
  const body = firstOf(root, (element) => element.tag === 'body') ?? root
  const main = contentRoot(body)
  const lines = linesOf(main, (element) => isBoilerplate(element, main))
  return cutText(joinLines(lines.length > 0 ? lines : linesOf(body, () => false)), MAX_TEXT_CHARS)
}

function joinLines(lines: readonly Line[]): string {
  const kept: string[] = []
  for (const line of lines) {
    // sliders and modals repeat themselves; one telling is enough
    if (line.text !== kept[kept.length - 1]) kept.push(line.text)
  }
  return kept.join('\n')
}

/** `main` or the one `article`; without them the smallest block that holds most of the long paragraphs. */
function contentRoot(body: Element): Element {
  const marked = firstOf(body, (element) => element.tag === 'main' || element.attrs.role === 'main')
  const scope = marked ?? body
  const articles: Element[] = []
  walk(scope, (element) => {
    if (element.tag === 'article') articles.push(element)
    return element.tag !== 'article'
  })
  const total = proseIn(scope)
  const [article] = articles
  if (articles.length === 1 && article && proseIn(article) >= total * 0.5) return article
  return marked ?? densestBlock(body, total)
}

/** Goes down into the one child that holds three quarters of the prose, as long as there is one. */
function densestBlock(body: Element, total: number): Element {
  let at = body
  if (total < 400) return body
  for (let depth = 0; depth < 30; depth++) {
    const densestChild = at.children.find(
      (child): child is Element =>
        typeof child !== 'string' && child.tag !== 'p' && (PROSE.get(child) ?? 0) >= total * 0.75,
    )
    if (!densestChild) break
    at = densestChild
  }
  return at
}

const PROSE = new WeakMap<Element, number>()
/** Characters of paragraph text (not link text) below an element; kept, so the whole page is measured once. */
function proseIn(element: Element): number {
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

/** Boilerplate: menus, footers, banners and the like, what stands on every page of a site. */
export function isBoilerplate(element: Element, main: Element | null): boolean {
  const { tag, attrs } = element
  if (element === main) return false
  if (BOILERPLATE_TAGS.has(tag) || BOILERPLATE_ROLES.has(attrs.role ?? '')) return true
  if (tag === 'header')
    return element.parent?.tag !== 'article' && element.parent?.tag !== 'main' && element.parent?.tag !== 'section'
  if ((attrs.style ?? '').slice(0, 200).replaceAll(' ', '').includes('display:none')) return true
  const hints = `${attrs.class ?? ''} ${attrs.id ?? ''}`.slice(0, 300).toLowerCase()
  if (hints.length < 3 || !BOILERPLATE_WORDS.test(hints)) return false
  if (tag === 'body' || tag === 'main' || tag === 'article') return false
  return textLength(element) < BOILERPLATE_MAX_CHARS
}

const LENGTHS = new WeakMap<Element, number>()
/** Length of the text below an element; kept, for everything around it is asked too. */
function textLength(element: Element): number {
  const known = LENGTHS.get(element)
  if (known !== undefined) return known
  let length = 0
  for (const child of element.children) {
    length += typeof child === 'string' ? child.trim().length : child.tag === 'script' ? 0 : textLength(child)
  }
  LENGTHS.set(element, length)
  return length
}

function firstOf(root: Element, accept: (element: Element) => boolean): Element | null {
  let found: Element | null = null
  walk(root, (element) => {
    if (!found && accept(element)) found = element
    return found === null
  })
  return found
}
