import { Tokenizer } from 'htmlparser2'
import { cutText, storable } from '../storable.ts'

/** One element of a page's DOM; children are elements and text, in order. */
export type Element = {
  tag: string
  attrs: Record<string, string>
  children: (Element | string)[]
  parent: Element | null
}

/** Four million characters is far above any page read by people; the rest of a longer one is not read. */
const MAX_HTML_CHARS = 4_000_000
/** Elements deeper than this join the element above them: later walks may recurse, and a real page stays under 100. */
const MAX_DEPTH = 200
const MAX_ELEMENTS = 200_000
const MAX_ATTRIBUTES = 60

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Opening one of these ends an open one of the set, unless a boundary element lies between. */
const ENDS = new Map(
  Object.entries({
    li: new Set(['li']),
    dt: new Set(['dt', 'dd']),
    dd: new Set(['dt', 'dd']),
    tr: new Set(['tr', 'td', 'th']),
    td: new Set(['td', 'th']),
    th: new Set(['td', 'th']),
    tbody: new Set(['tr', 'td', 'th', 'thead', 'tbody']),
    option: new Set(['option']),
  }),
)
const BOUNDARY = new Set('table ul ol dl body html select section article div main template'.split(' '))
const CLOSES_P = new Set(
  'address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)

/**
 * Builds the DOM in one pass over the tokens. The tokenizer is htmlparser2's; its own parser is not used because
 * its stack makes deep nesting cost the square of the depth (200,000 open tags took half a minute).
 */
export function parseHtml(source: string): Element {
  const html = storable(cutText(source, MAX_HTML_CHARS))
  const root: Element = { tag: '#root', attrs: {}, children: [], parent: null }
  let current = root
  let depth = 0
  let elements = 0
  let tag = ''
  let attrs: Record<string, string> = {}
  let attrCount = 0
  let attrName = ''
  let attrValue = ''

  const addText = (text: string) => {
    const { children } = current
    const last = children.length - 1
    if (typeof children[last] === 'string') children[last] += text
    else children.push(text)
  }
  const closeTo = (element: Element) => {
    while (current !== element && current.parent) {
      current = current.parent
      depth--
    }
  }
  /** The nearest open element of `names`, looking no further than a boundary. */
  const openBefore = (names: Set<string>, boundary: Set<string> | null): Element | null => {
    let found: Element | null = null
    for (let at: Element | null = current; at; at = at.parent) {
      if (names.has(at.tag)) {
        found = at
        if (!boundary || names.size === 1) return found
      } else if (boundary?.has(at.tag)) {
        return found
      }
    }
    return found
  }
  const open = () => {
    const ends = ENDS.get(tag)
    if (ends) {
      const ended = openBefore(ends, BOUNDARY)
      if (ended?.parent) closeTo(ended.parent)
    } else if (CLOSES_P.has(tag) && current.tag === 'p' && current.parent) {
      closeTo(current.parent)
    }
    if (++elements > MAX_ELEMENTS) return
    const element: Element = { tag, attrs, children: [], parent: current }
    current.children.push(element)
    if (VOID.has(tag) || depth >= MAX_DEPTH) return
    current = element
    depth++
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, Math.min(end, start + 40)).toLowerCase()
        attrs = {}
        attrCount = 0
      },
      onattribname(start, end) {
        attrName = html.slice(start, Math.min(end, start + 60)).toLowerCase()
        attrValue = ''
      },
      onattribdata(start, end) {
        attrValue += html.slice(start, end)
      },
      onattribentity(codepoint) {
        attrValue += String.fromCodePoint(codepoint)
      },
      onattribend() {
        if (attrCount++ < MAX_ATTRIBUTES && !Object.hasOwn(attrs, attrName)) attrs[attrName] = attrValue
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(start, end) {
        const name = html.slice(start, Math.min(end, start + 40)).toLowerCase()
        if (name === 'br') return void current.children.push({ tag: 'br', attrs: {}, children: [], parent: current })
        const closed = openBefore(new Set([name]), null)
        if (closed?.parent) closeTo(closed.parent)
      },
      ontext: (start, end) => addText(html.slice(start, end)),
      ontextentity: (codepoint) => addText(String.fromCodePoint(codepoint)),
      oncdata: (start, end, offset) => addText(html.slice(start, end - offset)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return root
}

/** Every element under `from` in document order; `enter` returns false to pass over one with all it holds. */
export function walk(from: Element, enter: (element: Element) => boolean | undefined): void {
  for (const child of from.children) {
    if (typeof child !== 'string' && enter(child) !== false) walk(child, enter)
  }
}

const NOT_TEXT = new Set(['script', 'style', 'noscript', 'template'])

/** All text under an element with blanks folded, at most `limit` characters of it. */
export function textOf(element: Element, limit = 2_000): string {
  const parts: string[] = []
  let size = 0
  const collect = (at: Element) => {
    for (const child of at.children) {
      if (size > limit) return
      if (typeof child === 'string') {
        parts.push(child)
        size += child.length
      } else if (child.tag === 'br') parts.push(' ')
      else if (!NOT_TEXT.has(child.tag)) collect(child)
    }
  }
  collect(element)
  return cutText(foldBlanks(cutText(parts.join(''), limit * 4)), limit)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|[\u200b\u00ad]/u

export function foldBlanks(text: string): string {
  // most texts are in order already, and looking costs less than copying
  return UNTIDY.test(text) ? text.replace(/[\s\u200b\u00ad]+/gu, ' ').trim() : text
}
