import { cutText } from '../text/storable.ts'

/** One element of a page's DOM; children are elements and text, in order. */
export type Element = {
  tag: string
  attrs: Record<string, string>
  children: (Element | string)[]
  parent: Element | null
  /** Its place in document order, and that of the last element in it. */
  number: number
  last: number
  /** The text in it: the pieces `from` up to, not including, `to` of the page's texts. */
  texts: PageTexts
  from: number
  to: number
}

const NOT_TEXT = new Set(['script', 'style', 'noscript', 'template'])

/**
 * All texts of a page in one row, so that the text of an element is a range of it: reading it costs what is read,
 * however many empty elements stand between, and however many elements around it are asked for their text.
 */
export class PageTexts {
  readonly #pieces: string[] = []
  /** From the mark before an element that is no text to what follows it. */
  readonly #jumps = new Map<number, number>()

  /** Takes all texts under the root of a page, and notes for every element which are its own. */
  read(root: Element): void {
    this.#readElement(root)
    // Backwards, so that elements that follow each other are passed over in one jump.
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

  /** The pieces of a range joined, up to the one with which they are more than `limit` characters. */
  between(from: number, to: number, limit: number): string {
    let text = ''
    for (let at = from; at < to && text.length <= limit; ) {
      const jump = this.#jumps.get(at)
      // A piece may be as long as the page, and is asked for by everything around it.
      if (jump === undefined) text += (this.#pieces[at] as string).slice(0, limit * 4 - text.length + 1)
      at = jump ?? at + 1
    }
    return cutText(text, limit * 4)
  }
}

/** Every element under `from` in document order; `enter` returns false to pass over one with all it holds. */
export function walkElements(from: Element, enter: (element: Element) => boolean | undefined): void {
  for (const child of from.children) {
    if (typeof child !== 'string' && enter(child) !== false) walkElements(child, enter)
  }
}

/** The first element below another that is accepted, in document order. */
export function findElement(root: Element, accept: (element: Element) => boolean): Element | null {
  let found: Element | null = null
  walkElements(root, (element) => {
    if (!found && accept(element)) found = element
    return found === null
  })
  return found
}

/** All text under an element with blanks folded, at most `limit` characters of it. */
export function elementText(element: Element, limit = 2_000): string {
  return cutText(collapseWhitespace(element.texts.between(element.from, element.to, limit)), limit)
}

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|[\u200b\u00ad]/u

export function collapseWhitespace(text: string): string {
  // most texts are in order already, and looking costs less than copying
  if (!UNTIDY.test(text)) return text
  // Where a word may be broken is no blank in it.
  return text
    .replaceAll(/[\u200b\u00ad]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
