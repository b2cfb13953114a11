import { textAt } from '../../engine/json/fields.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import type { Found, PersonRef, ProviderDeps } from '../types.ts'
import { enrichPerson, leftOn } from './people-data-labs.ts'

/** Where a vendor's record of somebody shows them now. */
export type PresentJob = {
  /** Their profile page, as the record has it. */
  network_url: string | null
  employer: string | null
  /** The site that the record gives for the employer; nobody has proven it. */
  website: string | null
  title: string | null
  /** The day they began, where the record gives a whole day. */
  since: string | null
  /** The record ends their job at the company they were asked about. */
  has_left: boolean
}

/** The vendor's Person Enrichment, by somebody's profile page. */
export async function findPresentJob(deps: ProviderDeps, person: PersonRef): Promise<Found<PresentJob>> {
  const asked = await enrichPerson(deps, person)
  if (asked.outcome !== 'answer') return asked
  const record = asked.value
  const website = textAt(record, 'job_company_website')
  const started = textAt(record, 'job_start_date')
  const job: PresentJob = {
    network_url: textAt(record, 'linkedin_url'),
    employer: textAt(record, 'job_company_name'),
    website: website && normalizeDomain(website),
    title: textAt(record, 'job_title'),
    // A month or a year is no day.
    since: started && /^\d{4}-\d{2}-\d{2}$/.test(started) ? started : null,
    has_left: leftOn(record, person.company.domain) !== null,
  }
  return { outcome: 'items', items: [job] }
}
