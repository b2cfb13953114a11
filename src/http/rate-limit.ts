import type { FastifyReply } from 'fastify'
import { AppError } from '../shared/errors.ts'

const WINDOW_MS = 60_000
const SWEEP_AT = 10_000
/** Maximum number of callers in memory; the oldest is evicted. */
const MAX_CALLERS = 100_000

type Window = { used: number; ends: number }

/**
 * Counts the requests of each caller in windows of a minute, per process. Sharing the count between processes would cost a
 * write per request; with n API processes behind a load balancer a key has up to n times the limit. Uses the monotonic
 * clock, so that a change of the system time cannot extend a window.
 */
export class RateLimit {
  readonly #limit: number
  readonly #policy: string
  readonly #windows = new Map<string, Window>()
  #sweepAfter = 0

  constructor(perMinute: number) {
    this.#limit = perMinute
    this.#policy = `"default";q=${perMinute};w=${WINDOW_MS / 1000}`
  }

  /** Counts one request and sets the headers. Throws rate_limited. */
  take(caller: string, reply: FastifyReply, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    window.used++
    this.#enforce(window, reply, now)
  }

  /** Rejects a caller that has no request left; counts nothing otherwise. Throws rate_limited. */
  check(caller: string, reply: FastifyReply, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    if (window.used >= this.#limit) this.take(caller, reply, now)
  }

  /** Adds or removes one request without throwing; the next `take` enforces the limit. */
  adjust(caller: string, by: 1 | -1, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    window.used = Math.max(0, window.used + by)
  }

  #windowOf(caller: string, now: number): Window {
    const known = this.#windows.get(caller)
    if (known && known.ends > now) return known
    // All windows end within a minute, so a full map is swept at most once per minute.
    if (this.#windows.size >= SWEEP_AT && now >= this.#sweepAfter) this.#sweep(now)
    const [oldest] = this.#windows.size >= MAX_CALLERS ? this.#windows.keys() : []
    if (oldest !== undefined) this.#windows.delete(oldest)
    const window = { used: 0, ends: now + WINDOW_MS }
    // Reinserted at the end, because eviction removes the first entry.
    this.#windows.delete(caller)
    this.#windows.set(caller, window)
    return window
  }

  #enforce(window: Window, reply: FastifyReply, now: number): void {
    const seconds = Math.ceil((window.ends - now) / 1000)
    reply.header('ratelimit-policy', this.#policy)
    reply.header('ratelimit', `"default";r=${Math.max(0, this.#limit - window.used)};t=${seconds}`)
    if (window.used > this.#limit) {
      const message = `More than ${this.#limit} requests in a minute. Wait ${seconds} seconds.`
      throw new AppError('rate_limited', message, { retryAfter: seconds })
    }
  }

  #sweep(now: number): void {
    this.#sweepAfter = now + WINDOW_MS
    for (const [caller, window] of this.#windows) if (window.ends <= now) this.#windows.delete(caller)
  }
}
