import type { Pace } from '../../outbound/pacing.ts'
import { askJson, misshapen } from '../ask.ts'
import { countryCode, countryOfLocation } from '../countries.ts'
import { at, dayAt, listAt, textAt, urlAt } from '../json.ts'
import type { JobBoardSource, Posting } from '../types.ts'
import { listed, MAX_BOARD_BYTES, MAX_POSTINGS, posting } from './posting.ts'

const NAME = 'Ashby'
const PACE: Pace = { kind: 'ashby', intervalMs: 200, burst: 5, concurrency: 4 }

export const ashby: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    const url = `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(token)}`
    const asked = await askJson(deps, NAME, url, { pace: PACE, maxBytes: MAX_BOARD_BYTES })
    if (asked.outcome !== 'answer') return asked
    const jobs = listAt(asked.value, 'jobs')
    if (!jobs) return misshapen(deps, NAME)
    // An unlisted posting is reached by its link only: the company does not advertise it.
    const advertised = jobs.filter((job) => at(job, 'isListed') !== false)
    return listed(deps, NAME, advertised.slice(0, MAX_POSTINGS).flatMap(read), advertised.length)
  },
}

function read(job: unknown): Posting[] {
  const location = textAt(job, 'location')
  const country = textAt(job, 'address', 'postalAddress', 'addressCountry')
  return posting({
    url: urlAt(job, 'jobUrl'),
    title: textAt(job, 'title'),
    department: textAt(job, 'department') ?? textAt(job, 'team'),
    location,
    country_code: countryCode(country) ?? countryOfLocation(location),
    published_date: dayAt(job, 'publishedAt'),
  })
}
