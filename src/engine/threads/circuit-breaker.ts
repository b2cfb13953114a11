/** Documents of one key that may exceed a limit before the breaker opens. */
const MAX_FAILURES = 3
/** The breaker closes again after this long without another failure. */
const RESET_MS = 10 * 60_000
const MAX_KEYS = 10_000

/** Counts documents that exceeded a limit, by key: a hostile site has many of them. */
export class CircuitBreaker {
  readonly #failures = new Map<string, { count: number; until: number }>()

  recordFailure(key: string): void {
    const count = this.#countOf(key) + 1
    this.#failures.delete(key)
    this.#failures.set(key, { count, until: performance.now() + RESET_MS })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_KEYS && oldest !== undefined) this.#failures.delete(oldest)
  }

  isOpen(key: string): boolean {
    return this.#countOf(key) >= MAX_FAILURES
  }

  #countOf(key: string): number {
    const known = this.#failures.get(key)
    return known && performance.now() < known.until ? known.count : 0
  }
}
