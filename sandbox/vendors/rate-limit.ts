/** Counts requests in a rolling window. */
export class RollingWindow {
  readonly #times: number[] = []
  readonly calls: number
  readonly ms: number

  constructor(calls: number, ms: number) {
    this.calls = calls
    this.ms = ms
  }

  /** Counts a request and returns how many are left; null when the limit is exceeded. */
  take(now: number): number | null {
    while (this.#times.length > 0 && (this.#times[0] as number) <= now - this.ms) this.#times.shift()
    if (this.#times.length >= this.calls) return null
    this.#times.push(now)
    return this.calls - this.#times.length
  }
}
