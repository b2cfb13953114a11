import { boardUrl } from '../../engine/page/links.ts'
import { type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchBoard, invalidToken, isHostToken, postingsResult } from './fetch-board.ts'

const NAME = 'Teamtailor'
const PACE: Pace = { kind: 'teamtailor', intervalMs: 500, burst: 3, concurrency: 1 }
const PAGE = 100

/** The feed of a careers site, at the vendor's or the company's domain. */
export const teamtailor: JobBoardSource = {
  name: NAME,
  example: 'career',
  async postings(deps, token) {
    if (!isHostToken(token)) return invalidToken(NAME, token)
    // A site that no longer exists is redirected to the vendor's own, one with a domain of its own to that domain.
    const isMissing = ({ hostname }: URL) => /^(?:www\.)?teamtailor\.com$/.test(hostname)
    const board = {
      name: NAME,
      vendor: 'teamtailor' as const,
      token,
      pace: PACE,
      accept: 'application/rss+xml',
      isMissing,
    }
    const found: JobPosting[] = []
    let given = 0
    for (let offset = 0; offset <= MAX_POSTINGS; offset += PAGE) {
      const url = `${boardUrl('teamtailor', token)}jobs.rss?offset=${offset}&per_page=${PAGE}`
      const response = await fetchBoard(deps, board, url)
      if (response.outcome === 'nothing' && offset > 0) return reportUnexpectedFormat(deps, NAME)
      if (response.outcome !== 'ok') return response
      found.push(...response.value.postings)
      given += response.value.given
      if (response.value.given < PAGE) break
    }
    return postingsResult(deps, NAME, found, given)
  },
}
