import { boardUrl } from '../../engine/page/links.ts'
import type { Pace } from '../../outbound/pacing.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchWholeBoard, invalidToken, isHostToken } from './fetch-board.ts'

const NAME = 'Personio'
const PACE: Pace = { kind: 'personio', intervalMs: 1_000, burst: 2, concurrency: 1 }

export const personio: JobBoardSource = {
  name: NAME,
  example: null,
  postings(deps, token) {
    if (!isHostToken(token)) return invalidToken(NAME, token)
    // An unknown company is redirected to the vendor's own site.
    const isMissing = ({ hostname }: URL) => /^(?:www\.)?personio\.(?:de|com)$/.test(hostname)
    const board = { name: NAME, vendor: 'personio' as const, token, pace: PACE, accept: 'application/xml', isMissing }
    return fetchWholeBoard(deps, board, `${boardUrl('personio', token)}xml?language=en`)
  },
}
