type Options = {
  /** Number of items that triggers a write. */
  size: number
  /** Maximum time before a write, which bounds the work that is repeated after a crash. */
  everyMs: number
}

/**
 * Writes items of several producers in batches, one write at a time: items added during a write form the next batch. `add`
 * waits while two batches are full, which bounds the unwritten items. After a failed write, `add` throws.
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

  /** Throws the error of an earlier write. */
  add(item: T): Promise<void> | undefined {
    if (this.#failure) throw this.#failure
    this.#batch.push(item)
    if (this.#batch.length < this.#size) return undefined
    if (this.#writing) return this.#writing
    this.#flush()
    return undefined
  }

  /** Waits until all items are written; nothing can be added afterwards. Throws the error of a failed write. */
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
