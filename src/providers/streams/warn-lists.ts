import { listAt, textAt } from '../../engine/json/fields.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, reportUnexpectedFormat, requestJson, requestProvider } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { checkRobots } from '../web/fetch-page.ts'
import { toRawDocument } from '../web/response.ts'
import { crawlPace } from '../web/robots.ts'
import { MAX_ITEMS } from './types.ts'

export const NOTICE_COLUMNS = ['company', 'place', 'people', 'day', 'starts'] as const
type Column = (typeof NOTICE_COLUMNS)[number]
/** A notice as its list writes it; empty where it says nothing. */
export type NoticeRow = Record<Column, string>

export type WarnList = {
  /** The state, as people call it. */
  state: string
  url: string
  /** By column, the field of a dataset, or what the header in a page's table holds. */
  columns: NoticeRow
  /** An open dataset (Socrata) rather than a page. */
  isDataset?: boolean
  /** Places are counties. */
  isByCounty?: boolean
}

type Failed = { outcome: 'failed'; reason: string }

/** Open data of states: requests without a token are few for all of them together. */
const PACE: Pace = { kind: 'warn', intervalMs: 1_000, concurrency: 1 }
const MAX_BYTES = 8 * 1024 * 1024

/** The newest notices of a dataset since a day. */
export async function fetchDatasetRows(
  deps: ProviderDeps,
  name: string,
  { url, columns }: WarnList,
  since: string,
): Promise<NoticeRow[] | Failed> {
  const query = new URLSearchParams({
    $where: `${columns.day} >= '${since}T00:00:00'`,
    $order: `${columns.day} DESC`,
    $limit: String(MAX_ITEMS),
  })
  const response = await requestJson(deps, name, `${url}?${query}`, {
    pace: PACE,
    maxBytes: MAX_BYTES,
    missing: 'failed',
  })
  if (response.outcome === 'failed') return response
  const list = response.outcome === 'ok' ? listAt(response.value) : null
  if (!list) return reportUnexpectedFormat(deps, name)
  const row = (entry: unknown) => (column: Column) => textAt(entry, columns[column]) ?? ''
  return list.map((entry) => noticeRow(row(entry)))
}

/** All notices of a page, as its robots.txt allows. */
export async function fetchPageRows(
  deps: ProviderDeps,
  name: string,
  { url, columns }: WarnList,
): Promise<NoticeRow[] | Failed> {
  const rules = await checkRobots(deps, url)
  if ('outcome' in rules) return closed(deps, name, rules)
  const pace = crawlPace(deps, rules.delayMs)
  const response = await requestProvider(deps, name, url, { pace, maxBytes: MAX_BYTES, missing: 'failed' })
  if (response.outcome !== 'ok') return response.outcome === 'failed' ? response : reportUnexpectedFormat(deps, name)
  if (new URL(response.value.url).origin !== new URL(url).origin) {
    // A redirect has led to another site, which has rules of its own.
    const there = await checkRobots(deps, response.value.url)
    if ('outcome' in there) return closed(deps, name, there)
  }
  const { document, options } = toRawDocument(response.value)
  const rows = await deps.parserPool.run('rows', { ...document, columns }, { ...options, signal: deps.signal })
  if (rows instanceof LimitExceeded) {
    const message = `${name}: ${rows.reason}`
    await deps.health.report(name, { kind: 'unreadable', message })
    return failedResult(message)
  }
  return rows ? rows.map((row) => noticeRow((column) => row[column] ?? '')) : reportUnexpectedFormat(deps, name)
}

function noticeRow(text: (column: Column) => string): NoticeRow {
  return {
    company: text('company'),
    place: text('place'),
    people: text('people'),
    day: text('day'),
    starts: text('starts'),
  }
}

async function closed(
  deps: ProviderDeps,
  name: string,
  { reason, unreachable }: { reason: string; unreachable: boolean },
): Promise<Failed> {
  const message = `${name}: ${reason}`
  await deps.health.report(name, { kind: unreachable ? 'unavailable' : 'refused', message })
  return failedResult(message)
}
