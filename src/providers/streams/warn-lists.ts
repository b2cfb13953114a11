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
/** A notice as the list spells it; empty strings for missing values. */
export type NoticeRow = Record<Column, string>

export type WarnList = {
  /** The state's name. */
  state: string
  url: string
  /** The field of a dataset, or a part of the header in a table, by column. */
  columns: NoticeRow
  /** An open dataset (Socrata) rather than a page. */
  isDataset?: boolean
  /** Places are counties. */
  isByCounty?: boolean
}

type Failed = { outcome: 'failed'; reason: string }

/** Socrata shares one limit for requests without a token over all states. */
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

/** All notices of a page, as far as robots.txt allows it. */
export async function fetchPageRows(
  deps: ProviderDeps,
  name: string,
  { url, columns }: WarnList,
): Promise<NoticeRow[] | Failed> {
  const rules = await checkRobots(deps, url)
  if ('outcome' in rules) return reportRobotsFailure(deps, name, rules)
  const pace = crawlPace(deps, rules.delayMs)
  const response = await requestProvider(deps, name, url, { pace, maxBytes: MAX_BYTES, missing: 'failed' })
  if (response.outcome !== 'ok') return response.outcome === 'failed' ? response : reportUnexpectedFormat(deps, name)
  if (new URL(response.value.url).origin !== new URL(url).origin) {
    // A redirect led to another site, whose robots.txt applies.
    const there = await checkRobots(deps, response.value.url)
    if ('outcome' in there) return reportRobotsFailure(deps, name, there)
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

async function reportRobotsFailure(
  deps: ProviderDeps,
  name: string,
  { reason, unreachable }: { reason: string; unreachable: boolean },
): Promise<Failed> {
  const message = `${name}: ${reason}`
  await deps.health.report(name, { kind: unreachable ? 'unavailable' : 'refused', message })
  return failedResult(message)
}
