import { setTimeout as wait } from 'node:timers/promises'

/** Time as pacing and breakers see it; tests bring their own. */
export type Clock = {
  /** Milliseconds since some fixed moment; never goes back. */
  now: () => number
  /** Rejects when the signal aborts. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
}
