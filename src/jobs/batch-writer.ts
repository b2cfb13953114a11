type Options = {
  /** Written at once when there are so many. */
  size: number
  /** And after so long in any case: what is not written yet is done again after a kill. */
  everyMs: number
}

/**
 * Writes what many produce in batches, one write at a time: what comes during a write is the next batch. Whoever adds waits
 * while two batches are full, so that never more is unwritten. After a write that failed nothing more is taken.
 */
export class BatchWriter<T> {
  readonly #write: (batch: T[]) => Promise<void>
  readonly #size: number
  readonly #timer: NodeJS.Timeout
  #batch: T[] = []
  #writing: Promise<void> | null = null
  #failure: unknown

  constructor(write: (batch: T[]) => Promise<void>, { size, everyMs }: Options) {
    this.#write = write
    this.#size = size
    this.#timer = setInterval(() => this.#flush(), everyMs)
  }

  /** Throws what made an earlier write fail. */
  add(item: T): Promise<void> | undefined {
    if (this.#failure) throw this.#failure
    this.#batch.push(item)
    if (this.#batch.length < this.#size) return undefined
    if (this.#writing) return this.#writing
    this.#flush()
    return undefined
  }

  /** Waits until all is written; nothing can be added afterwards. Throws what made a write fail. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    while (this.#writing || (this.#batch.length > 0 && !this.#failure)) {
      this.#flush()
      await this.#writing
    }
    if (this.#failure) throw this.#failure
  }

  #flush(): void {
    if (this.#writing || this.#batch.length === 0 || this.#failure) return
    const batch = this.#batch
    this.#batch = []
    this.#writing = this.#write(batch)
      .catch((error) => {
        this.#failure = error
      })
      .then(() => {
        this.#writing = null
        if (this.#batch.length >= this.#size) this.#flush()
      })
  }
}
