import { parseBatch, type SerializedList } from './serialized-list.ts'

/** Parses all items at once. Only for worker threads, where a list that takes too long blocks no event loop but its own. */
export function parseSerializedList<T>({ batches }: SerializedList<T>): T[] {
  return batches.flatMap((batch) => parseBatch<T>(batch))
}
