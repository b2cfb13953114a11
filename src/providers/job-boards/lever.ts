import { type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { JobBoardSource, ProviderDeps, SourceResult } from '../types.ts'
import { fetchBoard, postingsResult } from './fetch-board.ts'

const NAME = 'Lever'
const PACE: Pace = { kind: 'lever', intervalMs: 200, burst: 5, concurrency: 4 }
const PAGE = 100

/** A board is in one of two instances, and its token does not show which. */
const HOSTS = ['api.lever.co', 'api.eu.lever.co']

export const lever: JobBoardSource = {
  name: NAME,
  example: 'leverdemo',
  async postings(deps, token) {
    for (const host of HOSTS) {
      const found = await postingsAt(deps, host, token)
      if (found !== 'no such site') return found
    }
    return { outcome: 'nothing' }
  },
}

async function postingsAt(
  deps: ProviderDeps,
  host: string,
  token: string,
): Promise<SourceResult<JobPosting> | 'no such site'> {
  const found: JobPosting[] = []
  let given = 0
  // One page beyond the limit shows whether there are more.
  for (let skip = 0; skip <= MAX_POSTINGS; skip += PAGE) {
    const url = `https://${host}/v0/postings/${encodeURIComponent(token)}?mode=json&skip=${skip}&limit=${PAGE}`
    const response = await fetchBoard(deps, { name: NAME, vendor: 'lever', token, pace: PACE }, url)
    if (response.outcome === 'nothing' && skip === 0) return 'no such site'
    // A partial board would make the missing positions look closed.
    if (response.outcome === 'nothing') return reportUnexpectedFormat(deps, NAME)
    if (response.outcome === 'failed') return response
    found.push(...response.value.postings)
    given += response.value.given
    if (response.value.given < PAGE) break
  }
  return postingsResult(deps, NAME, found, given)
}
