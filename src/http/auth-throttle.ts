import { AppError } from '../shared/errors.ts'

/** Wrong keys that one address may try in a burst, and per minute after that. */
const PER_MINUTE = 30
const REFILL_MS = 60_000 / PER_MINUTE
/** Maximum number of addresses and known callers in memory; the oldest are evicted. */
const MAX_REMEMBERED = 10_000

type Bucket = { left: number; at: number }

/** Checks a secret that may be a guess. Throws rate_limited after too many wrong ones. */
export type AuthAttempt = <T>(secret: string, isGuessable: boolean, find: () => Promise<T | null>) => Promise<T | null>

/**
 * Throttles guessing of keys, tokens and states: each address has a token bucket of wrong guesses. A caller with a valid key
 * is not locked out by others behind the same address (docs/decisions/0016).
 */
export class AuthThrottle {
  readonly #buckets = new Map<string, Bucket>()
  readonly #known = new Set<string>()

  /** Seconds until this address may guess again; 0 while it may. */
  wait(client: string, now = Date.now()): number {
    const bucket = this.#buckets.get(client)
    if (!bucket) return 0
    refill(bucket, now)
    return bucket.left >= 1 ? 0 : Math.ceil(((1 - bucket.left) * REFILL_MS) / 1000)
  }

  /** Counts a wrong guess. Throws rate_limited when there were too many before it. */
  wrong(client: string, now = Date.now()): void {
    const seconds = this.wait(client, now)
    if (seconds > 0) throw tooMany(seconds)
    const bucket = this.#buckets.get(client) ?? { left: PER_MINUTE, at: now }
    bucket.left--
    remember(this.#buckets, client).set(client, bucket)
  }

  /**
   * Checks a secret and counts a wrong one. A guessable secret is not checked while its address has no guess left, unless it
   * was valid from there before. Throws rate_limited.
   */
  async attempt<T>(
    client: string,
    secret: string,
    isGuessable: boolean,
    find: () => Promise<T | null>,
  ): Promise<T | null> {
    if (isGuessable) this.#allow(client, secret)
    const found = await find()
    if (found === null) this.wrong(client)
    else if (isGuessable) this.right(client, secret)
    return found
  }

  /** The same for a secret that is known to be valid. Throws rate_limited. */
  pass(client: string, secret: string): void {
    this.#allow(client, secret)
    this.right(client, secret)
  }

  #allow(client: string, secret: string): void {
    const seconds = this.knows(client, secret) ? 0 : this.wait(client)
    if (seconds > 0) throw tooMany(seconds)
  }

  /** Records a key that was valid from this address: it is checked even after wrong guesses from there. */
  right(client: string, key: string): void {
    remember(this.#known, `${client} ${key}`).add(`${client} ${key}`)
  }

  knows(client: string, key: string): boolean {
    return this.#known.has(`${client} ${key}`)
  }
}

function tooMany(seconds: number): AppError {
  const message = `Too many wrong keys were sent from your address. Wait ${seconds} seconds.`
  return new AppError('rate_limited', message, { retryAfter: seconds })
}

function refill(bucket: Bucket, now: number): void {
  bucket.left = Math.min(PER_MINUTE, bucket.left + Math.max(0, now - bucket.at) / REFILL_MS)
  bucket.at = now
}

/** Evicts the least recently used entry when full, and moves this one to the end. */
function remember<T extends Map<string, unknown> | Set<string>>(memory: T, name: string): T {
  memory.delete(name)
  const [oldest] = memory.size >= MAX_REMEMBERED ? memory.keys() : []
  if (oldest !== undefined) memory.delete(oldest)
  return memory
}
