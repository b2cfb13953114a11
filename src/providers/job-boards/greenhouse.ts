import type { Pace } from '../../outbound/pacing.ts'
import { askJson, misshapen } from '../ask.ts'
import { countryOfLocation } from '../countries.ts'
import { dayAt, listAt, textAt, urlAt } from '../json.ts'
import type { JobBoardSource, Posting } from '../types.ts'
import { listed, MAX_BOARD_BYTES, MAX_POSTINGS, posting } from './posting.ts'

const NAME = 'Greenhouse'
const PACE: Pace = { kind: 'greenhouse', intervalMs: 200, burst: 5, concurrency: 4 }

export const greenhouse: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    // Departments come only together with the descriptions.
    const url = `https://boards-api.greenhouse.io/v1/boards/${encodeURIComponent(token)}/jobs?content=true`
    const asked = await askJson(deps, NAME, url, { pace: PACE, maxBytes: MAX_BOARD_BYTES })
    if (asked.outcome !== 'answer') return asked
    const jobs = listAt(asked.value, 'jobs')
    return jobs ? listed(deps, NAME, jobs.slice(0, MAX_POSTINGS).flatMap(read), jobs.length) : misshapen(deps, NAME)
  },
}

function read(job: unknown): Posting[] {
  const location = textAt(job, 'location', 'name')
  return posting({
    url: urlAt(job, 'absolute_url'),
    title: textAt(job, 'title'),
    department: textAt(listAt(job, 'departments')?.[0], 'name'),
    location,
    country_code: countryOfLocation(location),
    // `updated_at` moves with every edit and is no day of publication.
    published_date: dayAt(job, 'first_published'),
  })
}
