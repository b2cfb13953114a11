import { parseBatch, type SerializedList } from '../engine/json/serialized-list.ts'

/** How long the loops of this process together may block the event loop, in milliseconds. */
const MAX_BLOCKING_MS = 5

/** When the first loop ran in the current turn of the event loop; null before. */
let began: number | null = null
/** Loops that wait for a turn, longest first. */
const waiting: (() => void)[] = []

/**
 * For long loops: the returned function is called between two steps. It waits for another turn of the event loop once all loops
 * together have used MAX_BLOCKING_MS of this one: with a limit for each, ten scans would block ten times as long.
 */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  beginTurn()
  return () => (performance.now() - beginTurn() < MAX_BLOCKING_MS ? undefined : nextTurn())
}

/** Parses a serialized list in batches of at most BATCH_ITEMS and yields to the event loop between two batches. */
export async function* parseBatches<T>({ batches }: SerializedList<T>): AsyncGenerator<T[]> {
  for (const [at, batch] of batches.entries()) {
    if (at > 0) await nextTurn()
    yield parseBatch<T>(batch)
  }
}

function beginTurn(): number {
  if (began === null) {
    began = performance.now()
    setImmediate(endTurn)
  }
  return began
}

/** Continues one loop, so that input and output are handled before the next one. */
function endTurn(): void {
  began = null
  const next = waiting.shift()
  if (!next) return
  beginTurn()
  next()
}

function nextTurn(): Promise<void> {
  beginTurn()
  return new Promise((resolve) => waiting.push(resolve))
}
