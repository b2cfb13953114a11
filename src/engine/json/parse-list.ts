import { parseBatch, type SerializedList } from './serialized-list.ts'

/** All items at once. For reading threads only, where a list that takes too long ends its thread and nothing else. */
export function parseSerializedList<T>({ batches }: SerializedList<T>): T[] {
  return batches.flatMap((batch) => parseBatch<T>(batch))
}
