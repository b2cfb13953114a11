import type { Pace } from '../../outbound/pacing.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchWholeBoard } from './fetch-board.ts'

const NAME = 'Workable'
/** All companies share one host, which blocks clients with more than one request in a second or two. */
const PACE: Pace = { kind: 'workable', intervalMs: 2_000, burst: 3, concurrency: 1 }

export const workable: JobBoardSource = {
  name: NAME,
  example: null,
  postings(deps, token) {
    const url = `https://apply.workable.com/api/v1/widget/accounts/${encodeURIComponent(token)}`
    return fetchWholeBoard(deps, { name: NAME, vendor: 'workable', token, pace: PACE }, url)
  },
}
