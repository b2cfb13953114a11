import { setTimeout as sleep } from 'node:timers/promises'

/** Work that goes on in this process after whoever asked for it was answered. A stop waits for it. */
export class Background {
  readonly #running = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()

  /** Does some work; its signal aborts when the process must stop: end soon. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = work(this.#stopping.signal)
    this.#running.add(running)
    const forget = () => this.#running.delete(running)
    running.then(forget, forget)
    return running
  }

  /** Lets it finish within the time, and lets the rest be given back then. */
  async stop(timeoutSeconds: number): Promise<void> {
    const timer = new AbortController()
    const late = sleep(timeoutSeconds * 1000, undefined, timer).then(
      () => this.#stopping.abort(new Error('the service stops')),
      () => {},
    )
    while (this.#running.size > 0) await Promise.allSettled([...this.#running])
    timer.abort()
    await late
  }
}
