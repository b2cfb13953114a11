import type { Robots, RobotsFile } from '../engine/robots/rules.ts'

/** RFC 9309: cache a robots.txt for at most a day, whatever its headers say. */
const MAX_KEEP_MS = 24 * 3_600_000
/** Limits requests to one per visit of a site, whatever the headers say. */
const MIN_KEEP_MS = 3_600_000
/** A failed request is retried soon. */
const KEEP_FAILED_MS = 60_000
/** Limit of the in-memory cache; evicted entries remain in the database. */
const MAX_ORIGINS = 1_000
/** Total characters of rules in memory, over all origins; a compiled rule takes about ten times its length. */
const MAX_CHARS = 1_000_000
/** Records preloaded from the store: those of the batch a sweep claims and of the batch before it. */
const MAX_RECALLED = 4_000

/** The robots.txt of an origin, with the validators for a conditional request. */
export type RobotsRecord = {
  file: RobotsFile | null
  etag: string | null
  last_modified: string | null
  /** ISO 8601. */
  fresh_until: string
}

/** Shares records between processes. Its errors are not thrown; the robots.txt is then requested from the site. */
export type RobotsStore = {
  find: (origins: readonly string[]) => Promise<Map<string, RobotsRecord>>
  /** Writes asynchronously, in batches. */
  save: (origin: string, found: RobotsRecord) => void
}

/** `until` in milliseconds since 1970; null when the robots.txt could not be loaded. */
export type LoadedRobots = { robots: Robots; chars: number; until: number | null }
type CacheEntry = { asked: Promise<LoadedRobots>; until: number; chars: number }

/** When a robots.txt expires, according to its cache headers. */
export function robotsExpiry(freshSeconds: number | null, now: Date): Date {
  const ms = Math.min(Math.max((freshSeconds ?? Number.POSITIVE_INFINITY) * 1000, MIN_KEEP_MS), MAX_KEEP_MS)
  return new Date(now.getTime() + ms)
}

/** Whether a stored expiry is in the future; one beyond the maximum was written with a wrong clock and is ignored. */
export function isUnexpired(until: string, now: Date): boolean {
  const left = Date.parse(until) - now.getTime()
  return left > 0 && left <= MAX_KEEP_MS
}

/** Caches robots.txt rules by origin; evicts the oldest entries. */
export class RobotsCache {
  readonly #kept = new Map<string, CacheEntry>()
  readonly #recalled = new Map<string, RobotsRecord | null>()
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

  find(origin: string, now: Date): CacheEntry | null {
    const known = this.#kept.get(origin)
    if (known && now.getTime() < known.until) return known
    this.#forget(origin)
    return null
  }

  /** Caches a pending request, so that concurrent callers share it. Throws what the request throws. */
  async keep(origin: string, asking: Promise<LoadedRobots>, now: Date): Promise<Robots> {
    const kept: CacheEntry = { asked: asking, until: now.getTime() + MAX_KEEP_MS, chars: 0 }
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

  /** Preloads the records of these origins with one query to the store. */
  async recall(origins: readonly string[]): Promise<void> {
    const wanted = [...new Set(origins)].filter((origin) => !this.#kept.has(origin) && !this.#recalled.has(origin))
    const found = wanted.length > 0 ? await this.#store?.find(wanted) : undefined
    for (const origin of wanted) this.#recalled.set(origin, found?.get(origin) ?? null)
    for (const origin of this.#recalled.keys()) {
      if (this.#recalled.size <= MAX_RECALLED) return
      this.#recalled.delete(origin)
    }
  }

  /** The record of an origin that any process stored before; it may have expired. */
  async before(origin: string): Promise<RobotsRecord | null> {
    await this.recall([origin])
    const found = this.#recalled.get(origin) ?? null
    this.#recalled.delete(origin)
    return found
  }

  save(origin: string, found: RobotsRecord): void {
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
