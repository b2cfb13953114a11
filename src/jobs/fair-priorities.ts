/** pg-boss runs the highest 32-bit priority first: seconds since this time, negated, last until 2094. */
const EPOCH = Date.UTC(2026, 0, 1) / 1000
/** Maximum delay in priority, in seconds, so that a large workspace progresses even when small ones occupy every worker. */
const MAX_DELAY = 86_400

/**
 * Priorities of new jobs, for fair scheduling between workspaces. The first job of a workspace gets its enqueue time, each
 * further one a second more than the one before: a workspace with one job does not wait for another's ten thousand, and
 * jobs of a single workspace keep their order. State is per process and affects only the order, so losing it is harmless.
 */
export class FairPriorities {
  readonly #last = new Map<string, number>()

  /** The priorities of `count` new jobs of a workspace, which may start after `startAfter` seconds. */
  take(queue: string, workspaceId: string, count: number, startAfter = 0): number[] {
    const now = Math.floor(Date.now() / 1000)
    this.#forget(now)
    const key = `${queue} ${workspaceId}`
    let time = this.#last.get(key) ?? 0
    const priorities = Array.from({ length: count }, () => {
      time = Math.min(Math.max(now + startAfter, time + 1), now + MAX_DELAY)
      return EPOCH - time
    })
    this.#last.set(key, time)
    return priorities
  }

  /** Deletes entries in the past, which no longer affect priorities. */
  #forget(now: number): void {
    if (this.#last.size < 10_000) return
    for (const [key, time] of this.#last) if (time < now) this.#last.delete(key)
  }
}
