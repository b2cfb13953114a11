import { dateAt } from '../../engine/json/fields.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { ProviderResponse } from '../request.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { type FeedResult, type FeedState, type JsonValue, MAX_ITEMS, type StreamItem } from './types.ts'

/** Parses an entry into items; null when its format is unexpected. */
export type ParseEntry = (entry: unknown) => StreamItem[] | null

/** A paginated search, newest entries first. */
export type PagedSearch = {
  name: string
  /** Entries may be published late, so this many days before the newest known entry are read again. */
  overlapDays: number
  perPage: number
  /** Requests a page, starting at 1, of entries since a day. */
  request: (page: number, since: string) => Promise<ProviderResponse<unknown>>
  /** The entries of a response; null when its format is unexpected. */
  list: (response: unknown) => unknown[] | null
  read: ParseEntry
}

/** The first day to read: the newest known day minus the overlap. */
export function readStartDay({ since, state }: FeedState, overlapDays: number): string {
  const known = dateAt(state, 'day')
  const from = known && daysBefore(known, overlapDays)
  return from && from > since ? from : since
}

/** Reads the newest pages up to the limit. Entries of a page that failed are read the next time. */
export async function readNewestFirst(deps: ProviderDeps, known: FeedState, paged: PagedSearch): Promise<FeedResult> {
  const { name, perPage } = paged
  const since = readStartDay(known, paged.overlapDays)
  const found: StreamItem[] = []
  for (let page = 1; ; page++) {
    const response = await unlessAborted(deps, found, paged.request(page, since))
    if (response === 'aborted') return feedResult(deps, name, found, known.state, abortedReason(name))
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

/** Awaits a request; returns 'aborted' when the caller's signal aborts and items were already found. */
export async function unlessAborted<T>(
  { signal }: ProviderDeps,
  found: readonly StreamItem[],
  response: Promise<T>,
): Promise<T | 'aborted'> {
  try {
    return await response
  } catch (error) {
    if (!signal.aborted || found.length === 0) throw error
    return 'aborted'
  }
}

/** The items of a list; null when there are none and most entries have an unexpected format. */
export function parseEntries(list: readonly unknown[], read: ParseEntry): StreamItem[] | null {
  const entries = list.map(read)
  const items = entries.flatMap((entry) => entry ?? [])
  const unread = entries.filter((entry) => entry === null).length
  return items.length === 0 && unread > list.length / 2 ? null : items
}

/**
 * The newest items up to the limit, each once; `partly` is the reason for an incomplete result. Drops items dated in
 * the future, which have not happened yet.
 */
export function feedResult(
  deps: ProviderDeps,
  name: string,
  found: readonly StreamItem[],
  state: JsonValue | null,
  partly?: string,
): FeedResult {
  const all = [...new Map(found.map((item) => [item.key, item])).values()]
    .filter((item) => publishedDay(item) <= isoDate(deps.now()))
    .sort((a, b) => publishedDay(b).localeCompare(publishedDay(a)))
  const items = all.slice(0, MAX_ITEMS)
  const reasons = new Set([...(partly ? [partly] : []), ...(all.length > MAX_ITEMS ? [tooMany(name)] : [])])
  const reason = reasons.size > 0 ? [...reasons].join(' ') : undefined
  if (items.length > 0) return { outcome: 'items', items, state, ...(reason !== undefined && { reason }) }
  return reason === undefined ? { outcome: 'nothing', state } : { outcome: 'failed', reason }
}

/** The state with the newest day up to today; the previous state when there is none. */
export function newestDayState(
  deps: ProviderDeps,
  found: readonly StreamItem[],
  before: JsonValue | null,
): JsonValue | null {
  const days = found.map(publishedDay).filter((day) => day <= isoDate(deps.now()))
  const day = [...days, dateAt(before, 'day') ?? ''].sort().at(-1)
  return day ? { day } : before
}

export function abortedReason(name: string): string {
  return `Reading ${name} timed out: the next run reads the rest.`
}

function tooMany(name: string): string {
  return `${name} has more than ${MAX_ITEMS.toLocaleString('en-US')} new items: only the newest were read.`
}

const publishedDay = ({ document }: StreamItem) => document.published_date ?? ''
