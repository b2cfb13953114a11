/** Reads a stream of buffers by size. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #pending: Buffer[] = []
  #size = 0
  #ended = false

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next `size` bytes; fewer only at the end. */
  async readUpTo(size: number): Promise<Buffer> {
    await this.#fill(size)
    const all = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending, this.#size)
    const taken = all.subarray(0, size)
    this.#pending = all.length > taken.length ? [all.subarray(taken.length)] : []
    this.#size = all.length - taken.length
    return taken
  }

  async isAtEnd(): Promise<boolean> {
    await this.#fill(1)
    return this.#size === 0
  }

  async #fill(size: number): Promise<void> {
    while (this.#size < size && !this.#ended) {
      const { value, done } = await this.#source.next()
      if (done) this.#ended = true
      else {
        this.#pending.push(value)
        this.#size += value.length
      }
    }
  }
}
