import { AppError } from '../shared/errors.ts'

/** Wrong keys one address may try at once, and in each minute after that. */
const PER_MINUTE = 30
const REFILL_MS = 60_000 / PER_MINUTE
/** Addresses and known callers that are remembered; the oldest are forgotten, so nobody fills the memory. */
const MAX_REMEMBERED = 10_000

type Bucket = { left: number; at: number }

/** Looks at a secret that may be a guess. Throws rate_limited after too many wrong ones. */
export type AuthAttempt = <T>(secret: string, isGuessable: boolean, find: () => Promise<T | null>) => Promise<T | null>

/**
 * Slows down whoever guesses keys, tokens or states: each address has a bucket of wrong guesses that fills up again. Who
 * has a valid key is not locked out by a neighbour behind the same address (docs/decisions/0016).
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
   * Looks at a secret, and counts it where it is wrong. One that somebody may have chosen is not looked at while its address has
   * no guess left, unless it was right from there before. Throws rate_limited.
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

  /** The same for a secret that is known to be right. Throws rate_limited. */
  pass(client: string, secret: string): void {
    this.#allow(client, secret)
    this.right(client, secret)
  }

  #allow(client: string, secret: string): void {
    const seconds = this.knows(client, secret) ? 0 : this.wait(client)
    if (seconds > 0) throw tooMany(seconds)
  }

  /** A key that was right from this address: it is looked at whatever others there guess. */
  right(client: string, key: string): void {
    remember(this.#known, `${client} ${key}`).add(`${client} ${key}`)
  }

  knows(client: string, key: string): boolean {
    return this.#known.has(`${client} ${key}`)
  }
}

function tooMany(seconds: number): AppError {
  const message = `Too many wrong keys came from your address. Wait ${seconds} seconds.`
  return new AppError('rate_limited', message, { retryAfter: seconds })
}

function refill(bucket: Bucket, now: number): void {
  bucket.left = Math.min(PER_MINUTE, bucket.left + Math.max(0, now - bucket.at) / REFILL_MS)
  bucket.at = now
}

/** Makes room for one more, and for this one at the end: what was used last is forgotten last. */
function remember<T extends Map<string, unknown> | Set<string>>(memory: T, name: string): T {
  memory.delete(name)
  const [oldest] = memory.size >= MAX_REMEMBERED ? memory.keys() : []
  if (oldest !== undefined) memory.delete(oldest)
  return memory
}
