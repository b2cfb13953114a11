import { companyKey } from '../../engine/companies/company-names.ts'
import { countryName } from '../../engine/countries.ts'
import { listAt, numberAt, textAt, textsAt, valueAt } from '../../engine/json/fields.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, type ProviderResponse, reportUnexpectedFormat, requestJson } from '../request.ts'
import { itemsResult, mergeResults, type ProviderDeps, type SourceResult } from '../types.ts'
import { isNamed } from './legal-name.ts'
import type { CompanyRegister, RegisterRecord, RegisterRelation } from './types.ts'

const NAME = 'GLEIF'
const BASE = 'https://api.gleif.org/api/v1/lei-records'
/** The API allows 60 requests a minute. */
const PACE: Pace = { kind: 'gleif', intervalMs: 1_050, burst: 10, concurrency: 2 }
/** The most that the API returns per page. */
const PER_PAGE = 200
const MAX_SUBSIDIARIES = 100
const MAX_FIELD_CHARS = 500
const MAX_OTHER_NAMES = 20
const LEI = /^[A-Z0-9]{18}\d{2}$/

/** Identifiers that were issued by mistake, twice, or for a company that no longer exists. */
const WITHDRAWN = new Set(['ANNULLED', 'DUPLICATE', 'MERGED', 'RETIRED', 'CANCELLED'])

/** The Global LEI Index: legal names, addresses and parents of companies with a Legal Entity Identifier. */
export const gleif: CompanyRegister = {
  name: NAME,
  source: 'gleif',
  isOn: ({ SOURCES }) => SOURCES.has('gleif'),
  async search(deps, name) {
    const words = companyKey(name)
    if (words === '') return { outcome: 'nothing' }
    // The key drops "&", which the search matches.
    const query = new URLSearchParams({
      'filter[entity.names]': name.includes('&') ? name : words,
      'page[size]': String(PER_PAGE),
    })
    const response = await request(deps, `?${query}`, 'failed')
    if (response.outcome !== 'ok') return response
    const records = readList(response.value)
    if (!records) return reportUnexpectedFormat(deps, NAME)
    const named = records.filter((record) => isNamed(record, name))
    const total = numberAt(response.value, 'meta', 'pagination', 'total') ?? 0
    if (total <= PER_PAGE) return itemsResult(named)
    const reason = `${NAME} lists ${total} companies with the words “${words}”: only ${PER_PAGE} were read.`
    return named.length > 0 ? { outcome: 'items', items: named, reason } : failedResult(reason)
  },
  async fetchRecord(deps, lei) {
    if (!LEI.test(lei)) return { outcome: 'nothing' }
    return fetchOne(deps, `/${lei}`)
  },
  async relations(deps, lei) {
    if (!LEI.test(lei)) return { outcome: 'nothing' }
    const found = [
      { kind: 'parent', result: await fetchOne(deps, `/${lei}/direct-parent`) },
      { kind: 'ultimate_parent', result: await fetchOne(deps, `/${lei}/ultimate-parent`) },
      { kind: 'subsidiary', result: await fetchSubsidiaries(deps, lei) },
    ] as const
    const incomplete = found.flatMap(({ kind, result }) =>
      result.outcome !== 'nothing' && result.reason !== undefined ? [kind] : [],
    )
    const merged = mergeResults<RegisterRelation>(found.map(({ kind, result }) => toRelations(kind, result)))
    return { ...merged, ...(incomplete.length > 0 && { incomplete }) }
  },
}

/** One record; nothing for a company without a parent, or whose parent is not reported: both are a 404. */
async function fetchOne(deps: ProviderDeps, path: string): Promise<SourceResult<RegisterRecord>> {
  const response = await request(deps, path, 'nothing')
  if (response.outcome !== 'ok') return response
  const record = readRecord(valueAt(response.value, 'data'))
  return record ? itemsResult([record]) : reportUnexpectedFormat(deps, NAME)
}

async function fetchSubsidiaries(deps: ProviderDeps, lei: string): Promise<SourceResult<RegisterRecord>> {
  const query = new URLSearchParams({ 'page[size]': String(MAX_SUBSIDIARIES) })
  const response = await request(deps, `/${lei}/direct-children?${query}`, 'nothing')
  if (response.outcome !== 'ok') return response
  const records = readList(response.value)
  if (!records) return reportUnexpectedFormat(deps, NAME)
  const total = numberAt(response.value, 'meta', 'pagination', 'total') ?? 0
  if (total <= MAX_SUBSIDIARIES || records.length === 0) return itemsResult(records)
  return {
    outcome: 'items',
    items: records,
    reason: `${NAME} lists ${total} subsidiaries: only ${MAX_SUBSIDIARIES} were read.`,
  }
}

function request(deps: ProviderDeps, path: string, missing: 'nothing' | 'failed'): Promise<ProviderResponse<unknown>> {
  const headers = { accept: 'application/vnd.api+json' }
  return requestJson(deps, NAME, BASE + path, { pace: PACE, maxBytes: 8 * 1024 * 1024, headers, missing })
}

function toRelations(
  kind: RegisterRelation['kind'],
  found: SourceResult<RegisterRecord>,
): SourceResult<RegisterRelation> {
  return found.outcome === 'items' ? { ...found, items: found.items.map((company) => ({ kind, company })) } : found
}

/** The records of a list; null when its format is unexpected. */
function readList(response: unknown): RegisterRecord[] | null {
  const list = listAt(response, 'data')
  const records = list?.flatMap((entry) => readRecord(entry) ?? [])
  return !records || records.length < (list?.length ?? 0) / 2 ? null : records
}

function readRecord(entry: unknown): RegisterRecord | null {
  const entity = valueAt(entry, 'attributes', 'entity')
  const lei = textAt(entry, 'attributes', 'lei')
  const legalName = textAt(entity, 'legalName', 'name')
  const status = textAt(entity, 'status')
  if (!lei || !LEI.test(lei) || !legalName || !status) return null
  // The legal address of many companies is that of their registered agent.
  const address = [valueAt(entity, 'headquartersAddress'), valueAt(entity, 'legalAddress')].find((one) =>
    textAt(one, 'country'),
  )
  const text = (value: string | null) => value && cutText(value, MAX_FIELD_CHARS)
  const other_names = (listAt(entity, 'otherNames') ?? []).flatMap((other): RegisterRecord['other_names'] => {
    const name = text(textAt(other, 'name'))
    if (!name) return []
    return [{ name, kind: textAt(other, 'type') === 'PREVIOUS_LEGAL_NAME' ? 'former' : 'trading' }]
  })
  return {
    register: 'gleif',
    id: lei,
    legal_name: cutText(legalName, MAX_FIELD_CHARS),
    other_names: other_names.slice(0, MAX_OTHER_NAMES),
    country: countryName(textAt(address, 'country') ?? ''),
    street: text(textsAt(address, 'addressLines').find((line) => !/^c\/o\b/i.test(line)) ?? null),
    city: text(textAt(address, 'city')),
    postal_code: text(textAt(address, 'postalCode')),
    registration_number: text(textAt(entity, 'registeredAs')),
    is_active: status === 'ACTIVE' && !WITHDRAWN.has(textAt(entry, 'attributes', 'registration', 'status') ?? ''),
    url: `https://search.gleif.org/#/record/${lei}`,
  }
}
