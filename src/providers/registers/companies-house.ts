import { companyKey } from '../../engine/companies/company-names.ts'
import { countryName, findCountryCode } from '../../engine/countries.ts'
import { listAt, numberAt, textAt, textsAt, valueAt } from '../../engine/json/fields.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, type ProviderResponse, reportUnexpectedFormat, requestJson } from '../request.ts'
import { itemsResult, type ProviderDeps, type SourceResult } from '../types.ts'
import { isNamed, legalNameKey } from './legal-name.ts'
import type { CompanyRegister, RegisterRecord, RegisterRelation } from './types.ts'

export const COMPANIES_HOUSE = 'Companies House'
const BASE = 'https://api.company-information.service.gov.uk'
/** The API allows 600 requests in five minutes. */
const PACE: Pace = { kind: 'companies-house', intervalMs: 520, burst: 20, concurrency: 2 }
/** The search lists the best matches first. */
const MAX_RESULTS = 100
const MAX_FIELD_CHARS = 500
const MAX_FORMER_NAMES = 20
/** Owners that are looked up; a company has at most one with more than half of its shares. */
const MAX_OWNERS = 3
export const COMPANY_NUMBER = /^(?:\d{8}|[A-Z]{2}\d{6}|[A-Z]\d{7})$/

const NO_LONGER_EXISTS = new Set(['dissolved', 'closed', 'converted-closed', 'removed'])
/** More than half of the shares, held by the company itself and not as a trustee or a member of a firm. */
const MAJORITY = new Set(['ownership-of-shares-50-to-75-percent', 'ownership-of-shares-75-to-100-percent'])
const CORPORATE_OWNER = 'corporate-entity-person-with-significant-control'

/** The register of companies in the United Kingdom. */
export const companiesHouse: CompanyRegister = {
  name: COMPANIES_HOUSE,
  source: 'companies-house',
  isOn: ({ SOURCES, COMPANIES_HOUSE_KEY }) => SOURCES.has('companies-house') && COMPANIES_HOUSE_KEY !== null,
  async search(deps, name) {
    const words = companyKey(name)
    if (words === '') return { outcome: 'nothing' }
    const query = new URLSearchParams({ q: words, items_per_page: String(MAX_RESULTS) })
    const response = await request(deps, `/search/companies?${query}`, 'failed')
    if (response.outcome !== 'ok') return response
    const list = listAt(response.value, 'items')
    const records = list?.flatMap((entry) => readSearchResult(entry, name) ?? [])
    // Other kinds of results have no company number.
    if (!list || !records || records.length < list.length / 2) return reportUnexpectedFormat(deps, COMPANIES_HOUSE)
    const named = records.filter((record) => isNamed(record, name))
    const total = numberAt(response.value, 'total_results') ?? 0
    // Results with only some of the words follow those with all of them, and there are nearly always too many to read.
    if (total <= list.length || !hasWords(records.at(-1), words)) return itemsResult(named)
    const reason = `${COMPANIES_HOUSE} lists ${total} companies for “${words}”: only ${list.length} were read.`
    return named.length > 0 ? { outcome: 'items', items: named, reason } : failedResult(reason)
  },
  async fetchRecord(deps, number) {
    if (!COMPANY_NUMBER.test(number)) return { outcome: 'nothing' }
    const response = await request(deps, `/company/${number}`, 'nothing')
    if (response.outcome !== 'ok') return response
    const record = readProfile(response.value)
    return record ? itemsResult([record]) : reportUnexpectedFormat(deps, COMPANIES_HOUSE)
  },
  async relations(deps, number) {
    if (!COMPANY_NUMBER.test(number)) return { outcome: 'nothing' }
    const response = await request(deps, `/company/${number}/persons-with-significant-control`, 'nothing')
    if (response.outcome !== 'ok') return response
    const list = listAt(response.value, 'items')
    if (!list?.every(isComplete)) return reportUnexpectedFormat(deps, COMPANIES_HOUSE)
    const parents: RegisterRelation[] = []
    for (const owner of list.filter(isMajorityOwner).slice(0, MAX_OWNERS)) {
      const found = await fetchOwner(deps, owner)
      if (found.outcome === 'failed') return found
      if (found.outcome === 'items')
        parents.push(...found.items.map((company) => ({ kind: 'parent' as const, company })))
    }
    return itemsResult(parents)
  },
}

function hasWords(record: RegisterRecord | undefined, words: string): boolean {
  const stated = [record?.legal_name, ...(record?.other_names ?? []).map(({ name }) => name)].join(' ')
  const known = new Set(companyKey(stated).split(' '))
  return record !== undefined && words.split(' ').every((word) => known.has(word))
}

