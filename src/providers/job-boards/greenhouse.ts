import type { Pace } from '../../outbound/pacing.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchWholeBoard } from './fetch-board.ts'

const NAME = 'Greenhouse'
const PACE: Pace = { kind: 'greenhouse', intervalMs: 200, burst: 5, concurrency: 4 }

export const greenhouse: JobBoardSource = {
  name: NAME,
  example: 'stripe',
  postings(deps, token) {
    // Departments are only included together with the descriptions.
    const url = `https://boards-api.greenhouse.io/v1/boards/${encodeURIComponent(token)}/jobs?content=true`
    return fetchWholeBoard(deps, { name: NAME, vendor: 'greenhouse', token, pace: PACE }, url)
  },
}
