import { cutText } from '../text/storable.ts'

/** One element of a page's DOM; children are elements and text, in order. */
export type Element = {
  tag: string
  attrs: Record<string, string>
  children: (Element | string)[]
  parent: Element | null
  /** Its position in document order, and that of its last descendant. */
  number: number
  last: number
  /** Its text: the pieces `from` (inclusive) to `to` (exclusive) of the page's texts. */
  texts: PageTexts
  from: number
  to: number
}

const NOT_TEXT = new Set(['script', 'style', 'noscript', 'template'])

/**
 * All texts of a page in one array, so that the text of an element is a range of it. Reading a range costs what is read,
 * however many empty elements are in between.
 */
export class PageTexts {
  readonly #pieces: string[] = []
  /** From the marker before a hidden element to the piece after it. */
  readonly #jumps = new Map<number, number>()

  /** Collects all texts of a page and sets the range of every element. */
  read(root: Element): void {
    this.#readElement(root)
    // In reverse order, so that consecutive hidden elements are skipped in one jump.
    for (const [from, to] of [...this.#jumps].reverse()) this.#jumps.set(from, this.#jumps.get(to) ?? to)
  }

  #readElement(element: Element): void {
    const pieces = this.#pieces
    element.from = pieces.length
    for (const child of element.children) {
      if (typeof child === 'string') pieces.push(child)
      else if (NOT_TEXT.has(child.tag)) this.#readHidden(child)
      else {
        if (child.tag === 'br') pieces.push(' ')
        this.#readElement(child)
      }
      if (typeof child !== 'string') element.last = child.last
    }
    element.to = pieces.length
  }

  #readHidden(element: Element): void {
    const mark = this.#pieces.push('') - 1
    this.#readElement(element)
    if (element.from === element.to) this.#pieces.pop()
    else this.#jumps.set(mark, element.to)
  }

  /** The joined pieces of a range, up to the piece that exceeds `limit` characters. */
  between(from: number, to: number, limit: number): string {
    let text = ''
    for (let at = from; at < to && text.length <= limit; ) {
      const jump = this.#jumps.get(at)
      // A piece may be as long as the page, and every ancestor reads it.
      if (jump === undefined) text += (this.#pieces[at] as string).slice(0, limit * 4 - text.length + 1)
      at = jump ?? at + 1
    }
    return cutText(text, limit * 4)
  }
}

/** Visits every element in `from` in document order; `enter` returns false to skip an element's descendants. */
export function walkElements(from: Element, enter: (element: Element) => boolean | undefined): void {
  for (const child of from.children) {
    if (typeof child !== 'string' && enter(child) !== false) walkElements(child, enter)
  }
}

/** The first descendant in document order that is accepted. */
export function findElement(root: Element, accept: (element: Element) => boolean): Element | null {
  let found: Element | null = null
  walkElements(root, (element) => {
    if (!found && accept(element)) found = element
    return found === null
  })
  return found
}

/** The text of an element with whitespace collapsed, at most `limit` characters. */
export function elementText(element: Element, limit = 2_000): string {
  return cutText(collapseWhitespace(element.texts.between(element.from, element.to, limit)), limit)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|[\u200b\u00ad]/u

export function collapseWhitespace(text: string): string {
  // Most texts need no change, and testing is cheaper than copying.
  if (!UNTIDY.test(text)) return text
  // Zero-width spaces and soft hyphens mark possible line breaks inside a word.
  return text
    .replaceAll(/[\u200b\u00ad]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
