/** The queue takes the highest priority first, in 32 bits: seconds since then, counted downwards, last until 2094. */
const BEGINNING = Date.UTC(2026, 0, 1) / 1000
/** A job is put back by so many seconds at most, so that a large workspace gets on even where small ones fill every worker. */
const FURTHEST = 86_400

/**
 * Where new jobs stand in their queue. The first job of a workspace stands at its own time, and each further one a second behind
 * the one before: so a workspace with ten thousand jobs and one with a single job take turns, and where nobody else has jobs
 * the order is the one they came in. Each process remembers what it has given out; this is about order alone, and nothing
 * is lost when it forgets.
 */
export class FairPriorities {
  readonly #last = new Map<string, number>()

  /** The priorities of so many new jobs of a workspace, which may begin after so many seconds. */
  take(queue: string, workspaceId: string, count: number, startAfter = 0): number[] {
    const now = Math.floor(Date.now() / 1000)
    this.#forget(now)
    const key = `${queue} ${workspaceId}`
    let place = this.#last.get(key) ?? 0
    const places = Array.from({ length: count }, () => {
      place = Math.min(Math.max(now + startAfter, place + 1), now + FURTHEST)
      return BEGINNING - place
    })
    this.#last.set(key, place)
    return places
  }

  /** What lies in the past says nothing any more. */
  #forget(now: number): void {
    if (this.#last.size < 10_000) return
    for (const [key, place] of this.#last) if (place < now) this.#last.delete(key)
  }
}
