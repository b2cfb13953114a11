import type { Profile, SandboxRequest, SandboxResponse, Vendor, World } from '../types.ts'
import { json } from './boards.ts'

export const PDL_KEY = 'sandbox-pdl-key'
const MAX_SIZE = 100

/** Person Search and Person Enrichment of People Data Labs, v5. */
export const peopleDataLabs: Vendor = {
  name: 'people-data-labs',
  hosts: ['api.peopledatalabs.com'],
  answer(request, world) {
    if (request.headers['x-api-key'] !== PDL_KEY) {
      return failure(401, 'authentication_error', 'Request contained a missing or invalid key')
    }
    if (request.method !== 'POST') return failure(405, 'method_not_allowed', 'The method is not allowed')
    if (request.url.pathname === '/v5/person/search') return search(request, world)
    if (request.url.pathname === '/v5/person/enrich') return enrich(request, world)
    return failure(404, 'not_found', 'No such endpoint')
  },
}

type Clause = {
  term?: { job_company_website?: string }
  bool?: { should?: { match_phrase?: { job_title?: string } }[] }
}
type SearchBody = {
  query?: { bool?: { must?: Clause[] } }
  size?: number
  scroll_token?: string
  titlecase?: boolean
}

function search({ body }: SandboxRequest, { profiles = [] }: World): SandboxResponse {
  const { query, size = 1, scroll_token, titlecase = false } = JSON.parse(body) as SearchBody
  const website = query?.bool?.must?.[0]?.term?.job_company_website
  if (!website || size < 1 || size > MAX_SIZE) return failure(400, 'invalid_request_error', 'The query is malformed')
  const phrases = query?.bool?.must?.[1]?.bool?.should?.map(({ match_phrase }) => match_phrase?.job_title ?? '')
  const matching = profiles.filter(
    ({ job_company_website, job_title }) =>
      job_company_website === website && (!phrases || phrases.some((phrase) => job_title?.includes(phrase))),
  )
  const from = scroll_token ? Number(scroll_token.split('$')[0]) : 0
  const data = matching.slice(from, from + size)
  if (data.length === 0) return failure(404, 'not_found', 'No records were found matching your search')
  const next = from + size < matching.length ? { scroll_token: `${from + size}$12.176522` } : {}
  return json(200, {
    status: 200,
    data: data.map((profile) => shown(profile, titlecase)),
    ...next,
    total: matching.length,
  })
}

function enrich({ body }: SandboxRequest, { profiles = [] }: World): SandboxResponse {
  const {
    profile,
    name,
    company,
    titlecase = false,
  } = JSON.parse(body) as {
    profile?: string
    name?: string
    company?: string
    titlecase?: boolean
  }
  const page = profile?.replace(/^https?:\/\/(?:www\.)?/, '').toLowerCase()
  const found = profiles.find((known) => {
    if (page) return known.linkedin_url === page
    const places = [known.job_company_website, ...(known.experience ?? []).map((job) => job.company.website)]
    return known.full_name === name?.toLowerCase() && places.includes(company ?? '')
  })
  if (!found) return failure(404, 'not_found', 'No records were found matching your request')
  return json(200, { status: 200, likelihood: 9, data: shown(found, titlecase) })
}

/** The vendor returns lower case unless `titlecase` is set, and null for unknown values. */
function shown(profile: Profile, titlecase: boolean): object {
  const cased = (text: string | null) =>
    titlecase && text ? text.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : text
  const empty = { linkedin_url: null, work_email: null, mobile_phone: null, location_country: null, experience: [] }
  const { full_name, job_title, job_company_name = null } = profile
  const named = { full_name: cased(full_name), job_title: cased(job_title), job_company_name: cased(job_company_name) }
  return { ...empty, ...profile, ...named }
}

function failure(status: number, type: string, message: string): SandboxResponse {
  return json(status, { status, error: { type, message } })
}
