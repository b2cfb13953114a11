import { dateAt, listAt, valueAt } from '../../engine/json/fields.ts'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { readFiling, summarizeFiling } from '../filings/document.ts'
import { EDGAR, edgarContactEmail, searchEdgar } from '../filings/edgar.ts'
import type { Filing } from '../filings/forms.ts'
import { parseFilingHits } from '../filings/search-hits.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps, SourceResult } from '../types.ts'
import { abortedReason, feedResult, readStartDay, unlessAborted } from './read-feed.ts'
import { type FeedResult, MAX_ITEMS, type Stream, type StreamItem } from './types.ts'

const FEEDS = lookupTable<string>({ '8-K': '8-K', listings: 'S-1,F-1', D: 'D' })

/** Signals by form or by item of a current report. Reports with other items are skipped. */
const ABOUT = lookupTable<readonly string[]>({
  '1.01': ['partnership'],
  '1.05': ['security_incident'],
  '2.01': ['acquisition'],
  '2.05': ['layoffs'],
  '5.02': ['leadership_change'],
  '8.01': [],
  'S-1': ['ipo'],
  'F-1': ['ipo'],
  D: ['funding'],
})

const PER_PAGE = 100
/** The search returns at most 10,000 hits, and a day has fewer. */
const MAX_PAGES_OF_A_DAY = 100
/** Requests per run, after which no further day is started. */
const MAX_PAGES = 100
const MORE = `${EDGAR} has more filings: the next run reads the rest.`

/**
 * SEC filings by day, from the full-text search: robots.txt forbids the feed of current filings, and the daily index
 * lacks the items of reports.
 */
export const secStream: Stream = {
  name: EDGAR,
  source: 'sec',
  isOn: (config) => edgarContactEmail({ config }) !== null,
  isSearchable: true,
  feeds: Object.keys(FEEDS),
  everyMinutes: 60,
  firstDays: 7,
  async read(deps, feed, known) {
    const today = isoDate(deps.now())
    const found: StreamItem[] = []
    // The last day read is read again, because reports of an evening appear overnight.
    const last = readStartDay(known, 0)
    const isAgain = valueAt(known.state, 'isAgain') === true && dateAt(known.state, 'day') === last
    let done = last
    let pages = 0
    for (let day = isAgain ? daysBefore(last, -1) : last; day <= today; day = daysBefore(day, -1)) {
      const hits = await unlessAborted(deps, found, hitsOf(deps, FEEDS[feed] ?? feed, day))
      if (hits === 'aborted') return read(abortedReason(EDGAR))
      if (hits.outcome === 'failed') return found.length > 0 ? read(hits.reason) : hits
      const filed = hits.outcome === 'items' ? hits.items : []
      const items = itemsOf(filed)
      if (found.length > 0 && found.length + items.length > MAX_ITEMS) return read(MORE, done === last && !isAgain)
      found.push(...items)
      if (hits.outcome === 'items' && hits.reason) return read(hits.reason)
      // Today is read again.
      if (day < today) done = day
      pages += 1 + Math.floor(filed.length / PER_PAGE)
      if (pages >= MAX_PAGES && day < today) return read(MORE)
    }
    return read()

    /** `again`: the last day was read again and reached the limit, so the next run starts after it. */
    function read(reason?: string, again = false): FeedResult {
      return feedResult(deps, EDGAR, found, { day: done, ...(again && { isAgain: true }) }, reason)
    }
  },
  async open(deps, { ref }) {
    // As returned by `read`.
    const read = await readFiling(deps, ref as Filing)
    return read.outcome === 'fund' ? { outcome: 'dropped' } : read
  },
}

/** Hits of the filings of one day. */
async function hitsOf(deps: ProviderDeps, forms: string, day: string): Promise<SourceResult<unknown>> {
  const hits: unknown[] = []
  for (let page = 0; page < MAX_PAGES_OF_A_DAY; page++) {
    const response = await searchEdgar(deps, {
      q: '',
      forms,
      dateRange: 'custom',
      startdt: day,
      enddt: day,
      from: String(page * PER_PAGE),
    })
    const list = response.outcome === 'ok' ? listAt(response.value, 'hits', 'hits') : []
    const filings = parseFilingHits(list ?? [])
    // A current report always lists its items.
    const reports = filings.filter(({ form }) => form.startsWith('8-K'))
    const isWithout = reports.length > 0 && reports.every(({ items }) => items.length === 0)
    const isUnread = isWithout || (list !== null && list.length > 0 && filings.length === 0)
    const failure =
      response.outcome === 'failed' ? response : list && !isUnread ? null : await reportUnexpectedFormat(deps, EDGAR)
    if (failure) return hits.length > 0 ? { outcome: 'items', items: hits, reason: failure.reason } : failure
    hits.push(...(list ?? []))
    if (!list || list.length < PER_PAGE || itemsOf(hits).length > MAX_ITEMS) break
  }
  return hits.length > 0 ? { outcome: 'items', items: hits } : { outcome: 'nothing' }
}

/** Skips amendments, whose original was an item before. */
function itemsOf(hits: readonly unknown[]): StreamItem[] {
  return parseFilingHits(hits).flatMap((filing): StreamItem[] => {
    const signals = [filing.form, ...filing.items].flatMap((kind) => (ABOUT[kind] ? [ABOUT[kind]] : []))
    if (signals.length === 0 || filing.form.endsWith('/A')) return []
    const about = [...new Set(signals.flat())]
    const company = { name: filing.company, domain: null }
    return [{ key: filing.accession, company, document: summarizeFiling(filing), about, ref: filing }]
  })
}
