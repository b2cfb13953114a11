import type { LayoffNotice, SandboxResponse, Vendor, World } from '../types.ts'
import { escapeHtml, json } from './boards.ts'

type State = LayoffNotice['state']

const LISTS: Record<State, string> = {
  TX: 'https://data.texas.gov/resource/8w53-c4f6.json',
  OR: 'https://data.oregon.gov/resource/ijbz-jpx8.json',
  IN: 'https://www.in.gov/dwd/warn-notices/current-warn-notices/',
  TN: 'https://www.tn.gov/workforce/general-resources/major-publications0/major-publications-redirect/reports.html',
  WA: 'https://fortress.wa.gov/esd/file/WARN/Public/SearchWARN.aspx',
}

/** Lists of layoff notices: open datasets of two states, pages of three. */
export const warn: Vendor = {
  name: 'warn',
  hosts: Object.values(LISTS).map((url) => new URL(url).hostname),
  answer({ url }, world) {
    const state = (Object.keys(LISTS) as State[]).find((one) => LISTS[one] === url.origin + url.pathname)
    if (!state) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' }
    const notices = newestFirst(world, state)
    return state === 'TX' || state === 'OR' ? dataset(url, state, notices) : page(state, notices)
  },
}

/** The public URL of a notice. */
export function noticeUrl(notice: LayoffNotice): string {
  const { state, company, place, people, noticed, starts } = notice
  if (state === 'TX' || state === 'OR') {
    const row = state === 'TX' ? texas(notice) : oregon(notice)
    return `${LISTS[state]}?${new URLSearchParams(Object.fromEntries(FIELDS[state].map((field) => [field, row[field] ?? ''])))}`
  }
  const marked = [company, place, String(people), american(noticed), american(starts)]
  return `${LISTS[state]}#:~:${marked.map((text) => `text=${encodeURIComponent(text).replaceAll('-', '%2D')}`).join('&')}`
}

/** Identifies a row of a dataset. */
const FIELDS = {
  TX: ['job_site_name', 'city_name', 'total_layoff_number', 'notice_date', 'layoff_date'],
  OR: ['company_name', 'city', 'laid_off', 'received_date', 'layoff_date'],
}

function newestFirst({ notices = [] }: World, state: State): LayoffNotice[] {
  const own = notices.filter((notice) => notice.state === state)
  return own.sort((a, b) => (a.noticed < b.noticed ? 1 : a.noticed > b.noticed ? -1 : 0))
}

/** https://dev.socrata.com: `$where`, `$order` and `$limit`, or a value for a field. */
function dataset({ searchParams }: URL, state: 'TX' | 'OR', notices: LayoffNotice[]): SandboxResponse {
  const [, field, since = ''] = /^(\w+) >= '(\d{4}-\d\d-\d\d)T/.exec(searchParams.get('$where') ?? '') ?? []
  const limit = Number(searchParams.get('$limit') ?? 1000)
  const wanted = [...searchParams].filter(([name]) => !name.startsWith('$'))
  const rows = notices.map((notice) => (state === 'TX' ? texas(notice) : oregon(notice)))
  const found = rows.filter(
    (row) => (!field || (row[field] ?? '') >= since) && wanted.every(([name, value]) => row[name] === value),
  )
  return json(200, found.slice(0, limit))
}

const moment = (day: string) => `${day}T00:00:00.000`

function texas({ company, place, people, noticed, starts }: LayoffNotice): Record<string, string> {
  return {
    notice_date: moment(noticed),
    job_site_name: company,
    county_name: 'Travis',
    wda_name: 'Capital Area',
    total_layoff_number: String(people),
    layoff_date: moment(starts),
    wfdd_received_date: moment(noticed),
    city_name: place,
  }
}

function oregon({ company, place, people, noticed, starts }: LayoffNotice): Record<string, string> {
  return {
    warn: '9507',
    company_name: company,
    city: place,
    state: 'OR',
    laid_off: String(people),
    layoff_type: 'Permanent closure',
    layoff_date: moment(starts),
    received_date: moment(noticed),
  }
}

const american = (day: string) => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`

const COLUMNS: Record<'IN' | 'TN' | 'WA', [header: string, cell: (notice: LayoffNotice) => string][]> = {
  IN: [
    ['Company', ({ company }) => company],
    ['City', ({ place }) => place],
    ['Affected Workers', ({ people }) => String(people)],
    ['Notice Date', ({ noticed }) => american(noticed)],
    ['LO/CL Date', ({ starts }) => american(starts)],
    ['NAICS', () => '331511'],
    ['Notice Type', () => 'CL'],
  ],
  TN: [
    ['Date of Posting', ({ noticed }) => american(noticed)],
    ['Company', ({ company }) => company],
    ['County', ({ place }) => place],
    ['Affected Workers', ({ people }) => String(people)],
    ['Closure/Layoff Date', ({ starts }) => american(starts)],
    ['Notice/Type', () => '#202600012'],
  ],
  WA: [
    ['Company', ({ company }) => company],
    ['Location', ({ place }) => place],
    ['Layoff Start Date', ({ starts }) => american(starts)],
    ['# of Workers', ({ people }) => String(people)],
    ['Closure Layoff', () => 'Layoff'],
    ['Type of Layoff', () => 'Permanent'],
    ['Received Date', ({ noticed }) => american(noticed)],
    ['Notice', () => 'View'],
  ],
}

/** Washington shows fifteen rows, and a pager that is a nested table. */
function page(state: 'IN' | 'TN' | 'WA', notices: LayoffNotice[]): SandboxResponse {
  const columns = COLUMNS[state]
  const row = (cells: string[], tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const shown = state === 'WA' ? notices.slice(0, 15) : notices
  const rows = shown.map((notice) => row(columns.map(([, cell]) => escapeHtml(cell(notice)))))
  const pager = state === 'WA' ? '<tr><td colspan="8"><table><tr><td><span>1</span></td></tr></table></td></tr>' : ''
  const header = row(
    columns.map(([name]) => name),
    'th',
  )
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><head><title>WARN Notices</title></head><body><h1>WARN Notices</h1>
<table><tbody>${header}\n${rows.join('\n')}\n${pager}</tbody></table></body></html>`,
  }
}
