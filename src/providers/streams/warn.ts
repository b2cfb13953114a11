import { parseDate } from '../../engine/dates/find-dates.ts'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import { cutText } from '../../engine/text/storable.ts'
import { readableName } from '../filings/edgar.ts'
import { failedResult, reportUnexpectedFormat } from '../request.ts'
import { addressWitnesses } from '../web/witnesses.ts'
import { toStreamItem } from './public-record.ts'
import { feedResult, newestDayState, parseEntries, readStartDay } from './read-feed.ts'
import type { Stream, StreamItem } from './types.ts'
import { fetchDatasetRows, fetchPageRows, NOTICE_COLUMNS, type NoticeRow, type WarnList } from './warn-lists.ts'

const NAME = 'Layoff notices'

/** US states whose lists are machine-readable and may be read. Columns by a part of their headers. */
const STATES = lookupTable<WarnList>({
  TX: {
    state: 'Texas',
    url: 'https://data.texas.gov/resource/8w53-c4f6.json',
    columns: {
      company: 'job_site_name',
      place: 'city_name',
      people: 'total_layoff_number',
      day: 'notice_date',
      starts: 'layoff_date',
    },
    isDataset: true,
  },
  OR: {
    state: 'Oregon',
    url: 'https://data.oregon.gov/resource/ijbz-jpx8.json',
    columns: {
      company: 'company_name',
      place: 'city',
      people: 'laid_off',
      day: 'received_date',
      starts: 'layoff_date',
    },
    isDataset: true,
  },
  IN: {
    state: 'Indiana',
    url: 'https://www.in.gov/dwd/warn-notices/current-warn-notices/',
    columns: {
      company: 'company',
      place: 'city',
      people: 'affected workers',
      day: 'notice date',
      starts: 'lo/cl date',
    },
  },
  TN: {
    state: 'Tennessee',
    url: 'https://www.tn.gov/workforce/general-resources/major-publications0/major-publications-redirect/reports.html',
    columns: {
      company: 'company',
      place: 'county',
      people: 'affected',
      day: 'date of posting',
      starts: 'closure/layoff',
    },
    isByCounty: true,
  },
  WA: {
    state: 'Washington',
    url: 'https://fortress.wa.gov/esd/file/WARN/Public/SearchWARN.aspx',
    columns: {
      company: 'company',
      place: 'location',
      people: '# of workers',
      day: 'received date',
      starts: 'layoff start date',
    },
  },
})

/** Notices may be published late, after newer ones. */
const OVERLAP_DAYS = 14
/** Marks of a notice that revokes or repeats an earlier one. */
const REVISION = /\b(?:rescind|rescission|cancel|withdraw|update|amend|revis)\w*\b/i
const NO_PLACE = /\b(?:various|multiple|several|statewide|remote|locations?|sites?)\b|\d/i

/** Layoff notices that employers have to file (WARN Act). Health is reported per state. */
export const warn: Stream = {
  name: NAME,
  source: 'warn',
  feedNames: Object.fromEntries(Object.entries(STATES).map(([feed, list]) => [feed, warnName(list)])),
  feeds: Object.keys(STATES),
  everyMinutes: 12 * 60,
  // Some lists are two months behind.
  firstDays: 75,
  async read(deps, feed, known) {
    const list = STATES[feed]
    if (!list) return failedResult(`${NAME} of ${feed} are not supported.`)
    const since = readStartDay(known, OVERLAP_DAYS)
    const name = warnName(list)
    const rows = list.isDataset
      ? await fetchDatasetRows(deps, name, list, since)
      : await fetchPageRows(deps, name, list)
    if ('outcome' in rows) return rows
    const found = parseEntries(rows, (row) => read(list, row as NoticeRow, since))
    if (!found) return reportUnexpectedFormat(deps, name)
    return feedResult(deps, name, found, newestDayState(deps, found, known.state))
  },
}

function warnName({ state }: WarnList): string {
  return `${NAME} of ${state}`
}

function read(list: WarnList, row: NoticeRow, since: string): StreamItem[] | null {
  const day = parseDate(row.day, 'month-first')
  const name = employerOf(row.company)
  if (!day || name === '') return null
  if (day < since || REVISION.test(row.company)) return []
  const people = /^\d[\d,]{0,8}$/.test(row.people) ? Number(row.people.replaceAll(',', '')) : 0
  const starts = parseDate(row.starts, 'month-first')
  const of = people > 0 ? ` of ${people.toLocaleString('en-US')} ${people === 1 ? 'person' : 'people'}` : ''
  const item = toStreamItem({
    key: [list.state, name, day, row.place, row.people, row.starts].map((part) => cutText(part, 80)).join(' | '),
    company: { name, domain: null },
    signal_id: 'layoffs',
    claim: `${name} gave notice of layoffs${of} in ${placeOf(list, row.place)}${starts ? `, from ${starts}` : ''}.`,
    more: [],
    url: noticeUrl(list, row),
    day,
    hints: {
      named: [],
      witnesses: addressWitnesses({ city: cityOf(list, row.place), state: list.state }),
      country: 'US',
    },
  })
  return [item]
}

/** The employer without the name of the site: "Acme, Inc. d/b/a Arms - Plant 2 (Austin)" is Acme, Inc. */
function employerOf(written: string): string {
  const [legal = ''] = cutText(written, 200).split(/\s+d\/?b\/?a\b/i)
  return readableName(legal.replace(/\s+[-–—]\s.*$/, ''))
}

/** The city of the site; null when only a county or several places are stated. */
function cityOf({ isByCounty }: WarnList, written: string): string | null {
  return isByCounty || written === '' || written.length > 40 || NO_PLACE.test(written) ? null : written
}

function placeOf({ state, isByCounty }: WarnList, written: string): string {
  if (written === '' || written.length > 40 || NO_PLACE.test(written)) return state
  const place = /\p{Ll}/u.test(written)
    ? written
    : written.replaceAll(/\p{L}+/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase())
  return `${place}${isByCounty && !/county/i.test(place) ? ' County' : ''}, ${state}`
}

/**
 * The URL of a notice: the row of the dataset, or the page with a text fragment for the notice. An employer may file
 * several on one day, so each needs a distinct URL.
 */
function noticeUrl({ url, columns, isDataset }: WarnList, row: NoticeRow): string {
  const said = NOTICE_COLUMNS.filter((column) => row[column] !== '')
  if (isDataset)
    return `${url}?${new URLSearchParams(Object.fromEntries(said.map((column) => [columns[column], row[column]])))}`
  return `${url}#:~:${said.map((column) => `text=${encodeURIComponent(row[column]).replaceAll('-', '%2D')}`).join('&')}`
}
