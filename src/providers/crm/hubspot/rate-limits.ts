import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import type { Pace } from '../../../outbound/pacing.ts'
import { LABEL } from './errors.ts'

/** The limit of the smallest plan, used until a response states the actual one. */
const SMALLEST = { calls: 100, ms: 10_000 }
const MAX_ACCOUNTS = 1_000

/** The rate limit of each account, as stated in its response headers. */
export class RateLimits {
  readonly #learnt = new Map<string, { calls: number; ms: number }>()

  /** Slightly below the limit, so that ten seconds of calls and a burst stay within it. */
  paceOf(vendorAccount: string): Pace {
    const { calls, ms } = this.#learnt.get(vendorAccount) ?? SMALLEST
    const burst = Math.max(1, Math.floor(calls * 0.04))
    return { kind: `${LABEL} ${vendorAccount}`, intervalMs: (ms / calls) * 1.05, burst }
  }

  learn(vendorAccount: string, headers: ResponseHeaders): void {
    const calls = Number(headers['x-hubspot-ratelimit-max'])
    const ms = Number(headers['x-hubspot-ratelimit-interval-milliseconds'])
    if (!(calls > 0 && ms > 0)) return
    if (this.#learnt.size >= MAX_ACCOUNTS) this.#learnt.clear()
    this.#learnt.set(vendorAccount, { calls, ms })
  }
}

/** Searches have a separate limit: five a second. */
export const searchPace = (vendorAccount: string): Pace => ({
  kind: `${LABEL} search ${vendorAccount}`,
  intervalMs: 210,
})
