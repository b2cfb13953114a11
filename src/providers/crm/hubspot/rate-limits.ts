import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import type { Pace } from '../../../outbound/pacing.ts'
import { LABEL } from './errors.ts'

/** The limit of the smallest plan, used until a response states the actual one. */
const SMALLEST = { calls: 100, ms: 10_000 }
const MAX_ACCOUNTS = 1_000

/** The rate limit of each account, as stated in its response headers. */
export class RateLimits {
  readonly #learnt = new Map<string, { calls: number; ms: number }>()
  readonly #daily = new Map<string, { left: number; limit: number }>()

  /** Slightly below the limit, so that ten seconds of calls and a burst stay within it. */
  paceOf(vendorAccount: string): Pace {
    const { calls, ms } = this.#learnt.get(vendorAccount) ?? SMALLEST
    const burst = Math.max(1, Math.floor(calls * 0.04))
    return { kind: `${LABEL} ${vendorAccount}`, intervalMs: (ms / calls) * 1.05, burst }
  }

  /** Calls left of the daily limit. HubSpot states it for keys only: tokens of OAuth have no daily limit. */
  callsLeft(vendorAccount: string): { left: number; limit: number } | null {
    return this.#daily.get(vendorAccount) ?? null
  }

  learn(vendorAccount: string, headers: ResponseHeaders): void {
    const limit = Number(headers['x-hubspot-ratelimit-daily'])
    const left = Number(headers['x-hubspot-ratelimit-daily-remaining'])
    if (limit > 0 && left >= 0) {
      if (this.#daily.size >= MAX_ACCOUNTS) this.#daily.clear()
      this.#daily.set(vendorAccount, { left, limit })
    }
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
