import { type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchBoard, postingsResult } from './fetch-board.ts'

const NAME = 'SmartRecruiters'
const PACE: Pace = { kind: 'smartrecruiters', intervalMs: 200, burst: 5, concurrency: 4 }
/** The maximum page size of the API. */
const PAGE = 100

/** The API returns an empty list for an unknown company. */
export const smartrecruiters: JobBoardSource = {
  name: NAME,
  example: 'smartrecruiters',
  async postings(deps, token) {
    const found: JobPosting[] = []
    let given = 0
    let total: number | null = null
    for (let offset = 0; offset < MAX_POSTINGS; offset += PAGE) {
      const company = encodeURIComponent(token)
      const url = `https://api.smartrecruiters.com/v1/companies/${company}/postings?limit=${PAGE}&offset=${offset}`
      const response = await fetchBoard(deps, { name: NAME, vendor: 'smartrecruiters', token, pace: PACE }, url)
      if (response.outcome === 'nothing' && offset > 0) return reportUnexpectedFormat(deps, NAME)
      if (response.outcome !== 'ok') return response
      total = response.value.total
      if (total === null) return reportUnexpectedFormat(deps, NAME)
      found.push(...response.value.postings)
      given += response.value.given
      if (response.value.given === 0 || offset + PAGE >= total) break
    }
    // An empty list may mean that the company does not exist.
    return total ? postingsResult(deps, NAME, found, given, total) : { outcome: 'nothing' }
  },
}
