import { isFieldMissing, listAt, textAt } from '../../engine/json/fields.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, reportUnexpectedFormat, requestJson } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { requestByRobots } from '../web/request-by-robots.ts'
import { toRawDocument } from '../web/response.ts'
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
const MANY_ROWS = 5

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
  // A dataset leaves out empty fields, but hardly one of all its rows.
  const isRenamed = list !== null && list.length >= MANY_ROWS && isFieldMissing(list, ...Object.values(columns))
  if (!list || isRenamed) return reportUnexpectedFormat(deps, name)
  const row = (entry: unknown) => (column: Column) => textAt(entry, columns[column]) ?? ''
  return list.map((entry) => noticeRow(row(entry)))
}

/** All notices of a page, as far as robots.txt allows it. */
export async function fetchPageRows(
  deps: ProviderDeps,
  name: string,
  { url, columns }: WarnList,
): Promise<NoticeRow[] | Failed> {
  const options = { what: 'page', maxBytes: MAX_BYTES, missing: 'failed' as const }
  const response = await requestByRobots(deps, name, url, options)
  if (response.outcome !== 'ok') return response.outcome === 'failed' ? response : reportUnexpectedFormat(deps, name)
  const { document, options: taskOptions } = toRawDocument(response.value)
  const rows = await deps.parserPool.run('rows', { ...document, columns }, { ...taskOptions, signal: deps.signal })
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
