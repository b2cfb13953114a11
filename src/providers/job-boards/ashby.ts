import type { Pace } from '../../outbound/pacing.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchWholeBoard } from './fetch-board.ts'

const NAME = 'Ashby'
const PACE: Pace = { kind: 'ashby', intervalMs: 200, burst: 5, concurrency: 4 }

export const ashby: JobBoardSource = {
  name: NAME,
  example: 'Ashby',
  postings(deps, token) {
    const url = `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(token)}`
    return fetchWholeBoard(deps, { name: NAME, vendor: 'ashby', token, pace: PACE }, url)
  },
}
