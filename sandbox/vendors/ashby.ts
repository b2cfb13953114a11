import type { Vendor } from '../types.ts'
import { countryOf, findBoard, html, json } from './boards.ts'

/** https://developers.ashbyhq.com/docs/public-job-posting-api */
export const ashby: Vendor = {
  name: 'ashby',
  hosts: ['api.ashbyhq.com'],
  answer({ url }, world) {
    const token = /^\/posting-api\/job-board\/([^/]+)$/.exec(url.pathname)?.[1]
    const board = findBoard(world, 'ashby', token && decodeURIComponent(token))
    if (!board) return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' }
    const jobs = board.postings.map((posting) => ({
      id: posting.id,
      title: posting.title,
      department: posting.department,
      team: posting.department,
      employmentType: 'FullTime',
      location: posting.city,
      shouldDisplayCompensationOnJobPostings: false,
      secondaryLocations: [],
      publishedAt: `${posting.published}T09:00:00.000+00:00`,
      isListed: !posting.unlisted,
      isRemote: false,
      workplaceType: 'OnSite',
      address: { postalAddress: { addressLocality: posting.city, addressCountry: countryOf(posting) } },
      jobUrl: `https://jobs.ashbyhq.com/${token}/${posting.id}`,
      applyUrl: `https://jobs.ashbyhq.com/${token}/${posting.id}/application`,
      descriptionHtml: html(posting.text),
      descriptionPlain: posting.text,
    }))
    return json(200, { jobs, apiVersion: '1' })
  },
}
