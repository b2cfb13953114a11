import { textAt } from '../../engine/json/fields.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import type { PersonRef, ProviderDeps, SourceResult } from '../types.ts'
import { employmentEndDate, enrichPerson } from './people-data-labs.ts'

/** Where a vendor's record of somebody shows them now. */
export type CurrentJob = {
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
export async function fetchCurrentJob(deps: ProviderDeps, person: PersonRef): Promise<SourceResult<CurrentJob>> {
  const response = await enrichPerson(deps, person)
  if (response.outcome !== 'ok') return response
  const record = response.value
  const website = textAt(record, 'job_company_website')
  const started = textAt(record, 'job_start_date')
  const job: CurrentJob = {
    network_url: textAt(record, 'linkedin_url'),
    employer: textAt(record, 'job_company_name'),
    website: website && normalizeDomain(website),
    title: textAt(record, 'job_title'),
    // A month or a year is no day.
    since: started && /^\d{4}-\d{2}-\d{2}$/.test(started) ? started : null,
    has_left: employmentEndDate(record, person.company.domain) !== null,
  }
  return { outcome: 'items', items: [job] }
}
