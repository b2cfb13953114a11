import type { Pace } from '../../outbound/pacing.ts'
import { askJson, misshapen } from '../ask.ts'
import { countryCode } from '../countries.ts'
import { at, dayAt, listAt, numberAt, textAt } from '../json.ts'
import type { JobBoardSource, Posting } from '../types.ts'
import { listed, MAX_BOARD_BYTES, MAX_POSTINGS, placeOf, posting } from './posting.ts'

const NAME = 'SmartRecruiters'
const PACE: Pace = { kind: 'smartrecruiters', intervalMs: 200, burst: 5, concurrency: 4 }
/** The most the API gives at once. */
const PAGE = 100

/** An unknown company is answered as one without postings. */
export const smartrecruiters: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    const found: Posting[] = []
    let given = 0
    let total: number | null = null
    for (let offset = 0; offset < MAX_POSTINGS; offset += PAGE) {
      const company = encodeURIComponent(token)
      const url = `https://api.smartrecruiters.com/v1/companies/${company}/postings?limit=${PAGE}&offset=${offset}`
      const asked = await askJson(deps, NAME, url, { pace: PACE, maxBytes: MAX_BOARD_BYTES })
      if (asked.outcome === 'nothing' && offset > 0) return misshapen(deps, NAME)
      if (asked.outcome !== 'answer') return asked
      const page = listAt(asked.value, 'content')
      total = numberAt(asked.value, 'totalFound')
      if (!page || total === null) return misshapen(deps, NAME)
      found.push(...page.flatMap((job) => read(job, token)))
      given += page.length
      if (page.length === 0 || offset + PAGE >= total) break
    }
    // An empty answer may be one for a company that is not there.
    return total ? listed(deps, NAME, found, given, total) : { outcome: 'nothing' }
  },
}

function read(job: unknown, token: string): Posting[] {
  const id = textAt(job, 'id')
  const code = countryCode(textAt(job, 'location', 'country'))
  const remote = at(job, 'location', 'remote') === true ? 'Remote' : null
  return posting({
    url: id && `https://jobs.smartrecruiters.com/${encodeURIComponent(token)}/${encodeURIComponent(id)}`,
    title: textAt(job, 'name'),
    department: textAt(job, 'department', 'label') ?? textAt(job, 'function', 'label'),
    location: placeOf(textAt(job, 'location', 'city'), textAt(job, 'location', 'region'), code, remote),
    country_code: code,
    published_date: dayAt(job, 'releasedDate'),
  })
}
