import { setImmediate as others } from 'node:timers/promises'

/** How long a loop may hold the thread that answers requests, in milliseconds. */
const TURN_MS = 5

/** For long loops: what it answers is called between two steps, and lets others have their turn when it is time. */
export function takingTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS) return undefined
    return others().then(() => {
      since = performance.now()
    })
  }
}
