import type { Vendor, World } from '../types.ts'
import { countryOf, findBoard, json, listedPostings } from './boards.ts'

const DAY_MS = 86_400_000

/** The list behind careers sites on myworkdayjobs.com. Only the first page has the total. */
export const workday: Vendor = {
  name: 'workday',
  hosts: ['*.myworkdayjobs.com'],
  answer({ url, method, body }, world) {
    const [, tenant, site] = /^\/wday\/cxs\/([^/]+)\/([^/]+)\/jobs$/.exec(url.pathname) ?? []
    const instance = url.hostname.replace('.myworkdayjobs.com', '')
    const board = instance.startsWith(`${tenant}.`) ? findBoard(world, 'workday', `${instance}/${site}`) : null
    if (!board || method !== 'POST') return json(404, { errorCode: 'HTTP_404', httpStatus: 404, message: 'Not found' })
    const { limit, offset } = JSON.parse(body) as { limit: number; offset: number }
    if (limit > 20) return json(400, { errorCode: 'HTTP_400', httpStatus: 400, message: 'Invalid limit' })
    const listed = listedPostings(board)
    const jobPostings = listed.slice(offset, offset + limit).map((posting) => ({
      title: posting.title,
      externalPath: `/job/${encodeURIComponent(posting.city)}/${encodeURIComponent(posting.id)}`,
      locationsText: `${posting.city}, ${countryOf(posting)}`,
      postedOn: ageOf(posting.published, world),
      bulletFields: [posting.id],
    }))
    return json(200, { total: offset === 0 ? listed.length : 0, jobPostings, facets: [], userAuthenticated: false })
  },
}

function ageOf(published: string, { today }: World): string {
  const days = Math.round((Date.parse(today) - Date.parse(published)) / DAY_MS)
  if (days <= 0) return 'Posted Today'
  if (days === 1) return 'Posted Yesterday'
  return days > 30 ? 'Posted 30+ Days Ago' : `Posted ${days} Days Ago`
}
