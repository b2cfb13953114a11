/** Documents of one place that may be given up before its others are not tried any more. */
const MAX_FAILURES = 3
/** After this long without another it is tried again. */
const RESET_MS = 10 * 60_000
const MAX_KEYS = 10_000

/** Remembers where documents came from that were too much: a site made to hurt has many of them. */
export class CircuitBreaker {
  readonly #places = new Map<string, { count: number; until: number }>()

  recordFailure(from: string): void {
    const count = this.#countOf(from) + 1
    this.#places.delete(from)
    this.#places.set(from, { count, until: performance.now() + RESET_MS })
    const [oldest] = this.#places.keys()
    if (this.#places.size > MAX_KEYS && oldest !== undefined) this.#places.delete(oldest)
  }

  isOpen(from: string): boolean {
    return this.#countOf(from) >= MAX_FAILURES
  }

  #countOf(from: string): number {
    const known = this.#places.get(from)
    return known && performance.now() < known.until ? known.count : 0
  }
}
