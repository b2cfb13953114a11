import type { Element } from './element.ts'

/** A start tag closes open elements of its list, unless a boundary element is between them. */
const ENDS = new Map<string, readonly string[]>([
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['tr', ['tr', 'td', 'th']],
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tbody', ['tr', 'td', 'th', 'thead', 'tbody']],
  ['option', ['option']],
])
const ENDED = new Set([...ENDS.values()].flat())
const BOUNDARY = new Set('table ul ol dl body html select section article div main template'.split(' '))
const CLOSES_P = new Set(
  'address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)

/**
 * The stack of open elements while a page is parsed. Counts per tag avoid searching the whole stack, because a page may have
 * a million tags below two hundred open elements.
 */
export class OpenElements {
  current: Element
  depth = 0
  readonly #count = new Map<string, number>()
  /** Per open boundary element, and for the root, the open elements that a start tag can close, by tag, outermost first. */
  readonly #scopes: Map<string, Element[]>[] = [new Map()]

  constructor(root: Element) {
    this.current = root
  }

  enter(element: Element): void {
    const { tag } = element
    this.current = element
    this.depth++
    this.#count.set(tag, (this.#count.get(tag) ?? 0) + 1)
    if (BOUNDARY.has(tag)) this.#scopes.push(new Map())
    if (!ENDED.has(tag)) return
    const scope = this.#scopes.at(-1)
    const open = scope?.get(tag)
    if (open) open.push(element)
    else scope?.set(tag, [element])
  }

  /** Closes the elements that a start tag implicitly closes. */
  endBefore(tag: string): void {
    const names = ENDS.get(tag)
    if (names) {
      const scope = this.#scopes.at(-1)
      let outermost = names.length === 1 ? scope?.get(tag)?.at(-1) : undefined
      for (const name of outermost ? [] : names) {
        const first = scope?.get(name)?.[0]
        if (first && (!outermost || first.number < outermost.number)) outermost = first
      }
      this.#leave(outermost)
    } else if (CLOSES_P.has(tag) && this.current.tag === 'p') {
      this.#leave(this.current)
    }
  }

  /** Closes the innermost open `tag` and its descendants; does nothing when none is open. */
  close(tag: string): void {
    if (!this.#count.get(tag)) return
    let at: Element | null = this.current
    while (at && at.tag !== tag) at = at.parent
    this.#leave(at ?? undefined)
  }

  #leave(element: Element | undefined): void {
    if (!element) return
    while (this.current.parent) {
      const left = this.current
      this.current = this.current.parent
      this.depth--
      this.#count.set(left.tag, (this.#count.get(left.tag) as number) - 1)
      if (BOUNDARY.has(left.tag)) this.#scopes.pop()
      else if (ENDED.has(left.tag)) this.#scopes.at(-1)?.get(left.tag)?.pop()
      if (left === element) return
    }
  }
}
