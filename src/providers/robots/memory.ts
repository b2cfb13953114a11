import type { Robots, RobotsFile } from '../../engine/robots/rules.ts'

/** RFC 9309: no longer than a day, whatever the answer says. */
const MAX_KEEP_MS = 24 * 3_600_000
/** A visit to a site asks once, whatever the answer says. */
const MIN_KEEP_MS = 3_600_000
/** What could not be had is asked for again soon. */
const KEEP_FAILED_MS = 60_000
/** In the memory of the process; what is forgotten here is found in the database. */
const MAX_ORIGINS = 1_000
/** Characters of rules that are kept over all origins; a rule takes about ten times its length. */
const MAX_CHARS = 1_000_000
/** Answers of the store that wait for their use: what a sweep claims at once, and the claim before it. */
const MAX_RECALLED = 4_000

/** What was found at an origin, and what is needed to ask whether it still holds. */
export type FoundRobots = {
  file: RobotsFile | null
  etag: string | null
  last_modified: string | null
  /** ISO 8601. */
  fresh_until: string
}

/** Where every process finds what one of them found. It fails silently: whoever asks then asks the site. */
export type RobotsStore = {
  find: (origins: readonly string[]) => Promise<Map<string, FoundRobots>>
  /** Soon, together with others. */
  save: (origin: string, found: FoundRobots) => void
}

/** `until` in milliseconds since 1970; null for what could not be had. */
export type AskedRobots = { robots: Robots; chars: number; until: number | null }
type Kept = { asked: Promise<AskedRobots>; until: number; chars: number }

/** How long a robots.txt counts, by what its answer says of itself. */
export function keptUntil(freshSeconds: number | null, now: Date): Date {
  const ms = Math.min(Math.max((freshSeconds ?? Number.POSITIVE_INFINITY) * 1000, MIN_KEEP_MS), MAX_KEEP_MS)
  return new Date(now.getTime() + ms)
}

/** Whether a time that was written holds; one beyond what is ever written is that of a clock that was wrong. */
export function isKept(until: string, now: Date): boolean {
  const left = Date.parse(until) - now.getTime()
  return left > 0 && left <= MAX_KEEP_MS
}

/** What is known about origins; the oldest is forgotten when there is too much. */
export class RobotsMemory {
  readonly #kept = new Map<string, Kept>()
  readonly #recalled = new Map<string, FoundRobots | null>()
  readonly #store: RobotsStore | null
  readonly #maxChars: number
  #chars = 0

  constructor(store: RobotsStore | null = null, maxChars = MAX_CHARS) {
    this.#store = store
    this.#maxChars = maxChars
  }

  get size(): number {
    return this.#kept.size
  }

  find(origin: string, now: Date): Kept | null {
    const known = this.#kept.get(origin)
    if (known && now.getTime() < known.until) return known
    this.#forget(origin)
    return null
  }

  /** Keeps a question, so that others who ask the same wait for one answer. Throws what asking throws. */
  async keep(origin: string, asking: Promise<AskedRobots>, now: Date): Promise<Robots> {
    const kept: Kept = { asked: asking, until: now.getTime() + MAX_KEEP_MS, chars: 0 }
    this.#forget(origin)
    this.#kept.set(origin, kept)
    try {
      const { robots, chars, until } = await asking
      kept.until = until ?? now.getTime() + KEEP_FAILED_MS
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

  /** Has at hand what was found at these origins before, with one question to the store for all of them. */
  async recall(origins: readonly string[]): Promise<void> {
    const wanted = [...new Set(origins)].filter((origin) => !this.#kept.has(origin) && !this.#recalled.has(origin))
    const found = wanted.length > 0 ? await this.#store?.find(wanted) : undefined
    for (const origin of wanted) this.#recalled.set(origin, found?.get(origin) ?? null)
    for (const origin of this.#recalled.keys()) {
      if (this.#recalled.size <= MAX_RECALLED) return
      this.#recalled.delete(origin)
    }
  }

  /** What was found at an origin before, by whichever process; it may hold no more. */
  async before(origin: string): Promise<FoundRobots | null> {
    await this.recall([origin])
    const found = this.#recalled.get(origin) ?? null
    this.#recalled.delete(origin)
    return found
  }

  save(origin: string, found: FoundRobots): void {
    this.#store?.save(origin, found)
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
