import type { EventEmitter } from 'node:events'

export type Waiters = {
  /** Waits until the condition holds; checked now and on each notification. Throws after two minutes. */
  until: (condition: () => boolean) => Promise<void>
  /** Checks the conditions again. */
  notify: () => void
}

/** Lets a test wait for an event in an emulator without polling. */
export function createWaiters(): Waiters {
  const waiting = new Set<() => void>()
  return {
    until: (condition) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`It did not happen: ${condition}`))
        }, 120_000)
        const check = () => {
          if (!condition()) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    notify: () => {
      for (const check of waiting) check()
    },
  }
}

export type Gate = {
  /** Waits for a free slot. A caller whose connection closes meanwhile gives up its position. */
  pass: (connection?: EventEmitter) => Promise<void>
  /** Lets this many callers through; all by default. */
  open: (places?: number) => void
  /** Holds callers from now on. */
  close: () => void
  /** Waits until this many callers are held. */
  untilHeld: (count: number) => Promise<void>
  /** Drops the held callers: the calling process was killed. */
  clear: () => void
}

/** Holds requests to an emulator, so that a test can interrupt a caller at a defined point. */
export function createGate(): Gate {
  const { until, notify } = createWaiters()
  const held = new Set<() => void>()
  let places = 0
  return {
    async pass(connection) {
      if (places > 0) {
        places--
        return
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      held.add(resolve)
      connection?.once('close', () => held.delete(resolve))
      notify()
      await promise
    },
    open(more = Number.POSITIVE_INFINITY) {
      places += more
      for (const release of held) {
        if (places <= 0) return
        places--
        held.delete(release)
        release()
      }
    },
    close: () => {
      places = 0
    },
    untilHeld: (count) => until(() => held.size >= count),
    clear: () => held.clear(),
  }
}
