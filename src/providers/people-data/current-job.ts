import { textAt } from '../../engine/json/fields.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import type { PersonRef, ProviderDeps, SourceResult } from '../types.ts'
import { employmentEndDate, enrichPerson } from './people-data-labs.ts'

/** A person's current job according to a vendor's record. */
export type CurrentJob = {
  /** The profile URL in the record. */
  network_url: string | null
  employer: string | null
  /** The employer's website according to the record, unverified. */
  website: string | null
  title: string | null
  /** The start date, if the record has a full date. */
  since: string | null
  /** The record ends the job at the company in question. */
  has_left: boolean
}

/** The vendor's Person Enrichment, by profile URL. */
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
    // A month or a year is not a full date.
    since: started && /^\d{4}-\d{2}-\d{2}$/.test(started) ? started : null,
    has_left: employmentEndDate(record, person.company.domain) !== null,
  }
  return { outcome: 'items', items: [job] }
}
