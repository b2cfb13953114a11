import { formatDollars } from '../../engine/filings/form-d.ts'
import { dateAt, listAt, numberAt, textAt, valueAt } from '../../engine/json/fields.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { isoDate } from '../../shared/days.ts'
import { countryCode } from '../countries.ts'
import { readableName } from '../filings/edgar.ts'
import { failedResult, reportUnexpectedFormat, requestJson } from '../request.ts'
import { addressWitnesses } from '../web/witnesses.ts'
import { toStreamItem, withArticle } from './public-record.ts'
import { readNewestFirst } from './read-feed.ts'
import type { Stream, StreamItem } from './types.ts'

const NAME = 'USAspending'
const API = 'https://api.usaspending.gov/api/v2'
/** No limit is published, but clients with concurrent requests were blocked. */
const PACE: Pace = { kind: 'usaspending', intervalMs: 600, concurrency: 1 }
/** Searches take up to a minute. */
const OPTIONS = { pace: PACE, maxBytes: 8 * 1024 * 1024, timeouts: { headers: 60_000, body: 30_000, total: 90_000 } }
const PER_PAGE = 100
/** Smaller contracts are frequent and rarely matter to their recipients. */
const LEAST_DOLLARS = 1_000_000
const FIELDS = [
  'Award ID',
  'Recipient Name',
  'Award Amount',
  'Base Obligation Date',
  'Awarding Agency',
  'Contract Award Type',
  'Description',
  'generated_internal_id',
]
/** Values of the recipient field that are no company names. */
const NO_COMPANY = /^(?:multiple recipients|redacted due to pii|miscellaneous foreign|undisclosed|private individual)/i

/** Contracts awarded by the government of the United States. */
export const usaspending: Stream = {
  name: NAME,
  source: 'usaspending',
  feeds: ['contracts'],
  everyMinutes: 12 * 60,
  firstDays: 30,
  read(deps, _feed, known) {
    return readNewestFirst(deps, known, {
      name: NAME,
      // Agencies report within days; the military is known to report after months, which is not covered.
      overlapDays: 10,
      perPage: PER_PAGE,
      request: (page, since) =>
        requestJson(deps, NAME, `${API}/search/spending_by_award/`, {
          ...OPTIONS,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            filters: {
              award_type_codes: ['A', 'B', 'C', 'D'],
              // Any other date type also returns old contracts with recent small changes.
              time_period: [{ start_date: since, end_date: isoDate(deps.now()), date_type: 'new_awards_only' }],
              award_amounts: [{ lower_bound: LEAST_DOLLARS }],
            },
            fields: FIELDS,
            sort: 'Base Obligation Date',
            order: 'desc',
            page,
            limit: PER_PAGE,
            subawards: false,
          }),
          missing: 'failed',
        }),
      list: (response) => listAt(response, 'results'),
      read,
    })
  },
  /** The record of an award contains the recipient's street, which may be on the recipient's website. */
  async open(deps, { ref, document }) {
    const url = `${API}/awards/${encodeURIComponent(textAt(ref, 'id') ?? '')}/`
    const response = await requestJson(deps, NAME, url, OPTIONS)
    if (response.outcome === 'nothing') return failedResult(`${NAME} lists an award that does not exist.`)
    if (response.outcome === 'failed') return response
    if (!textAt(response.value, 'recipient', 'recipient_name')) return reportUnexpectedFormat(deps, NAME)
    const place = valueAt(response.value, 'recipient', 'location')
    const witnesses = addressWitnesses({
      street: textAt(place, 'address_line1'),
      city: textAt(place, 'city_name'),
      state: textAt(place, 'state_code'),
      postal_code: textAt(place, 'zip5'),
      country: textAt(place, 'country_name'),
    })
    const country = countryCode(textAt(place, 'country_name'))
    return { outcome: 'read', document, hints: { named: [], witnesses, ...(country && { country }) } }
  },
}

function read(entry: unknown): StreamItem[] | null {
  const id = textAt(entry, 'generated_internal_id')
  const recipient = textAt(entry, 'Recipient Name')
  const day = dateAt(entry, 'Base Obligation Date')
  const amount = numberAt(entry, 'Award Amount')
  if (!id || !recipient || !day || amount === null) return null
  if (NO_COMPANY.test(recipient) || amount < LEAST_DOLLARS) return []
  const name = readableName(recipient)
  const isOrder = /order|call/i.test(textAt(entry, 'Contract Award Type') ?? '')
  const agency = textAt(entry, 'Awarding Agency') ?? 'United States government'
  const item = toStreamItem({
    key: id,
    company: { name, domain: null },
    signal_id: 'customer_win',
    claim: `${name} was awarded ${isOrder ? 'an order' : 'a contract'} of ${formatDollars(amount)} by ${withArticle(agency)}.`,
    more: [textAt(entry, 'Description')],
    url: `https://www.usaspending.gov/award/${encodeURIComponent(id)}`,
    day,
  })
  return [{ ...item, ref: { id } }]
}
