/** Places of which there are so many, for one caller and in all. */
export class ConcurrencyQuota {
  readonly #each: number
  readonly #all: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor({ each, all }: { each: number; all: number }) {
    this.#each = each
    this.#all = all
  }

  /** Answers how to give the places back, which may be called again; null when there are not so many left. */
  acquire(caller: string, count = 1): (() => void) | null {
    const taken = this.#taken.get(caller) ?? 0
    if (taken + count > this.#each || this.#total + count > this.#all) return null
    this.#taken.set(caller, taken + count)
    this.#total += count
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#total -= count
      const left = (this.#taken.get(caller) ?? count) - count
      if (left > 0) this.#taken.set(caller, left)
      else this.#taken.delete(caller)
    }
  }
}
