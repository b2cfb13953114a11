import type { FastifyReply } from 'fastify'
import { AppError } from '../shared/errors.ts'

const WINDOW_MS = 60_000
const SWEEP_AT = 10_000
/** Beyond this the oldest is forgotten, so that no number of addresses fills the memory. */
const MAX_CALLERS = 100_000

type Window = { used: number; ends: number }

/**
 * Counts requests of each caller in windows of a minute, in this process. Sharing the count between processes would
 * cost a write for every request; with n API processes behind a balancer a key has up to n times the limit. By a clock
 * that never jumps: nobody waits an hour because the machine's time was put back.
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

  /** Counts one request and writes the headers. Throws rate_limited. */
  take(caller: string, reply: FastifyReply, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    window.used++
    this.#enforce(window, reply, now)
  }

  /** Refuses a caller who has no request left, and counts nothing. Throws rate_limited. */
  check(caller: string, reply: FastifyReply, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    if (window.used >= this.#limit) this.take(caller, reply, now)
  }

  /** Counts one request more, or one less where one was counted for nothing. Refuses nobody: the next `take` does. */
  adjust(caller: string, by: 1 | -1, now = performance.now()): void {
    const window = this.#windowOf(caller, now)
    window.used = Math.max(0, window.used + by)
  }

  #windowOf(caller: string, now: number): Window {
    const known = this.#windows.get(caller)
    if (known && known.ends > now) return known
    // Everything is over within a window's time, so a full map is emptied of that once a window at most.
    if (this.#windows.size >= SWEEP_AT && now >= this.#sweepAfter) this.#sweep(now)
    const [oldest] = this.#windows.size >= MAX_CALLERS ? this.#windows.keys() : []
    if (oldest !== undefined) this.#windows.delete(oldest)
    const window = { used: 0, ends: now + WINDOW_MS }
    // At the end: one that begins anew is the youngest.
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
