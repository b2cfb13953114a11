import { type Element, elementText, walkElements } from './element.ts'

/** The headings of a page by their place, so that nobody has to go through an element to find those in it. */
export class Headings {
  /** By rank, h1 to h6. */
  readonly #places: number[][] = [[], [], [], [], [], []]
  readonly #said: { place: number; text: string }[] = []

  constructor(root: Element) {
    walkElements(root, (element) => {
      const rank = rankOf(element)
      if (rank === null) return undefined
      this.#places[rank]?.push(element.number)
      const text = elementText(element, 300)
      if (text) this.#said.push({ place: element.number, text })
      return undefined
    })
  }

  /** What the first heading in an element says, of those that say something. */
  firstIn({ number, last }: Element): string | null {
    const first = this.#said[firstAfter(this.#said, number, ({ place }) => place)]
    return first && first.place <= last ? first.text : null
  }

  /** How many headings of a heading's rank, or a higher one, stand in an element. */
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

/** Index of the first of the sorted items whose place is greater, by bisection. */
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
