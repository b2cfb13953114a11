import { listAt, numberAt, textAt, valueAt } from '../../engine/json/fields.ts'
import type { FoundPerson } from '../../engine/roster/types.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { countryCode } from '../countries.ts'
import { type ProviderResponse, reportUnexpectedFormat, requestJson } from '../request.ts'
import {
  type PeopleSource,
  type PersonRef,
  type ProviderDeps,
  type RoleSource,
  type RosterResult,
  rosterResult,
} from '../types.ts'

export const PDL = 'People Data Labs'
const BASE = 'https://api.peopledatalabs.com/v5'
/** The vendor's limit for free accounts. */
const ENRICH_PACE: Pace = { kind: 'pdl-enrich', intervalMs: 600, burst: 20, concurrency: 5 }
const PAGE = 100
/** Below this likelihood the record may be about another person. */
const MIN_LIKELIHOOD = 6

/** The vendor's Person Search: everyone whose current job is at the company's domain. */
export const peopleDataLabs: PeopleSource = {
  name: PDL,
  own: false,
  isOn: ({ PDL_API_KEY }) => PDL_API_KEY !== null,
  async roster(deps, { domain }): Promise<RosterResult> {
    if (!domain) return { outcome: 'nothing' }
    const people: FoundPerson[] = []
    let scroll: string | null = null
    let reason: string | undefined
    do {
      const size = Math.min(PAGE, deps.config.PDL_MAX_PEOPLE - people.length)
      const query = { bool: { must: [{ term: { job_company_website: domain } }] } }
      const response = await post(deps, '/person/search', searchPace(deps), {
        query,
        size,
        titlecase: true,
        ...(scroll ? { scroll_token: scroll } : {}),
      })
      // Keeps the records that were paid for; the next load gets the rest.
      if (response.outcome === 'failed' && people.length === 0) return response
      if (response.outcome === 'failed') reason = response.reason
      if (response.outcome !== 'ok') break
      const records = listAt(response.value, 'data')
      if (!records) return reportUnexpectedFormat(deps, PDL)
      people.push(...records.flatMap(readPerson))
      scroll = records.length === size ? textAt(response.value, 'scroll_token') : null
    } while (scroll && people.length < deps.config.PDL_MAX_PEOPLE)
    return rosterResult(people, people.length > 0 ? reason : undefined)
  },
}

/** Every record is charged; limits the records of one search. */
const MAX_ROLE_RECORDS = 10
const MAX_PHRASES = 20

/** The vendor's Person Search for people at the company's domain whose current job has one of a role's titles. */
export const peopleDataLabsByRole: RoleSource = {
  name: PDL,
  own: false,
  isOn: peopleDataLabs.isOn,
  isInRoster: ({ PDL_MAX_PEOPLE }, people) => people < PDL_MAX_PEOPLE,
  async find(deps, { domain }, { titles, fits }) {
    if (!domain || titles.length === 0) return { outcome: 'nothing' }
    const phrases = [...new Set(titles.flatMap(wordings))].slice(0, MAX_PHRASES)
    const should = phrases.map((phrase) => ({ match_phrase: { job_title: phrase } }))
    const query = { bool: { must: [{ term: { job_company_website: domain } }, { bool: { should } }] } }
    const body = { query, size: MAX_ROLE_RECORDS, titlecase: true }
    const response = await post(deps, '/person/search', searchPace(deps), body)
    if (response.outcome !== 'ok') return response
    const records = listAt(response.value, 'data')
    return records
      ? rosterResult(records.flatMap(readPerson).filter(({ title }) => title && fits(title)))
      : reportUnexpectedFormat(deps, PDL)
  },
}

/** Profiles contain "vp of finance", "vp finance" and "vice president finance". */
function wordings(title: string): string[] {
  const plain = title.toLowerCase()
  const short = plain.replaceAll(' of ', ' ')
  return [plain, short, ...[plain, short].map((text) => text.replaceAll(/\bvp\b/g, 'vice president'))]
}

/** The vendor's Person Enrichment: the record of one person above the minimum likelihood. */
export async function enrichPerson(deps: ProviderDeps, person: PersonRef): Promise<ProviderResponse<unknown>> {
  const { full_name, network_url, company } = person
  const known = network_url ? { profile: network_url } : { name: full_name, company: company.domain ?? company.name }
  const response = await post(deps, '/person/enrich', ENRICH_PACE, {
    ...known,
    titlecase: true,
    min_likelihood: MIN_LIKELIHOOD,
  })
  if (response.outcome !== 'ok') return response
  const record = valueAt(response.value, 'data')
  return textAt(record, 'full_name') ? { outcome: 'ok', value: record } : reportUnexpectedFormat(deps, PDL)
}

function searchPace({ config: { PDL_REQUESTS_PER_MINUTE: limit } }: ProviderDeps): Pace {
  return { kind: 'pdl-search', intervalMs: 60_000 / limit, burst: limit, concurrency: 2 }
}

function post(deps: ProviderDeps, path: string, pace: Pace, body: object): Promise<ProviderResponse<unknown>> {
  return requestJson(deps, PDL, BASE + path, {
    method: 'POST',
    headers: { 'x-api-key': deps.config.PDL_API_KEY ?? '', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    pace,
  })
}

/** For a field that the plan does not include, the vendor returns true or false; only strings are values. */
function readPerson(record: unknown): FoundPerson[] {
  const text = (field: string) => textAt(record, field)
  const full_name = text('full_name')
  if (!full_name) return []
  const fields = {
    title: text('job_title'),
    headline: text('headline'),
    network_url:
      text('linkedin_url') && `https://www.${text('linkedin_url')?.replace(/^(?:https?:\/\/)?(?:www\.)?/, '')}`,
    email: text('work_email')?.toLowerCase() ?? null,
    phone: text('mobile_phone'),
    location: text('location_name'),
    country_code: countryCode(text('location_country')),
    connections_count: numberAt(record, 'linkedin_connections'),
  }
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  return [{ full_name, ...known }]
}

/** The end date of a person's last job at a domain; null when the job has not ended. */
export function employmentEndDate(record: unknown, domain: string | null): string | null {
  if (!domain || textAt(record, 'job_company_website') === domain) return null
  const jobs = (listAt(record, 'experience') ?? []).filter((job) => textAt(job, 'company', 'website') === domain)
  const ends = jobs.map((job) => textAt(job, 'end_date'))
  if (ends.length === 0 || ends.includes(null)) return null
  // Many profiles contain only a month or a year.
  const last = (ends as string[]).sort().at(-1) as string
  const day = `${last}${'-01-01'.slice(last.length - 4)}`
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : null
}
