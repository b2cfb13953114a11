import type { WorkItem } from '../../api/work-items.ts'

type Listed = Pick<WorkItem, 'id'>

/**
 * The items in the order in which they were first shown, so that a refetch moves no card. Items that follow the known ones
 * are appended; `fresh` are those between them, which are shown on request.
 */
export function arrange<T extends Listed>(order: readonly string[], fetched: readonly T[]) {
  const known = new Map(order.map((id, at) => [id, at]))
  const last = fetched.findLastIndex(({ id }) => known.has(id))
  const placed = fetched.filter(({ id }) => known.has(id))
  const shown = placed.toSorted((a, b) => (known.get(a.id) ?? 0) - (known.get(b.id) ?? 0))
  const fresh: T[] = []
  for (const [at, item] of fetched.entries()) {
    if (known.has(item.id)) continue
    if (at > last) shown.push(item)
    else fresh.push(item)
  }
  return { shown, fresh }
}
