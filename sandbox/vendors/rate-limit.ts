/** Counts calls over a rolling window. */
export class RollingWindow {
  readonly #times: number[] = []
  readonly calls: number
  readonly ms: number

  constructor(calls: number, ms: number) {
    this.calls = calls
    this.ms = ms
  }

  /** Takes a call; null when there are too many. Answers how many are left. */
  take(now: number): number | null {
    while (this.#times.length > 0 && (this.#times[0] as number) <= now - this.ms) this.#times.shift()
    if (this.#times.length >= this.calls) return null
    this.#times.push(now)
    return this.calls - this.#times.length
  }
}
