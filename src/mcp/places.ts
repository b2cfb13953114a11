/** Places of which there are so many, for one caller and in all. */
export class Places {
  readonly #each: number
  readonly #all: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor({ each, all }: { each: number; all: number }) {
    this.#each = each
    this.#all = all
  }

  /** Answers how to give the place back, which may be called again; null when none is left. */
  take(caller: string): (() => void) | null {
    const taken = this.#taken.get(caller) ?? 0
    if (taken >= this.#each || this.#total >= this.#all) return null
    this.#taken.set(caller, taken + 1)
    this.#total++
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#total--
      const left = (this.#taken.get(caller) ?? 1) - 1
      if (left > 0) this.#taken.set(caller, left)
      else this.#taken.delete(caller)
    }
  }
}
