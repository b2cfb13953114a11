import type { Db } from '../../db/connect.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { profileUrlKey } from '../../engine/people/profile-url.ts'
import { defineJob } from '../../jobs/define.ts'
import { type CurrentJob, fetchCurrentJob } from '../../providers/people-data/current-job.ts'
import { PDL } from '../../providers/people-data/people-data-labs.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { listWorkspaces } from '../../resources/workspaces/store.ts'
import { isoDate } from '../../shared/days.ts'
import { type FollowedPerson, listFollowedPeople, markFollowChecked } from './known-people-store.ts'
import { type FoundMove, recordFoundMoves } from './record-moves.ts'

/** People who were checked within these days are skipped, so that a retried job continues with the others. */
const ASKED_DAYS = 6
/** After this many consecutive failures the job ends: the quota is used up, or the vendor is unavailable. */
const MAX_FAILURES = 3

/** Queries People Data Labs every week for the current jobs of followed people. */
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
    for await (const { workspaceId, person } of followedPeople(db, config.PDL_MAX_FOLLOWED)) {
      signal.throwIfAborted()
      const { id, full_name, network_url, company, domain } = person
      const ref = { full_name, network_url, company: { name: company, domain } }
      const found = await fetchCurrentJob(toProviderDeps(deps, signal), ref)
      if (found.outcome === 'failed') {
        log.warn({ reason: found.reason }, 'failed to query a followed person')
        if (++failures >= MAX_FAILURES) return
        continue
      }
      failures = 0
      const [job] = found.outcome === 'items' ? found.items : []
      const move = job && moveTo(person, job, today)
      if (move) await recordFoundMoves(deps, workspaceId, [move], today, signal)
      await markFollowChecked(db, workspaceId, id)
      await progressed()
    }
  },
})

/** The people of all workspaces that are due, up to a limit for each. */
async function* followedPeople(db: Db, limit: number) {
  for (const { id: workspaceId } of await listWorkspaces(db))
    for (const person of await listFollowedPeople(db, workspaceId, limit, ASKED_DAYS)) yield { workspaceId, person }
}

/** The move that a record reports, if its profile page matches the person and it is newer than the stored data. */
function moveTo(person: FollowedPerson, job: CurrentJob, today: string): FoundMove | null {
  const { id, account_id, network_url, company, domain, title, known_on } = person
  const page = job.network_url && profileUrlKey(job.network_url)
  if (!page || page !== profileUrlKey(network_url)) return null
  const isElsewhere =
    job.employer !== null && job.website !== domain && companyKey(job.employer) !== companyKey(company)
  // A record may be outdated: it counts only if it reports the end of the former job, or a start date of the new one.
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
    // The vendor's domain is only a hint: the site itself has to prove it.
    hints: { named: job.website ? [job.website] : [], witnesses: [] },
  }
}
