import type { Pace } from '../../outbound/pacing.ts'
import { askJson, misshapen } from '../ask.ts'
import { countryCode } from '../countries.ts'
import { dayAt, listAt, textAt, urlAt } from '../json.ts'
import type { JobBoardSource, Posting } from '../types.ts'
import { listed, MAX_BOARD_BYTES, MAX_POSTINGS, placeOf, posting } from './posting.ts'

const NAME = 'Workable'
/** All companies share one host, which shuts out whoever comes more than once in a second or two. */
const PACE: Pace = { kind: 'workable', intervalMs: 2_000, burst: 3, concurrency: 1 }

export const workable: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    const url = `https://apply.workable.com/api/v1/widget/accounts/${encodeURIComponent(token)}`
    const asked = await askJson(deps, NAME, url, { pace: PACE, maxBytes: MAX_BOARD_BYTES })
    if (asked.outcome !== 'answer') return asked
    const jobs = listAt(asked.value, 'jobs')
    return jobs ? listed(deps, NAME, jobs.slice(0, MAX_POSTINGS).flatMap(read), jobs.length) : misshapen(deps, NAME)
  },
}

function read(job: unknown): Posting[] {
  const country = textAt(job, 'country')
  return posting({
    url: urlAt(job, 'url') ?? urlAt(job, 'shortlink'),
    title: textAt(job, 'title'),
    department: textAt(job, 'department'),
    location: placeOf(textAt(job, 'city'), textAt(job, 'state'), country),
    country_code: countryCode(country),
    published_date: dayAt(job, 'published_on'),
  })
}
