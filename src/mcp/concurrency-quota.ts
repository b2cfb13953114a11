/** Limits concurrent work, per caller and in total. */
export class ConcurrencyQuota {
  readonly #perCaller: number
  readonly #total: number
  readonly #usedBy = new Map<string, number>()
  #used = 0

  constructor({ perCaller, total }: { perCaller: number; total: number }) {
    this.#perCaller = perCaller
    this.#total = total
  }

  /** Takes slots and returns the function that releases them, which may be called twice; null when too few are free. */
  acquire(caller: string, count = 1): (() => void) | null {
    const used = this.#usedBy.get(caller) ?? 0
    if (used + count > this.#perCaller || this.#used + count > this.#total) return null
    this.#usedBy.set(caller, used + count)
    this.#used += count
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#used -= count
      const left = (this.#usedBy.get(caller) ?? count) - count
      if (left > 0) this.#usedBy.set(caller, left)
      else this.#usedBy.delete(caller)
    }
  }
}
