import type { Pace } from '../../outbound/pacing.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchWholeBoard, invalidToken } from './fetch-board.ts'

const NAME = 'Recruitee'
const PACE: Pace = { kind: 'recruitee', intervalMs: 200, burst: 5, concurrency: 2 }
/** The token becomes part of a host name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

export const recruitee: JobBoardSource = {
  name: NAME,
  example: 'tellent',
  async postings(deps, token) {
    if (!LABEL.test(token)) return invalidToken(NAME, token)
    const url = `https://${token.toLowerCase()}.recruitee.com/api/offers/`
    return fetchWholeBoard(deps, { name: NAME, vendor: 'recruitee', token, pace: PACE }, url)
  },
}
