import type { Vendor } from '../types.ts'
import { countryOf, findBoard, html, json } from './boards.ts'

/** Offers behind careers pages on {company}.recruitee.com. */
export const recruitee: Vendor = {
  name: 'recruitee',
  hosts: ['*.recruitee.com'],
  answer({ url }, world) {
    const token = url.hostname.split('.')[0]
    const board = findBoard(world, 'recruitee', token)
    if (!board || !/^\/api\/offers\/?$/.test(url.pathname)) return json(404, { error: ['Not found'] })
    const offers = board.postings.map((posting, i) => ({
      id: 1_000 + i,
      slug: posting.id,
      position: i + 1,
      status: posting.unlisted ? 'closed' : 'published',
      title: posting.title,
      description: html(posting.text),
      requirements: '',
      location: `${posting.city}, ${countryOf(posting)}`,
      city: posting.city,
      country: countryOf(posting),
      country_code: posting.country_code,
      remote: false,
      department: posting.department,
      employment_type_code: 'fulltime_permanent',
      company_name: board.company.name,
      careers_url: `https://${token}.recruitee.com/o/${posting.id}`,
      careers_apply_url: `https://${token}.recruitee.com/o/${posting.id}/c/new`,
      published_at: `${posting.published} 09:00:00 UTC`,
      created_at: `${posting.published} 09:00:00 UTC`,
    }))
    return json(200, { offers })
  },
}
