import type { SandboxResponse, SandboxStatusPage, Vendor } from '../types.ts'
import { escapeHtml, json } from './boards.ts'

/** https://support.atlassian.com/statuspage: the public API of every page, at the vendor's or the company's domain. */
export const statuspage: Vendor = {
  name: 'statuspage',
  hosts: ['*.statuspage.io', 'status.*'],
  answer({ url }, { companies }) {
    const page = companies.find(({ status_page }) => status_page?.host === url.hostname)?.status_page
    if (!page) return NOT_FOUND
    if (url.pathname === '/robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: '' }
    const pageFields = { id: 'y2j98763l56x', name: page.name, url: `https://${page.host}`, time_zone: 'Etc/UTC' }
    if (url.pathname === '/api/v2/incidents.json') {
      return json(200, { page: pageFields, incidents: page.incidents.map((incident) => incidentOf(incident)) })
    }
    const shown = page.incidents.find(({ id }) => url.pathname === `/incidents/${id}`)
    return shown ? html(`${page.name} - ${shown.name}`, shown.updates) : NOT_FOUND
  },
}

type Incident = SandboxStatusPage['incidents'][number]

const NOT_FOUND: SandboxResponse = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }

const STATES = ['investigating', 'identified', 'monitoring', 'resolved']

/** The latest update comes first. */
function incidentOf({ id, name, impact, created, updates }: Incident) {
  const moment = (at: number) => `${created}T${String(9 + at).padStart(2, '0')}:10:00.000Z`
  return {
    id,
    name,
    status: 'resolved',
    created_at: moment(0),
    updated_at: moment(updates.length),
    monitoring_at: null,
    resolved_at: moment(updates.length),
    impact,
    shortlink: `https://stspg.io/${id}`,
    started_at: moment(0),
    page_id: 'y2j98763l56x',
    incident_updates: updates
      .map((body, at) => ({
        id: `${id}-${at}`,
        status: at === updates.length - 1 ? 'resolved' : STATES[Math.min(at, 2)],
        body,
        incident_id: id,
        created_at: moment(at),
        updated_at: moment(at),
        display_at: moment(at),
        affected_components: null,
        deliver_notifications: true,
      }))
      .toReversed(),
    components: [],
    reminder_intervals: null,
  }
}

function html(title: string, updates: readonly string[]): SandboxResponse {
  const body = `<title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${updates.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
