import { setTimeout } from 'node:timers/promises'
import type { RegisteredCompany, RegisterFiling, SandboxRequest, SandboxResponse, Vendor } from '../types.ts'
import { json } from './boards.ts'

const HEARTBEAT_MS = 20

const unauthorized = () => json(401, { error: 'Invalid Authorization', type: 'ch:service' })
/** The two kinds of keys are different; each is the user name, without a password. */
export const COMPANIES_HOUSE_KEY = 'sandbox-companies-house-key'
export const COMPANIES_HOUSE_STREAM_KEY = 'sandbox-companies-house-stream-key'
const hasKey = ({ headers }: SandboxRequest, key: string) =>
  headers.authorization === `Basic ${Buffer.from(`${key}:`).toString('base64')}`

/** The REST API: search, profile, persons with significant control. */
export const companiesHouse: Vendor = {
  name: 'companies-house',
  hosts: ['api.company-information.service.gov.uk'],
  answer(request, { registered = [] }) {
    if (!hasKey(request, COMPANIES_HOUSE_KEY)) return unauthorized()
    const { pathname, searchParams } = request.url
    const listed = registered.filter(({ country_code }) => country_code === 'GB')
    if (pathname === '/search/companies') {
      const size = Number(searchParams.get('items_per_page') ?? 20)
      return search(listed, (searchParams.get('q') ?? '').toLowerCase(), size)
    }
    const [, number, resource] = /^\/company\/(\w+)(?:\/([\w-]+))?$/.exec(pathname) ?? []
    const company = listed.find((one) => one.number === number)
    if (!company) return json(404, { errors: [{ error: 'company-profile-not-found', type: 'ch:service' }] })
    if (!resource) return json(200, profileOf(company))
    const owner = registered.find((one) => one.number === company.parent)
    if (resource !== 'persons-with-significant-control' || !owner) return json(404, {})
    return json(200, { items: [personOf(), ownerOf(owner)], total_results: 2, active_count: 2, ceased_count: 0 })
  },
}

/** Any of the words, best matches first, as the search does. */
function search(listed: readonly RegisteredCompany[], query: string, size: number): SandboxResponse {
  const words = query.split(/\s+/)
  const namesOf = ({ legal_name, former_names = [] }: RegisteredCompany) => [legal_name, ...former_names]
  const scoreOf = (company: RegisteredCompany) => {
    const names = namesOf(company).join(' ').toLowerCase()
    return words.filter((word) => names.includes(word)).length
  }
  const found = listed.filter((company) => scoreOf(company) > 0).sort((a, b) => scoreOf(b) - scoreOf(a))
  const items = found.slice(0, size).map((company) => {
    const former = company.former_names?.find((name) => words.every((word) => name.toLowerCase().includes(word)))
    const [premises = '', ...line] = company.street.split(' ')
    return {
      kind: 'searchresults#company',
      title: company.legal_name,
      snippet: former ?? '',
      company_number: company.number,
      company_status: company.isDissolved ? 'dissolved' : 'active',
      company_type: 'ltd',
      address: {
        premises,
        address_line_1: line.join(' '),
        locality: company.city,
        postal_code: company.postal_code,
        country: 'England',
      },
      links: { self: `/company/${company.number}` },
    }
  })
  return json(200, { kind: 'search#companies', items, total_results: found.length })
}

function profileOf({
  legal_name,
  number,
  street,
  city,
  postal_code,
  isDissolved,
  former_names = [],
}: RegisteredCompany) {
  return {
    company_name: legal_name,
    company_number: number,
    company_status: isDissolved ? 'dissolved' : 'active',
    type: 'ltd',
    jurisdiction: 'england-wales',
    registered_office_address: { address_line_1: street, locality: city, postal_code, country: 'England' },
    previous_company_names: former_names.map((name) => ({
      name,
      ceased_on: '2019-04-01',
      effective_from: '2011-02-03',
    })),
  }
}

const personOf = () => ({
  kind: 'individual-person-with-significant-control',
  name: 'Mrs Sandra Person',
  natures_of_control: ['ownership-of-shares-75-to-100-percent'],
  date_of_birth: { month: 4, year: 1971 },
})

function ownerOf({ legal_name, number, country_code }: RegisteredCompany) {
  const place = country_code === 'GB' ? 'Companies House' : 'Abroad'
  return {
    kind: 'corporate-entity-person-with-significant-control',
    name: legal_name,
    natures_of_control: ['ownership-of-shares-75-to-100-percent', 'voting-rights-75-to-100-percent'],
    // As owners write it, without the leading zeros.
    identification: { registration_number: number.replace(/^0+/, ''), place_registered: place, legal_form: 'Limited' },
  }
}

/** The streaming API: keeps the connection open, with heartbeats while there are no filings. */
export const companiesHouseStream: Vendor = {
  name: 'companies-house-stream',
  hosts: ['stream.companieshouse.gov.uk'],
  answer(request, world): SandboxResponse {
    if (!hasKey(request, COMPANIES_HOUSE_STREAM_KEY)) return unauthorized()
    if (request.url.pathname !== '/filings') return json(404, {})
    const all = world.register_filings ?? []
    const stated = request.url.searchParams.get('timepoint')
    // Filings before the first one are no longer available.
    if (stated !== null && all[0] && Number(stated) < all[0].timepoint) return json(416, {})
    // Without a timepoint, only events that happen from now on: here, the newest one.
    let next = stated === null ? (all.at(-1)?.timepoint ?? 0) : Number(stated) + 1
    async function* pieces() {
      for (;;) {
        const due = (world.register_filings ?? []).filter(({ timepoint }) => timepoint >= next)
        for (const filing of due) {
          yield `${JSON.stringify(eventOf(filing))}\n`
          next = filing.timepoint + 1
        }
        await setTimeout(HEARTBEAT_MS)
        yield '\n'
      }
    }
    return { status: 200, headers: { 'content-type': 'application/json' }, pieces }
  },
}

function eventOf({ timepoint, company, id, category, type, description, values, day }: RegisterFiling) {
  const self = `/company/${company}/filing-history/${id}`
  return {
    resource_kind: 'filing-history',
    resource_uri: self,
    resource_id: id,
    data: {
      category,
      type,
      description,
      description_values: values ?? {},
      date: day,
      transaction_id: id,
      links: { self },
    },
    event: { timepoint, published_at: `${day}T18:28:02`, type: 'changed' },
  }
}
