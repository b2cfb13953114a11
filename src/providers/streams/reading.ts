import { dateAt } from '../../engine/json/fields.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { ProviderResponse } from '../ask.ts'
import { misshapen } from '../ask.ts'
import type { ProviderDeps } from '../types.ts'
import { type FeedRead, type FeedState, type JsonValue, MAX_ITEMS, type StreamItem } from './types.ts'

/** What a page of a stream's answers holds: null for an entry in a shape that is not understood. */
export type ReadEntry = (entry: unknown) => StreamItem[] | null

/** A search that gives its newest first, page by page. */
export type Paged = {
  name: string
  /** Entries come to be published late: so many days before the newest that is known are read again. */
  overlapDays: number
  perPage: number
  /** Asks for a page, the first being 1, of what there is since a day. */
  ask: (page: number, since: string) => Promise<ProviderResponse<unknown>>
  /** The entries of an answer; null when it has another shape. */
  list: (answer: unknown) => unknown[] | null
  read: ReadEntry
}

/** The day since which a feed is read: the newest it is known to have given, less the overlap. */
export function sinceOf({ since, state }: FeedState, overlapDays: number): string {
  const known = dateAt(state, 'day')
  const from = known && daysBefore(known, overlapDays)
  return from && from > since ? from : since
}

/** Reads the newest pages up to the bound. What a later page could not give is read again the next time. */
export async function readNewestFirst(deps: ProviderDeps, known: FeedState, paged: Paged): Promise<FeedRead> {
  const { name, perPage } = paged
  const since = sinceOf(known, paged.overlapDays)
  const found: StreamItem[] = []
  for (let page = 1; ; page++) {
    const asked = await orEnded(deps, found, paged.ask(page, since))
    if (asked === 'ended') return feedRead(deps, name, found, known.state, endedEarly(name))
    const list = asked.outcome === 'answer' ? paged.list(asked.value) : []
    const entries = list && readEntries(list, paged.read)
    const failure = asked.outcome === 'failed' ? asked : entries ? null : await misshapen(deps, name)
    if (failure) return found.length > 0 ? feedRead(deps, name, found, known.state, failure.reason) : failure
    found.push(...(entries ?? []))
    if (!list || list.length < perPage) return feedRead(deps, name, found, newest(deps, found, known.state))
    if (page * perPage >= MAX_ITEMS) return feedRead(deps, name, found, newest(deps, found, known.state), tooMany(name))
  }
}

/** What an answer is, or that the caller's signal has ended the reading when it had something already. */
export async function orEnded<T>(
  { signal }: ProviderDeps,
  found: readonly StreamItem[],
  answer: Promise<T>,
): Promise<T | 'ended'> {
  try {
    return await answer
  } catch (error) {
    if (!signal.aborted || found.length === 0) throw error
    return 'ended'
  }
}

/** What a list holds; null when it gives nothing and most of its entries are not understood. */
export function readEntries(list: readonly unknown[], read: ReadEntry): StreamItem[] | null {
  const entries = list.map(read)
  const items = entries.flatMap((entry) => entry ?? [])
  const unread = entries.filter((entry) => entry === null).length
  return items.length === 0 && unread > list.length / 2 ? null : items
}

/** The newest items, each once, up to the bound, with a word on the rest. What is dated ahead has not happened yet. */
export function feedRead(
  deps: ProviderDeps,
  name: string,
  found: readonly StreamItem[],
  state: JsonValue | null,
  partly?: string,
): FeedRead {
  const all = [...new Map(found.map((item) => [item.key, item])).values()]
    .filter((item) => dayOf(item) <= isoDate(deps.now()))
    .sort((a, b) => dayOf(b).localeCompare(dayOf(a)))
  const items = all.slice(0, MAX_ITEMS)
  const reasons = new Set([...(partly ? [partly] : []), ...(all.length > MAX_ITEMS ? [tooMany(name)] : [])])
  const reason = reasons.size > 0 ? [...reasons].join(' ') : undefined
  if (items.length > 0) return { outcome: 'items', items, state, ...(reason !== undefined && { reason }) }
  return reason === undefined ? { outcome: 'nothing', state } : { outcome: 'failed', reason }
}

/** A state with the newest day that was seen, of those that have come; what was known before where there is none. */
export function newest(deps: ProviderDeps, found: readonly StreamItem[], before: JsonValue | null): JsonValue | null {
  const days = found.map(dayOf).filter((day) => day <= isoDate(deps.now()))
  const day = [...days, dateAt(before, 'day') ?? ''].sort().at(-1)
  return day ? { day } : before
}

export function endedEarly(name: string): string {
  return `${name} took too long to be read to its end: the rest is read the next time.`
}

function tooMany(name: string): string {
  return `${name} has more than ${MAX_ITEMS.toLocaleString('en-US')} items at once: the newest were read.`
}

const dayOf = ({ document }: StreamItem) => document.published_date ?? ''
