import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseBatch, type SerializedList } from '../engine/json/serialized-list.ts'

/** How long a loop may block the event loop, in milliseconds. */
const MAX_BLOCKING_MS = 5

/** For long loops: the returned function is called between two steps and yields once the loop has run for MAX_BLOCKING_MS. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** Parses a serialized list in batches of at most BATCH_ITEMS and yields to the event loop between two batches. */
export async function* parseBatches<T>({ batches }: SerializedList<T>): AsyncGenerator<T[]> {
  for (const [at, batch] of batches.entries()) {
    if (at > 0) await nextTurn()
    yield parseBatch<T>(batch)
  }
}
