import { listAt } from '../../engine/json/fields.ts'
import { isoDate } from '../../shared/days.ts'
import { reportUnexpectedFormat } from '../request.ts'
import {
  itemsResult,
  type Lead,
  type LeadSource,
  mergeResults,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'
import { MAX_FAILURES, readFiling } from './document.ts'
import { EDGAR, searchEdgar } from './edgar.ts'
import type { Filing } from './forms.ts'
import { parseFilingHits } from './search-hits.ts'

type Search = { signal_id: string; q: string; forms: string; item?: string }

/** Full-text queries by signal. The headings of the items of a current report are prescribed by the SEC. */
const SEARCHES: readonly Search[] = [
  { signal_id: 'funding', q: '', forms: 'D' },
  { signal_id: 'ipo', q: '"initial public offering"', forms: 'S-1,F-1' },
  {
    signal_id: 'acquisition',
    q: '"Completion of Acquisition or Disposition of Assets"',
    forms: '8-K',
    item: '2.01',
  },
  {
    signal_id: 'leadership_change',
    q: '"Departure of Directors or Certain Officers"',
    forms: '8-K',
    item: '5.02',
  },
  {
    signal_id: 'layoffs',
    q: '"Costs Associated with Exit or Disposal Activities"',
    forms: '8-K',
    item: '2.05',
  },
  { signal_id: 'security_incident', q: '"Material Cybersecurity Incidents"', forms: '8-K', item: '1.05' },
]

/** Each lead costs one document request. */
const MAX_LEADS = 60

/** Companies whose recent filings show one of the signals. */
export const secLeads: LeadSource = {
  name: EDGAR,
  async leads(deps, signalIds, since, limit) {
    const wanted = SEARCHES.filter(({ signal_id }) => signalIds.includes(signal_id))
    if (wanted.length === 0) return { outcome: 'nothing' }
    const most = Math.ceil(Math.min(limit, MAX_LEADS) / wanted.length)
    const found: SourceResult<Lead>[] = []
    for (const search of wanted) {
      const filings = await filingsFor(deps, search, since)
      found.push(filings.outcome === 'items' ? await leadsOf(deps, search, filings.items, most) : filings)
      // The next search would fail as well.
      if (found.at(-1)?.outcome === 'failed') break
    }
    return mergeResults(found, limit)
  },
}

async function filingsFor(deps: ProviderDeps, search: Search, since: string): Promise<SourceResult<Filing>> {
  const response = await searchEdgar(deps, {
    q: search.q,
    forms: search.forms,
    dateRange: 'custom',
    startdt: since,
    enddt: isoDate(deps.now()),
  })
  if (response.outcome !== 'ok') return response
  const hits = listAt(response.value, 'hits', 'hits')
  const found = parseFilingHits(hits ?? [])
  if (!hits || (hits.length > 0 && found.length === 0)) return reportUnexpectedFormat(deps, EDGAR)
  const filings = found.filter(({ items }) => !search.item || items.includes(search.item))
  // A company may file twice; one lead is enough.
  return itemsResult(filings.filter(({ cik }, i) => filings.findIndex((other) => other.cik === cik) === i))
}

/** Filings as leads with their text; a filing whose text cannot be read proves nothing and is no lead. */
async function leadsOf(
  deps: ProviderDeps,
  { signal_id }: Search,
  filings: readonly Filing[],
  most: number,
): Promise<SourceResult<Lead>> {
  const leads: SourceResult<Lead>[] = []
  let failures = 0
  for (const filing of filings.slice(0, most * 2)) {
    if (leads.length === most || failures === MAX_FAILURES) break
    const found = await readFiling(deps, filing)
    if (found.outcome === 'fund') continue
    if (found.outcome === 'failed') {
      failures++
      leads.push(found)
    } else {
      const { document, hints } = found
      leads.push(itemsResult([{ company: { name: filing.company, domain: null }, signal_id, document, hints }]))
    }
  }
  return mergeResults(leads)
}
