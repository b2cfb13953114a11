import { setTimeout as wait } from 'node:timers/promises'

/** The clock of pacing and circuit breakers; tests replace it. */
export type Clock = {
  /** Monotonic time in milliseconds. */
  now: () => number
  /** Rejects when the signal aborts. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
}
