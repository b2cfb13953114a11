import type { Vendor } from '../types.ts'
import { findBoard, html, json, listedPostings } from './boards.ts'

/** https://developers.smartrecruiters.com/docs/posting-api. An unknown company has an empty list of postings. */
export const smartrecruiters: Vendor = {
  name: 'smartrecruiters',
  hosts: ['api.smartrecruiters.com'],
  answer({ url }, world) {
    const [, token, id] = /^\/v1\/companies\/([^/]+)\/postings(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    const board = findBoard(world, 'smartrecruiters', token)
    const open = board ? listedPostings(board) : []
    const postings = open.map((posting) => ({
      id: posting.id,
      uuid: posting.id,
      name: posting.title,
      refNumber: `REF${posting.id}`,
      company: { identifier: token, name: board?.company.name },
      releasedDate: `${posting.published}T09:00:00.000Z`,
      location: { city: posting.city, region: '', country: posting.country_code.toLowerCase(), remote: false },
      department: { id: posting.department.toLowerCase(), label: posting.department },
      function: { id: 'other', label: posting.department },
      typeOfEmployment: { label: 'Full-time' },
      experienceLevel: { id: 'associate', label: 'Associate' },
      customField: [],
      ref: `https://api.smartrecruiters.com/v1/companies/${token}/postings/${posting.id}`,
    }))
    if (id) {
      const index = open.findIndex((posting) => posting.id === id)
      const text = html(open[index]?.text ?? '')
      if (index < 0) return json(404, { message: 'Posting not found', errors: [] })
      return json(200, {
        ...postings[index],
        active: true,
        jobAd: { sections: { jobDescription: { title: 'Job Description', text } } },
      })
    }
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 10), 100)
    const offset = Number(url.searchParams.get('offset') ?? 0)
    return json(200, { offset, limit, totalFound: postings.length, content: postings.slice(offset, offset + limit) })
  },
}
