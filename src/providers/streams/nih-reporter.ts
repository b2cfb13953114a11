import { formatDollars } from '../../engine/filings/form-d.ts'
import { dateAt, isFieldMissing, listAt, numberAt, textAt } from '../../engine/json/fields.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { isoDate } from '../../shared/days.ts'
import { countryCode } from '../countries.ts'
import { readableName } from '../filings/edgar.ts'
import { requestJson } from '../request.ts'
import { addressWitnesses } from '../web/witnesses.ts'
import { toStreamItem, withArticle } from './public-record.ts'
import { readNewestFirst } from './read-feed.ts'
import type { Stream, StreamItem } from './types.ts'

const NAME = 'NIH RePORTER'
/** The API asks for at most one request a second. */
const PACE: Pace = { kind: 'nih-reporter', intervalMs: 1_100, concurrency: 1 }
const PER_PAGE = 500
/** Activity codes of grants to small companies; universities receive others. */
const COMPANY_GRANTS = ['R41', 'R42', 'R43', 'R44', 'U43', 'U44', 'SB1']
/** New awards and competing renewals; the next year of a running grant is no news. */
const NEW_AWARDS = ['1', '2']
/** Excludes fields with names of people. */
const FIELDS = [
  'ApplId',
  'ProjectNum',
  'ProjectTitle',
  'Organization',
  'AwardAmount',
  'AwardNoticeDate',
  'AwardType',
  'ActivityCode',
  'AgencyIcAdmin',
]

/** Grants to companies by the National Institutes of Health of the United States. */
export const nihReporter: Stream = {
  name: NAME,
  source: 'nih-reporter',
  feeds: ['small-companies'],
  everyMinutes: 24 * 60,
  firstDays: 30,
  read(deps, _feed, known) {
    return readNewestFirst(deps, known, {
      name: NAME,
      // Awards are published weekly.
      overlapDays: 14,
      perPage: PER_PAGE,
      request: (page, since) =>
        requestJson(deps, NAME, 'https://api.reporter.nih.gov/v2/projects/search', {
          pace: PACE,
          maxBytes: 16 * 1024 * 1024,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            criteria: {
              award_notice_date: { from_date: since, to_date: isoDate(deps.now()) },
              activity_codes: COMPANY_GRANTS,
              award_types: NEW_AWARDS,
            },
            include_fields: FIELDS,
            offset: (page - 1) * PER_PAGE,
            limit: PER_PAGE,
            sort_field: 'award_notice_date',
            sort_order: 'desc',
          }),
          missing: 'failed',
        }),
      list: (response) => listAt(response, 'results'),
      read,
    })
  },
}

function read(entry: unknown): StreamItem[] | null {
  const id = numberAt(entry, 'appl_id')
  const organization = textAt(entry, 'organization', 'org_name')
  const day = dateAt(entry, 'award_notice_date')
  const amount = numberAt(entry, 'award_amount')
  const type = textAt(entry, 'award_type')
  if (id === null || !organization || !day || !type || isFieldMissing([entry], 'award_amount')) return null
  const isNew = NEW_AWARDS.includes(type)
  // An award without an amount is not funded yet.
  if (!isNew || amount === null || amount <= 0) return []
  const name = readableName(organization)
  const institute = textAt(entry, 'agency_ic_admin', 'name')
  const project = textAt(entry, 'project_num')
  const address = {
    city: textAt(entry, 'organization', 'org_city'),
    state: textAt(entry, 'organization', 'org_state'),
    postal_code: textAt(entry, 'organization', 'org_zipcode'),
    country: textAt(entry, 'organization', 'org_country'),
  }
  const country = countryCode(address.country)
  const item = toStreamItem({
    key: String(id),
    company: { name, domain: null },
    signal_id: 'funding',
    claim: `${name} was awarded a grant of ${formatDollars(amount)} by ${withArticle(institute ?? 'National Institutes of Health')}.`,
    more: [textAt(entry, 'project_title'), project && `Project ${project}.`],
    url: `https://reporter.nih.gov/project-details/${id}`,
    day,
    hints: { named: [], witnesses: addressWitnesses(address), ...(country && { country }) },
  })
  return [item]
}