/** Every owner has a kind, and every corporate one these fields; its number is optional. */
function isComplete(owner: unknown): boolean {
  if (textAt(owner, 'kind') !== CORPORATE_OWNER) return textAt(owner, 'kind') !== null
  const hasObject = typeof valueAt(owner, 'identification') === 'object'
  return textAt(owner, 'name') !== null && listAt(owner, 'natures_of_control') !== null && hasObject
}

function isMajorityOwner(owner: unknown): boolean {
  const isCurrent = valueAt(owner, 'ceased') !== true && textAt(owner, 'ceased_on') === null
  return (
    textAt(owner, 'kind') === CORPORATE_OWNER &&
    isCurrent &&
    textsAt(owner, 'natures_of_control').some((nature) => MAJORITY.has(nature))
  )
}

/**
 * The record of an owner that is in this register itself. The number of a company from another country may be that of
 * any company here, so the name has to match.
 */
async function fetchOwner(deps: ProviderDeps, owner: unknown): Promise<SourceResult<RegisterRecord>> {
  const name = textAt(owner, 'name')
  const stated = textAt(owner, 'identification', 'registration_number')?.replaceAll(/\s/g, '').toUpperCase()
  if (!name || !stated) return { outcome: 'nothing' }
  const found = await companiesHouse.fetchRecord(deps, stated.padStart(8, '0'))
  if (found.outcome !== 'items') return found
  return itemsResult(found.items.filter(({ legal_name }) => legalNameKey(legal_name) === legalNameKey(name)))
}

function request(deps: ProviderDeps, path: string, missing: 'nothing' | 'failed'): Promise<ProviderResponse<unknown>> {
  const headers = { authorization: basicAuth(deps.config.COMPANIES_HOUSE_KEY) }
  return requestJson(deps, COMPANIES_HOUSE, BASE + path, { pace: PACE, maxBytes: 4 * 1024 * 1024, headers, missing })
}

/** The key is the user name, without a password. */
export function basicAuth(key: string | null): string {
  return `Basic ${Buffer.from(`${key ?? ''}:`).toString('base64')}`
}

/** A result of the search shows the former name that matched, if one did, as its snippet. */
function readSearchResult(entry: unknown, name: string): RegisterRecord | null {
  const snippet = textAt(entry, 'snippet')
  const former = snippet && legalNameKey(snippet) === legalNameKey(name) ? snippet : null
  return toRecord({
    number: textAt(entry, 'company_number'),
    name: textAt(entry, 'title'),
    former: former ? [former] : [],
    status: textAt(entry, 'company_status'),
    address: valueAt(entry, 'address'),
  })
}

function readProfile(profile: unknown): RegisterRecord | null {
  return toRecord({
    number: textAt(profile, 'company_number'),
    name: textAt(profile, 'company_name'),
    former: (listAt(profile, 'previous_company_names') ?? []).flatMap((one) => textAt(one, 'name') ?? []),
    status: textAt(profile, 'company_status'),
    address: valueAt(profile, 'registered_office_address'),
  })
}

type Fields = {
  number: string | null
  name: string | null
  former: readonly string[]
  status: string | null
  address: unknown
}

function toRecord({ number, name, former, status, address }: Fields): RegisterRecord | null {
  if (!number || !COMPANY_NUMBER.test(number) || !name) return null
  const text = (...path: string[]) => {
    const value = textAt(address, ...path)
    return value && cutText(value, MAX_FIELD_CHARS)
  }
  const [premises, line] = [text('premises'), text('address_line_1')]
  const names = [...new Set(former)].slice(0, MAX_FORMER_NAMES)
  // Only companies from abroad, with numbers from FC, have another country than their office.
  const country = findCountryCode(text('country') ?? '') ?? (number.startsWith('FC') ? null : 'GB')
  return {
    register: 'companies-house',
    id: number,
    legal_name: cutText(name, MAX_FIELD_CHARS),
    other_names: names.map((name) => ({ name: cutText(name, MAX_FIELD_CHARS), kind: 'former' as const })),
    country: country && countryName(country),
    street: [premises, line].filter((part) => part !== null).join(' ') || null,
    city: text('locality'),
    postal_code: text('postal_code'),
    registration_number: number,
    is_active: !NO_LONGER_EXISTS.has(status ?? ''),
    url: `https://find-and-update.company-information.service.gov.uk/company/${number}`,
  }
}
