import { cutText } from '../../engine/storable.ts'
import { misshapen } from '../ask.ts'
import type { Found, Posting, ProviderDeps } from '../types.ts'

/** Titles, departments and places are a line; a longer one is something else. */
const MAX_LINE_CHARS = 300

/** More open positions than nearly every company has; the rest would only cost memory. */
export const MAX_POSTINGS = 3_000

/** A board's whole answer; texts of a thousand postings come to some ten megabytes. */
export const MAX_BOARD_BYTES = 24 * 1024 * 1024

type Read = { [K in keyof Posting]: Posting[K] | null }

/** A posting as a vendor gave it; one without a title or an address tells nothing and is left out. */
export function posting(read: Read): Posting[] {
  const { url, title, department, location } = read
  if (!url || !title) return []
  return [
    {
      ...read,
      url,
      title: cutText(title, MAX_LINE_CHARS),
      department: department && cutText(department, MAX_LINE_CHARS),
      location: location && cutText(location, MAX_LINE_CHARS),
    },
  ]
}

/**
 * What a board lists, out of so many positions that it gave, and so many that it says it has. One with nothing on it is told
 * apart from one that is not there, and one that was cut from a whole one: positions that were not read are not closed.
 */
export async function listed(
  deps: Pick<ProviderDeps, 'health'>,
  name: string,
  postings: Posting[],
  given: number,
  total = given,
): Promise<Found<Posting>> {
  if (total === 0) return { outcome: 'nothing', empty: true }
  if (postings.length === 0) return misshapen(deps, name)
  const seen = Math.min(given, MAX_POSTINGS)
  const reason = `Of ${total} positions that ${name} lists, ${seen} were read.`
  return { outcome: 'items', items: postings.slice(0, MAX_POSTINGS), ...(total > seen && { reason }) }
}

/** A location out of its parts, without the unknown ones. */
export function placeOf(...parts: (string | null)[]): string | null {
  return [...new Set(parts.filter((part) => part !== null))].join(', ') || null
}
