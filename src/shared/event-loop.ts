import { setImmediate as others } from 'node:timers/promises'
import { parseBatch, type SerializedList } from '../engine/json/serialized-list.ts'

/** How long a loop may hold the thread that answers requests, in milliseconds. */
const TURN_MS = 5

/** For long loops: what it answers is called between two steps, and lets others have their turn when it is time. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS) return undefined
    return others().then(() => {
      since = performance.now()
    })
  }
}

/** A list of others in batches of at most BATCH_ITEMS; yields to the event loop between two of them. */
export async function* externalBatches<T>({ batches }: SerializedList<T>): AsyncGenerator<T[]> {
  for (const [at, batch] of batches.entries()) {
    if (at > 0) await others()
    yield parseBatch<T>(batch)
  }
}
