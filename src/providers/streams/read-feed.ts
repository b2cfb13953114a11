import { dateAt } from '../../engine/json/fields.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { ProviderResponse } from '../request.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { type FeedResult, type FeedState, type JsonValue, MAX_ITEMS, type StreamItem } from './types.ts'

/** What a page of a stream's answers holds: null for an entry in a shape that is not understood. */
export type ParseEntry = (entry: unknown) => StreamItem[] | null

/** A search that gives its newest first, page by page. */
export type PagedSearch = {
  name: string
  /** Entries come to be published late: so many days before the newest that is known are read again. */
  overlapDays: number
  perPage: number
  /** Asks for a page, the first being 1, of what there is since a day. */
  ask: (page: number, since: string) => Promise<ProviderResponse<unknown>>
  /** The entries of an answer; null when it has another shape. */
  list: (response: unknown) => unknown[] | null
  read: ParseEntry
}

/** The day since which a feed is read: the newest it is known to have given, less the overlap. */
export function readStartDay({ since, state }: FeedState, overlapDays: number): string {
  const known = dateAt(state, 'day')
  const from = known && daysBefore(known, overlapDays)
  return from && from > since ? from : since
}

/** Reads the newest pages up to the bound. What a later page could not give is read again the next time. */
export async function readNewestFirst(deps: ProviderDeps, known: FeedState, paged: PagedSearch): Promise<FeedResult> {
  const { name, perPage } = paged
  const since = readStartDay(known, paged.overlapDays)
  const found: StreamItem[] = []
  for (let page = 1; ; page++) {
    const response = await unlessAborted(deps, found, paged.ask(page, since))
    if (response === 'ended') return feedResult(deps, name, found, known.state, abortedReason(name))
    const list = response.outcome === 'ok' ? paged.list(response.value) : []
    const entries = list && parseEntries(list, paged.read)
    const failure = response.outcome === 'failed' ? response : entries ? null : await reportUnexpectedFormat(deps, name)
    if (failure) return found.length > 0 ? feedResult(deps, name, found, known.state, failure.reason) : failure
    found.push(...(entries ?? []))
    if (!list || list.length < perPage) return feedResult(deps, name, found, newestDayState(deps, found, known.state))
    if (page * perPage >= MAX_ITEMS)
      return feedResult(deps, name, found, newestDayState(deps, found, known.state), tooMany(name))
  }
}

/** What an answer is, or that the caller's signal has ended the reading when it had something already. */
export async function unlessAborted<T>(
  { signal }: ProviderDeps,
  found: readonly StreamItem[],
  response: Promise<T>,
): Promise<T | 'ended'> {
  try {
    return await response
  } catch (error) {
    if (!signal.aborted || found.length === 0) throw error
    return 'ended'
  }
}

/** What a list holds; null when it gives nothing and most of its entries are not understood. */
export function parseEntries(list: readonly unknown[], read: ParseEntry): StreamItem[] | null {
  const entries = list.map(read)
  const items = entries.flatMap((entry) => entry ?? [])
  const unread = entries.filter((entry) => entry === null).length
  return items.length === 0 && unread > list.length / 2 ? null : items
}

/** The newest items, each once, up to the bound, with a word on the rest. What is dated ahead has not happened yet. */
export function feedResult(
  deps: ProviderDeps,
  name: string,
  found: readonly StreamItem[],
  state: JsonValue | null,
  partly?: string,
): FeedResult {
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
export function newestDayState(
  deps: ProviderDeps,
  found: readonly StreamItem[],
  before: JsonValue | null,
): JsonValue | null {
  const days = found.map(dayOf).filter((day) => day <= isoDate(deps.now()))
  const day = [...days, dateAt(before, 'day') ?? ''].sort().at(-1)
  return day ? { day } : before
}

export function abortedReason(name: string): string {
  return `${name} took too long to be read to its end: the rest is read the next time.`
}

function tooMany(name: string): string {
  return `${name} has more than ${MAX_ITEMS.toLocaleString('en-US')} items at once: the newest were read.`
}

const dayOf = ({ document }: StreamItem) => document.published_date ?? ''
