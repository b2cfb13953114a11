import type { Robots } from '../../engine/robots/rules.ts'

/** RFC 9309: no longer than a day. */
const KEEP_MS = 12 * 3_600_000
/** What could not be had is asked for again soon. */
const KEEP_FAILED_MS = 60_000
const MAX_ORIGINS = 5_000
/** Characters of rules that are kept over all origins; a rule takes about ten times its length. */
const MAX_CHARS = 4_000_000

export type AskedRobots = { robots: Robots; chars: number }
type Kept = { asked: Promise<AskedRobots>; until: number; chars: number }

/** What is known about origins; the oldest is forgotten when there is too much. */
export class RobotsMemory {
  readonly #kept = new Map<string, Kept>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars = MAX_CHARS) {
    this.#maxChars = maxChars
  }

  get size(): number {
    return this.#kept.size
  }

  find(origin: string): Kept | null {
    const known = this.#kept.get(origin)
    if (known && performance.now() < known.until) return known
    this.#forget(origin)
    return null
  }

  /** Keeps a question, so that others who ask the same wait for one answer. Throws what asking throws. */
  async keep(origin: string, asking: Promise<AskedRobots>): Promise<Robots> {
    const kept: Kept = { asked: asking, until: performance.now() + KEEP_MS, chars: 0 }
    this.#forget(origin)
    this.#kept.set(origin, kept)
    try {
      const { robots, chars } = await asking
      if (!robots.known) kept.until = Math.min(kept.until, performance.now() + KEEP_FAILED_MS)
      if (this.#kept.get(origin) === kept) {
        kept.chars = chars
        this.#chars += chars
      }
      this.#sweep()
      return robots
    } catch (error) {
      if (this.#kept.get(origin) === kept) this.#forget(origin)
      throw error
    }
  }

  #forget(origin: string): void {
    this.#chars -= this.#kept.get(origin)?.chars ?? 0
    this.#kept.delete(origin)
  }

  #sweep(): void {
    for (const origin of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ORIGINS && this.#chars <= this.#maxChars) return
      this.#forget(origin)
    }
  }
}
