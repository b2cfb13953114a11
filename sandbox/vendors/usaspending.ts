import type { Award, SandboxRequest, SandboxResponse, Vendor, World } from '../types.ts'
import { awardPage, awardsBy, parseBody } from './awards.ts'
import { json } from './boards.ts'

/** https://api.usaspending.gov: the search of new contracts, and single awards. */
export const usaspending: Vendor = {
  name: 'usaspending',
  hosts: ['api.usaspending.gov', 'www.usaspending.gov'],
  answer(request, world) {
    const { url, method } = request
    if (url.hostname === 'www.usaspending.gov') return awardPage(url, world)
    const id = /^\/api\/v2\/awards\/([^/]+)\/$/.exec(url.pathname)?.[1]
    if (id) return award(decodeURIComponent(id), world)
    if (url.pathname !== '/api/v2/search/spending_by_award/') return json(404, { detail: 'Not found.' })
    return method === 'POST' ? search(request, world) : json(405, { detail: `Method "${method}" not allowed.` })
  },
}

type Search = {
  filters?: {
    award_type_codes?: string[]
    time_period?: { start_date: string; end_date: string; date_type?: string }[]
    award_amounts?: { lower_bound?: number }[]
  }
  fields?: string[]
  sort?: string
  page?: number
  limit?: number
}

function search({ body }: SandboxRequest, world: World): SandboxResponse {
  const { filters, fields, sort, page = 1, limit = 10 } = (parseBody(body) ?? {}) as Search
  if (!filters?.award_type_codes) return json(422, { detail: "Missing value: 'filters|award_type_codes'" })
  if (!fields?.length) return json(422, { detail: "Missing value: 'fields'" })
  if (sort && !fields.includes(sort)) return json(400, { detail: "Sort value not found in requested fields: 'sort'" })
  if (limit > 100) return json(422, { detail: "Field 'limit' value '500' is above max '100'" })
  const found = awardsBy(world, 'usaspending').filter(({ day, amount }) => {
    const isInTime = filters.time_period?.some(({ start_date, end_date }) => day >= start_date && day <= end_date)
    return isInTime !== false && (filters.award_amounts ?? []).every(({ lower_bound = 0 }) => amount >= lower_bound)
  })
  const results = found.slice((page - 1) * limit, page * limit).map((award, at) => row(award, at, fields))
  const hasNext = page * limit < found.length
  return json(200, {
    spending_level: 'awards',
    limit,
    results,
    page_metadata: { page, hasNext, last_record_unique_id: null, last_record_sort_value: 'None' },
    messages: [
      'For searches, time period start and end dates are currently limited to an earliest date of 2007-10-01.',
    ],
  })
}

function row({ id, recipient, amount, agency, day, description }: Award, at: number, fields: string[]): object {
  const all: Record<string, unknown> = {
    'Award ID': id.split('_')[2],
    'Recipient Name': recipient,
    'Recipient UEI': 'HDWKYZ7J8HR6',
    'Award Amount': amount,
    'Base Obligation Date': day,
    'Start Date': day,
    'Awarding Agency': agency,
    'Contract Award Type': 'DEFINITIVE CONTRACT',
    Description: description,
  }
  const asked = fields.filter((field) => field in all).map((field) => [field, all[field]])
  return {
    internal_id: 362_606_164 + at,
    ...Object.fromEntries(asked),
    generated_internal_id: id,
    awarding_agency_id: 1173,
    agency_slug: agency.toLowerCase().replaceAll(' ', '-'),
  }
}

function award(id: string, world: World): SandboxResponse {
  const found = awardsBy(world, 'usaspending').find((one) => one.id === id)
  if (!found) return json(404, { detail: `No award found with: '${id}'` })
  return json(200, {
    category: 'contract',
    type: 'D',
    type_description: 'DEFINITIVE CONTRACT',
    generated_unique_award_id: id,
    description: found.description,
    total_obligation: found.amount,
    date_signed: found.day,
    awarding_agency: { toptier_agency: { name: found.agency } },
    recipient: {
      recipient_name: found.recipient,
      business_categories: ['Category Business', 'Small Business'],
      location: { address_line1: found.street ?? null, state_code: 'AL', country_name: 'UNITED STATES' },
    },
    executive_details: { officers: [{ name: null, amount: null }] },
  })
}
