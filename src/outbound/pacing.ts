import type { Clock } from './clock.ts'
import { OutboundError } from './errors.ts'

/** How fast calls of one kind may go to one host. A value declared once by whoever makes the calls. */
export type Pace = {
  /** Calls of one kind share the pace of a host, kinds do not. */
  kind: string
  /** Average time between the starts of two calls. */
  intervalMs: number
  /** Calls that may start at once after a rest. */
  burst?: number
  /** Calls that may run at the same time. */
  concurrency?: number
}

type Lane = {
  running: number
  waiting: (() => void)[]
  /** When the budget is full again; the further ahead, the more of the burst is used. */
  fullAt: number
  /** Nothing starts before: the host asked for a pause. */
  heldUntil: number
}

const MAX_IDLE_LANES = 1_000

/** A host may ask for a pause, but not stop us for good. */
const MAX_HOLD_MS = 60_000

/** Spaces out calls to a host and bounds how many run at once. First come, first served. */
export class Pacing {
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs the call when it is its turn. Throws aborted while waiting, and what the call throws. */
  async run<T>(pace: Pace, host: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lane = this.#lane(pace, host)
    await enter(lane, pace.concurrency ?? Number.POSITIVE_INFINITY, signal)
    try {
      await this.#turn(lane, pace, signal)
      return await call()
    } finally {
      // The place goes to the next in line, or becomes free.
      const next = lane.waiting.shift()
      if (next) next()
      else lane.running--
    }
  }

  /** Lets no call of this kind start for a while, as a host's Retry-After asks. */
  hold(pace: Pace, host: string, ms: number): void {
    const lane = this.#lane(pace, host)
    lane.heldUntil = Math.max(lane.heldUntil, this.#clock.now() + Math.min(ms, MAX_HOLD_MS))
  }

  async #turn(lane: Lane, { intervalMs, burst = 1 }: Pace, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const startAt = Math.max(now, lane.fullAt - (burst - 1) * intervalMs)
    // Taken before waiting, so that two callers never get the same turn.
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

  /** Forgets hosts at rest: a new lane would treat them alike. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const [key, { running, fullAt, heldUntil }] of this.#lanes) {
      if (running === 0 && Math.max(fullAt, heldUntil) <= now) this.#lanes.delete(key)
    }
  }
}

/** Takes one of the lane's places, waiting for one if need be. */
function enter(lane: Lane, places: number, signal?: AbortSignal): Promise<void> | undefined {
  if (lane.running < places) {
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
