import { type Element, elementText, walkElements } from './element.ts'

/** An index of a page's headings by position, so that finding the headings in an element does not walk the element. */
export class Headings {
  /** By rank, h1 to h6. */
  readonly #places: number[][] = [[], [], [], [], [], []]
  readonly #withText: { place: number; text: string }[] = []

  constructor(root: Element) {
    walkElements(root, (element) => {
      const rank = rankOf(element)
      if (rank === null) return undefined
      this.#places[rank]?.push(element.number)
      const text = elementText(element, 300)
      if (text) this.#withText.push({ place: element.number, text })
      return undefined
    })
  }

  /** The text of the first non-empty heading in an element. */
  firstIn({ number, last }: Element): string | null {
    const first = this.#withText[firstAfter(this.#withText, number, ({ place }) => place)]
    return first && first.place <= last ? first.text : null
  }

  /** The number of headings in an element with the rank of the given heading or a higher one. */
  peersIn({ number, last }: Element, heading: Element): number {
    let peers = 0
    for (const places of this.#places.slice(0, (rankOf(heading) ?? 0) + 1)) {
      peers += firstAfter(places, last, (place) => place) - firstAfter(places, number, (place) => place)
    }
    return peers
  }
}

/** 0 for h1 to 5 for h6. */
function rankOf({ tag }: Element): number | null {
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) - 1 : null
}

/** The index of the first sorted item whose place is greater, by binary search. */
function firstAfter<T>(items: readonly T[], place: number, placeOf: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (placeOf(items[middle] as T) <= place) low = middle + 1
    else high = middle
  }
  return low
}
