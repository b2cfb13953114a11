import type { Vendor } from '../types.ts'
import { countryOf, escapeHtml, findBoard, html, json, listedPostings } from './boards.ts'

/** https://developers.greenhouse.io/job-board.html */
export const greenhouse: Vendor = {
  name: 'greenhouse',
  hosts: ['boards-api.greenhouse.io'],
  answer({ url }, world) {
    const token = /^\/v1\/boards\/([^/]+)\/jobs$/.exec(url.pathname)?.[1]
    const board = findBoard(world, 'greenhouse', token)
    if (!board) return json(404, { status: 404, error: 'Job not found' })
    const jobs = listedPostings(board).map((posting, i) => ({
      absolute_url: `https://job-boards.greenhouse.io/${token}/jobs/${posting.id}`,
      data_compliance: [],
      internal_job_id: 4_000_000 + i,
      location: { name: `${posting.city}, ${countryOf(posting)}` },
      metadata: null,
      id: posting.id,
      updated_at: `${world.today}T04:00:00-04:00`,
      requisition_id: `R-${i + 1}`,
      title: posting.title,
      company_name: board.company.name,
      first_published: `${posting.published}T09:00:00-04:00`,
      ...(url.searchParams.get('content') === 'true' && {
        content: escapeHtml(html(posting.text)),
        departments: [{ id: 100 + i, name: posting.department, child_ids: [], parent_id: null }],
        offices: [{ id: 200 + i, name: posting.city, location: posting.city, child_ids: [], parent_id: null }],
      }),
    }))
    return json(200, { jobs, meta: { total: jobs.length } })
  },
}
