import { type External, itemsOf } from './serialized-list.ts'

/** All items at once. For reading threads only, where a list that takes too long ends its thread and nothing else. */
export function openExternal<T>({ batches }: External<T>): T[] {
  return batches.flatMap((batch) => itemsOf<T>(batch))
}
