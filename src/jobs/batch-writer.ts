type Options = {
  /** Written at once when there are so many. */
  size: number
  /** And after so long in any case: what is not written yet is done again after a kill. */
  everyMs: number
}

/** Writes what many produce in batches, one write at a time. After a write that failed nothing more is taken. */
export class BatchWriter<T> {
  readonly #write: (batch: T[]) => Promise<void>
  readonly #size: number
  readonly #timer: NodeJS.Timeout
  #batch: T[] = []
  #writing: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(write: (batch: T[]) => Promise<void>, { size, everyMs }: Options) {
    this.#write = write
    this.#size = size
    this.#timer = setInterval(() => this.#flush(), everyMs)
  }

  /** Throws what made an earlier write fail. */
  add(item: T): void {
    if (this.#failure) throw this.#failure
    this.#batch.push(item)
    if (this.#batch.length >= this.#size) this.#flush()
  }

  /** Waits until all is written; nothing can be added afterwards. Throws what made a write fail. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#flush()
    await this.#writing
    if (this.#failure) throw this.#failure
  }

  #flush(): void {
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    this.#writing = this.#writing
      .then(() => (this.#failure ? undefined : this.#write(batch)))
      .catch((error) => {
        this.#failure ??= error
      })
  }
}
