import type { Db } from '../../db/connect.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { listFeeds } from './feed-store.ts'

/** A stream that the installation has not come to yet. */
export const NOT_READ = 'It was not read yet.'

/** How streams fare, with how much each gave to the work at hand. One of which every feed fails has failed. */
export async function reportStreams(
  db: Db,
  given: ReadonlyMap<string, number>,
  streams: readonly string[],
): Promise<SourceReport[]> {
  const feeds = Map.groupBy(await listFeeds(db, streams), ({ stream }) => stream)
  return streams.map((name) => {
    const all = feeds.get(name) ?? []
    const failing = all.filter(({ failure }) => failure !== null)
    const items = given.get(name) ?? 0
    const reason = reasonOf(failing.length, all.length, failing[0]?.failure ?? null)
    if (items > 0) return { name, outcome: 'items', items, reason }
    // Taken up and never read to the end is not read either.
    if (all.every(({ read_at, failure }) => read_at === null && failure === null)) {
      return { name, outcome: 'failed', items, reason: NOT_READ }
    }
    return { name, outcome: failing.length === all.length ? 'failed' : 'nothing', items, reason }
  })
}

function reasonOf(failing: number, all: number, first: string | null): string | null {
  if (first === null || failing === all) return first
  return `${failing} of ${all} feeds could not be read. ${first}`
}
