import type { Vendor } from '../types.ts'
import { countryOf, findBoard, html, json, listedPostings } from './boards.ts'

const EU = 'api.eu.lever.co'

/** https://github.com/lever/postings-api */
export const lever: Vendor = {
  name: 'lever',
  hosts: ['api.lever.co', EU],
  answer({ url }, world) {
    const token = /^\/v0\/postings\/([^/]+)$/.exec(url.pathname)?.[1]
    const board = findBoard(world, 'lever', token)
    const isHere = board && (board.region === 'eu') === (url.hostname === EU)
    if (!isHere) return json(404, { ok: false, error: 'Document not found' })
    const skip = Number(url.searchParams.get('skip') ?? 0)
    const limit = Number(url.searchParams.get('limit') ?? 1_000)
    const site = url.hostname === EU ? 'jobs.eu.lever.co' : 'jobs.lever.co'
    const postings = listedPostings(board).map((posting) => ({
      id: posting.id,
      text: posting.title,
      categories: {
        commitment: 'Full-time',
        department: posting.department,
        location: `${posting.city}, ${countryOf(posting)}`,
        team: posting.department,
        allLocations: [posting.city],
      },
      country: posting.country_code,
      createdAt: Date.parse(posting.published),
      description: html(posting.text),
      descriptionPlain: posting.text,
      lists: [],
      additional: '',
      additionalPlain: '',
      hostedUrl: `https://${site}/${token}/${posting.id}`,
      applyUrl: `https://${site}/${token}/${posting.id}/apply`,
      workplaceType: 'onsite',
    }))
    return json(200, postings.slice(skip, skip + limit))
  },
}
