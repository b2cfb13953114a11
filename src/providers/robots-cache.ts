import type { Robots, RobotsFile } from '../engine/robots/rules.ts'

/** RFC 9309: cache a robots.txt for at most a day, whatever its headers say. */
const MAX_AGE_MS = 24 * 3_600_000
/** Limits requests to one per visit of a site, whatever the headers say. */
const MIN_AGE_MS = 3_600_000
/** A failed request is retried soon. */
const FAILED_AGE_MS = 60_000
/** Limit of the in-memory cache; evicted entries remain in the database. */
const MAX_ORIGINS = 1_000
/** Total characters of rules in memory, over all origins; a compiled rule takes about ten times its length. */
const MAX_CHARS = 1_000_000
/** Records preloaded from the store: those of the batch a sweep claims and of the batch before it. */
const MAX_PRELOADED = 4_000

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
type CacheEntry = { loading: Promise<LoadedRobots>; until: number; chars: number }

/** When a robots.txt expires, according to its cache headers. */
export function robotsExpiry(freshSeconds: number | null, now: Date): Date {
  const ms = Math.min(Math.max((freshSeconds ?? Number.POSITIVE_INFINITY) * 1000, MIN_AGE_MS), MAX_AGE_MS)
  return new Date(now.getTime() + ms)
}

/** Whether a stored expiry is in the future; one beyond the maximum was written with a wrong clock and is ignored. */
export function isUnexpired(until: string, now: Date): boolean {
  const left = Date.parse(until) - now.getTime()
  return left > 0 && left <= MAX_AGE_MS
}

/** Caches robots.txt rules by origin; evicts the oldest entries. */
export class RobotsCache {
  readonly #entries = new Map<string, CacheEntry>()
  readonly #preloaded = new Map<string, RobotsRecord | null>()
  readonly #store: RobotsStore | null
  readonly #maxChars: number
  #chars = 0

  constructor(store: RobotsStore | null = null, maxChars = MAX_CHARS) {
    this.#store = store
    this.#maxChars = maxChars
  }

  get size(): number {
    return this.#entries.size
  }

  get(origin: string, now: Date): CacheEntry | null {
    const known = this.#entries.get(origin)
    if (known && now.getTime() < known.until) return known
    this.#remove(origin)
    return null
  }

  /** Caches a pending request, so that concurrent callers share it. Throws what the request throws. */
  async set(origin: string, loading: Promise<LoadedRobots>, now: Date): Promise<Robots> {
    const kept: CacheEntry = { loading, until: now.getTime() + MAX_AGE_MS, chars: 0 }
    this.#remove(origin)
    this.#entries.set(origin, kept)
    try {
      const { robots, chars, until } = await loading
      kept.until = until ?? now.getTime() + FAILED_AGE_MS
      if (this.#entries.get(origin) === kept) {
        kept.chars = chars
        this.#chars += chars
      }
      this.#evict()
      return robots
    } catch (error) {
      if (this.#entries.get(origin) === kept) this.#remove(origin)
      throw error
    }
  }

  /** Preloads the records of these origins with one query to the store. */
  async preload(origins: readonly string[]): Promise<void> {
    const wanted = [...new Set(origins)].filter((origin) => !this.#entries.has(origin) && !this.#preloaded.has(origin))
    const found = wanted.length > 0 ? await this.#store?.find(wanted) : undefined
    for (const origin of wanted) this.#preloaded.set(origin, found?.get(origin) ?? null)
    for (const origin of this.#preloaded.keys()) {
      if (this.#preloaded.size <= MAX_PRELOADED) return
      this.#preloaded.delete(origin)
    }
  }

  /** The record of an origin that any process stored before; it may have expired. */
  async takeStored(origin: string): Promise<RobotsRecord | null> {
    await this.preload([origin])
    const found = this.#preloaded.get(origin) ?? null
    this.#preloaded.delete(origin)
    return found
  }

  save(origin: string, found: RobotsRecord): void {
    this.#store?.save(origin, found)
  }

  #remove(origin: string): void {
    this.#chars -= this.#entries.get(origin)?.chars ?? 0
    this.#entries.delete(origin)
  }

  #evict(): void {
    for (const origin of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ORIGINS && this.#chars <= this.#maxChars) return
      this.#remove(origin)
    }
  }
}
