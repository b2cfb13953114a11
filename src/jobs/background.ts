import { setTimeout as sleep } from 'node:timers/promises'

/** Work that continues in this process after its response was sent. Shutdown waits for it. */
export class BackgroundTasks {
  readonly #running = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()

  /** Runs work; its signal aborts when the process must stop. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = work(this.#stopping.signal)
    this.#running.add(running)
    const forget = () => this.#running.delete(running)
    running.then(forget, forget)
    return running
  }

  /** Waits for running work until the timeout, then aborts the rest. */
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
