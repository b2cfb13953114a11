/** Documents of one place that may be given up before its others are not tried any more. */
const MOST = 3
/** After this long without another it is tried again. */
const KEEP_MS = 10 * 60_000
const MAX_PLACES = 10_000

/** Remembers where documents came from that were too much: a site made to hurt has many of them. */
export class Strikes {
  readonly #places = new Map<string, { count: number; until: number }>()

  add(from: string): void {
    const count = this.#countOf(from) + 1
    this.#places.delete(from)
    this.#places.set(from, { count, until: performance.now() + KEEP_MS })
    const [oldest] = this.#places.keys()
    if (this.#places.size > MAX_PLACES && oldest !== undefined) this.#places.delete(oldest)
  }

  isOut(from: string): boolean {
    return this.#countOf(from) >= MOST
  }

  #countOf(from: string): number {
    const known = this.#places.get(from)
    return known && performance.now() < known.until ? known.count : 0
  }
}
