/** What waits, by the place it is from. Places take turns, so that one with much waiting keeps none of the others out. */
export class FairQueue<T> {
  readonly #places = new Map<string, T[]>()

  add(from: string, one: T): void {
    const waiting = this.#places.get(from)
    if (waiting) waiting.push(one)
    else this.#places.set(from, [one])
  }

  /** Before all others: it has had its turn. */
  putBack(from: string, one: T): void {
    const waiting = this.#places.get(from) ?? []
    const others = [...this.#places].filter(([place]) => place !== from)
    this.#places.clear()
    this.#places.set(from, [one, ...waiting])
    for (const [place, list] of others) this.#places.set(place, list)
  }

  /** The next of the place whose turn it is, passing over those that are held and those whose next does not fit. */
  next(held: ReadonlySet<string>, fits: (one: T) => boolean): T | undefined {
    for (const [from, waiting] of this.#places) {
      const [one] = waiting
      if (held.has(from) || one === undefined || !fits(one)) continue
      waiting.shift()
      this.#places.delete(from)
      if (waiting.length > 0) this.#places.set(from, waiting)
      return one
    }
    return undefined
  }

  clear(): T[] {
    const all = [...this.#places.values()].flat()
    this.#places.clear()
    return all
  }
}
