import { type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { misshapen } from '../ask.ts'
import type { JobBoardSource } from '../types.ts'
import { askBoard, listedPostings } from './posting.ts'

const NAME = 'SmartRecruiters'
const PACE: Pace = { kind: 'smartrecruiters', intervalMs: 200, burst: 5, concurrency: 4 }
/** The most the API gives at once. */
const PAGE = 100

/** An unknown company is answered as one without postings. */
export const smartrecruiters: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    const found: JobPosting[] = []
    let given = 0
    let total: number | null = null
    for (let offset = 0; offset < MAX_POSTINGS; offset += PAGE) {
      const company = encodeURIComponent(token)
      const url = `https://api.smartrecruiters.com/v1/companies/${company}/postings?limit=${PAGE}&offset=${offset}`
      const asked = await askBoard(deps, { name: NAME, vendor: 'smartrecruiters', token, pace: PACE }, url)
      if (asked.outcome === 'nothing' && offset > 0) return misshapen(deps, NAME)
      if (asked.outcome !== 'answer') return asked
      total = asked.value.total
      if (total === null) return misshapen(deps, NAME)
      found.push(...asked.value.postings)
      given += asked.value.given
      if (asked.value.given === 0 || offset + PAGE >= total) break
    }
    // An empty answer may be one for a company that is not there.
    return total ? listedPostings(deps, NAME, found, given, total) : { outcome: 'nothing' }
  },
}
