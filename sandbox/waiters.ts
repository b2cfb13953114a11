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
