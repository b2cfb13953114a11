import { type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { misshapen } from '../ask.ts'
import type { Found, JobBoardSource, ProviderDeps } from '../types.ts'
import { askBoard, listedPostings } from './posting.ts'

const NAME = 'Lever'
const PACE: Pace = { kind: 'lever', intervalMs: 200, burst: 5, concurrency: 4 }
const PAGE = 100

/** A site lives in one of two instances, and its name does not say in which. */
const HOSTS = ['api.lever.co', 'api.eu.lever.co']

export const lever: JobBoardSource = {
  name: NAME,
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
): Promise<Found<JobPosting> | 'no such site'> {
  const found: JobPosting[] = []
  let given = 0
  // A page beyond the most says whether there is more.
  for (let skip = 0; skip <= MAX_POSTINGS; skip += PAGE) {
    const url = `https://${host}/v0/postings/${encodeURIComponent(token)}?mode=json&skip=${skip}&limit=${PAGE}`
    const asked = await askBoard(deps, { name: NAME, vendor: 'lever', token, pace: PACE }, url)
    if (asked.outcome === 'nothing' && skip === 0) return 'no such site'
    // A board that ends in the middle was not read; part of it would look like closed positions.
    if (asked.outcome === 'nothing') return misshapen(deps, NAME)
    if (asked.outcome === 'failed') return asked
    found.push(...asked.value.postings)
    given += asked.value.given
    if (asked.value.given < PAGE) break
  }
  return listedPostings(deps, NAME, found, given)
}
