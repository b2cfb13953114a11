import { parseBatch, type SerializedList } from './serialized-list.ts'

/** Parses all items at once. Only for worker threads, which the pool terminates when a list takes too long. */
export function parseSerializedList<T>({ batches }: SerializedList<T>): T[] {
  return batches.flatMap((batch) => parseBatch<T>(batch))
}
