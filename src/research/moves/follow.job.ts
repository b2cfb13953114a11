import { companyKey } from '../../engine/companies/company-names.ts'
import { profileUrlKey } from '../../engine/people/profile-url.ts'
import { defineJob } from '../../jobs/define.ts'
import { type CurrentJob, fetchCurrentJob } from '../../providers/people-data/current-job.ts'
import { PDL } from '../../providers/people-data/people-data-labs.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { isoDate } from '../../shared/days.ts'
import { type FoundMove, keepMoves } from './keep.ts'
import { type Followed, followedPeople, markFollowed } from './known-people-store.ts'

/** Whoever was asked about in these days is not asked about again: a job that is given back goes on with the others. */
const ASKED_DAYS = 6
/** A vendor that fails so often in a row is not asked further: its quota is used up, or it is away. */
const MAX_FAILURES = 3

/** Asks People Data Labs every week where those are who are followed on purpose. */
export const followPeople = defineJob<object>({
  name: 'follow-people',
  schedule: '23 4 * * 1',
  concurrency: 1,
  timeout: 3_600,
  async run(deps, _payload, { signal, progressed }) {
    const { db, config, log } = deps
    if (config.PDL_API_KEY === null || config.PDL_MAX_FOLLOWED === 0) return
    const today = isoDate(deps.now())
    let failures = 0
    for (const person of await followedPeople(db, config.PDL_MAX_FOLLOWED, ASKED_DAYS)) {
      signal.throwIfAborted()
      const { workspace_id, id, full_name, network_url, company, domain } = person
      const ref = { full_name, network_url, company: { name: company, domain } }
      const found = await fetchCurrentJob(toProviderDeps(deps, signal), ref)
      if (found.outcome === 'failed') {
        log.warn({ reason: found.reason }, 'a followed person could not be asked about')
        if (++failures >= MAX_FAILURES) return
        continue
      }
      failures = 0
      const [job] = found.outcome === 'items' ? found.items : []
      const move = job && moveTo(person, job, today)
      if (move) await keepMoves(deps, workspace_id, [move], today, signal)
      await markFollowed(db, workspace_id, id)
      await progressed()
    }
  },
})

/** What a record says of somebody's move, if it is theirs by its page, and later than what is known of them. */
function moveTo(person: Followed, job: CurrentJob, today: string): FoundMove | null {
  const { id, account_id, network_url, company, domain, title, known_on } = person
  const page = job.network_url && profileUrlKey(job.network_url)
  if (!page || page !== profileUrlKey(network_url)) return null
  const isElsewhere =
    job.employer !== null && job.website !== domain && companyKey(job.employer) !== companyKey(company)
  // A record may be older than what others show: that the former job has ended, or when the new one began, tells.
  const isLater = job.has_left || (job.since !== null && job.since >= known_on)
  if (!isLater || (!isElsewhere && !job.has_left)) return null
  const from = { employer: company, domain, account_id, title }
  const to =
    isElsewhere && job.employer ? { employer: job.employer, domain: null, account_id: null, title: job.title } : null
  return {
    person_id: id,
    account_id,
    kind: to ? 'joined' : 'left',
    from,
    to,
    is_gone: job.has_left,
    happened_on: to ? job.since : null,
    evidence: [{ url: network_url, source: PDL, seen_on: today }],
    document: { url: network_url, kind: 'page', title: null, text: '', published_date: null },
    source: PDL,
    // Named by the vendor: the site itself has to prove it.
    hints: { named: job.website ? [job.website] : [], witnesses: [] },
  }
}
