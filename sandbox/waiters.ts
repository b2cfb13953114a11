import type { EventEmitter } from 'node:events'

export type Waiters = {
  /** Waits until the condition holds; it is looked at now and whenever something has happened. Throws after two minutes. */
  until: (condition: () => boolean) => Promise<void>
  /** Says that something has happened. */
  happened: () => void
}

/** Lets a test wait for what an emulator sees, instead of looking again and again. */
export function createWaiters(): Waiters {
  const waiting = new Set<() => void>()
  return {
    until: (condition) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`It did not happen: ${condition}`))
        }, 120_000)
        const look = () => {
          if (!condition()) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    happened: () => {
      for (const look of waiting) look()
    },
  }
}

export type Gate = {
  /** Waits until there is a place. Whoever leaves meanwhile, told by the `close` of their connection, holds none up. */
  pass: (connection?: EventEmitter) => Promise<void>
  /** Lets so many more through; everybody unless told. */
  open: (places?: number) => void
  /** Holds whoever comes from now on. */
  close: () => void
  /** Waits until so many are held. */
  holds: (count: number) => Promise<void>
  /** Forgets who is held: the process that asked was killed. */
  forget: () => void
}

/** Holds calls to an emulator, so that a test can meet a caller in the middle of its work. */
export function createGate(): Gate {
  const { until, happened } = createWaiters()
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
      happened()
      await promise
    },
    open(more = Number.POSITIVE_INFINITY) {
      places += more
      for (const go of held) {
        if (places <= 0) return
        places--
        held.delete(go)
        go()
      }
    },
    close: () => {
      places = 0
    },
    holds: (count) => until(() => held.size >= count),
    forget: () => held.clear(),
  }
}
