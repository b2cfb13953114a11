/**
 * Measures how long this thread blocks the event loop, in milliseconds of its CPU time: on a busy machine a thread
 * waits for a core, which does not count. A stretch is the work between two ticks of a timer.
 */
export class StallWatch {
  #longest = 0
  #last = process.threadCpuUsage()
  readonly #timer = setInterval(() => this.#tick(), 5)

  #tick(): void {
    const { user, system } = process.threadCpuUsage(this.#last)
    this.#longest = Math.max(this.#longest, (user + system) / 1000)
    this.#last = process.threadCpuUsage()
  }

  /** The longest stretch since the last call. */
  longest(): number {
    this.#tick()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
