import type { Clock } from './clock.ts'
import { OutboundError } from './errors.ts'

/** The rate limit for calls of one kind to one host, declared once by the module that makes the calls. */
export type Pace = {
  /** Calls of the same kind share the limit of a host; different kinds are independent. */
  kind: string
  /** Average time between the starts of two calls. */
  intervalMs: number
  /** Calls that may start without an interval after an idle time. */
  burst?: number
  /** Concurrency limit. */
  concurrency?: number
}

type Lane = {
  running: number
  waiting: (() => void)[]
  /** When the burst budget is full again; the later, the more of it is used. */
  fullAt: number
  /** No call starts before, because the host sent Retry-After. */
  heldUntil: number
}

const MAX_IDLE_LANES = 1_000

/** Limits the effect of Retry-After. */
const MAX_HOLD_MS = 60_000

/** Limits the rate and the concurrency of calls to a host, in FIFO order. */
export class Pacing {
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs the call when the limits allow it. Throws aborted while waiting, and the errors of the call. */
  async run<T>(pace: Pace, host: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lane = this.#lane(pace, host)
    await enter(lane, pace.concurrency ?? Number.POSITIVE_INFINITY, signal)
    try {
      await this.#waitForInterval(lane, pace, signal)
      return await call()
    } finally {
      // The slot goes to the next waiting call, or becomes free.
      const next = lane.waiting.shift()
      if (next) next()
      else lane.running--
    }
  }

  /** Delays calls of this kind, as requested by the host's Retry-After. */
  hold(pace: Pace, host: string, ms: number): void {
    const lane = this.#lane(pace, host)
    lane.heldUntil = Math.max(lane.heldUntil, this.#clock.now() + Math.min(ms, MAX_HOLD_MS))
  }

  async #waitForInterval(lane: Lane, { intervalMs, burst = 1 }: Pace, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const startAt = Math.max(now, lane.fullAt - (burst - 1) * intervalMs)
    // Reserved before waiting, so that two calls never get the same start time.
    lane.fullAt = Math.max(lane.fullAt, startAt) + intervalMs
    let left = Math.max(startAt, lane.heldUntil) - now
    while (left > 0) {
      await this.#clock.wait(left, signal).catch(aborted)
      left = Math.max(startAt, lane.heldUntil) - this.#clock.now()
    }
  }

  #lane({ kind }: Pace, host: string): Lane {
    const key = `${kind} ${host}`
    const known = this.#lanes.get(key)
    if (known) return known
    if (this.#lanes.size >= MAX_IDLE_LANES) this.#sweep()
    const lane: Lane = { running: 0, waiting: [], fullAt: 0, heldUntil: 0 }
    this.#lanes.set(key, lane)
    return lane
  }

  /** Deletes idle lanes: a new lane would behave the same. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const [key, { running, fullAt, heldUntil }] of this.#lanes) {
      if (running === 0 && Math.max(fullAt, heldUntil) <= now) this.#lanes.delete(key)
    }
  }
}

/** Acquires one of the lane's slots, waiting for one if necessary. */
function enter(lane: Lane, slots: number, signal?: AbortSignal): Promise<void> | undefined {
  if (lane.running < slots) {
    lane.running++
    return
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => {
    lane.waiting.splice(lane.waiting.indexOf(admit), 1)
    reject(new OutboundError('aborted', { cause: signal?.reason }))
  }
  const admit = () => {
    signal?.removeEventListener('abort', abort)
    resolve()
  }
  if (signal?.aborted) return Promise.reject(new OutboundError('aborted', { cause: signal.reason }))
  signal?.addEventListener('abort', abort, { once: true })
  lane.waiting.push(admit)
  return promise
}

function aborted(cause: unknown): never {
  throw new OutboundError('aborted', { cause })
}
