import type { Vendor } from '../types.ts'
import { countryOf, findBoard, html, json, listedPostings } from './boards.ts'

/** The widget behind careers pages on apply.workable.com. */
export const workable: Vendor = {
  name: 'workable',
  hosts: ['apply.workable.com'],
  answer({ url }, world) {
    const token = /^\/api\/v1\/widget\/accounts\/([^/]+)$/.exec(url.pathname)?.[1]
    const board = findBoard(world, 'workable', token)
    if (!board) return json(404, { error: 'Not found' })
    const jobs = listedPostings(board).map((posting) => ({
      title: posting.title,
      shortcode: posting.id,
      code: '',
      employment_type: 'Full-time',
      telecommuting: false,
      department: posting.department,
      url: `https://apply.workable.com/j/${posting.id}`,
      shortlink: `https://apply.workable.com/j/${posting.id}`,
      application_url: `https://apply.workable.com/j/${posting.id}/apply`,
      published_on: posting.published,
      created_at: posting.published,
      country: countryOf(posting),
      city: posting.city,
      state: '',
      education: '',
      experience: '',
      function: '',
      industry: '',
      locations: [{ country: countryOf(posting), countryCode: posting.country_code, city: posting.city, region: '' }],
      ...(url.searchParams.get('details') === 'true' && { description: html(posting.text) }),
    }))
    return json(200, { name: board.company.name, description: html(board.company.description), jobs })
  },
}
