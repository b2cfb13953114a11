import { companyKey } from '../../engine/companies/company-names.ts'
import { listAt, textAt } from '../../engine/json/fields.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { reportUnexpectedFormat, requestJson } from '../request.ts'
import {
  type CompanyRef,
  type FirmographicsSource,
  type FoundFirmographics,
  itemsResult,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'
import { companiesByLabelQuery, companiesByWebsiteQuery } from './sparql.ts'

const NAME = 'Wikidata'
/** A minute of processing a minute is allowed, and whoever goes on after a 429 is shut out. */
const PACE: Pace = { kind: 'wikidata', intervalMs: 1_000, burst: 5, concurrency: 2 }

const MAX_FIELD_CHARS = 1_000

/** What the encyclopedia says of one item: each row of the answer gives one of several values. */
type Item = { id: string; label: string; rows: unknown[] }

/** Facts about companies from the free encyclopedia's database. */
export const wikidata: FirmographicsSource = {
  name: NAME,
  async fetchFirmographics(deps, company) {
    const found = await itemOf(deps, company)
    return found.outcome === 'items' ? itemsResult(found.items.map(read)) : found
  },
}

/** The domain of a company's web site, when exactly one company has this name. */
export async function resolveDomain(deps: ProviderDeps, name: string): Promise<SourceResult<string>> {
  const found = await query(deps, companiesByLabelQuery(name))
  if (found.outcome !== 'items') return found
  const [only, ...others] = found.items
  const domains = only ? domainsOf(only) : []
  return others.length === 0 && domains.length === 1 ? itemsResult(domains) : { outcome: 'nothing' }
}

/** The item of a company: by its web site, else by its exact name as long as that is nobody else's. */
async function itemOf(deps: ProviderDeps, { name, domain }: CompanyRef): Promise<SourceResult<Item>> {
  if (domain) {
    const found = await query(deps, companiesByWebsiteQuery(domain))
    if (found.outcome === 'failed') return found
    if (found.outcome === 'items') {
      // A site may belong to a group and to its parts; the name decides.
      const named = found.items.filter(({ label }) => companyKey(label) === companyKey(name))
      const sure = found.items.length === 1 ? found.items : named
      if (sure.length === 1) return itemsResult(sure)
    }
  }
  const found = await query(deps, companiesByLabelQuery(name))
  if (found.outcome !== 'items') return found
  // With a known domain, only an item that shows it somewhere (`/en`, a subdomain) is the same company.
  const own = domain ? found.items.filter((item) => domainsOf(item).includes(domain)) : found.items
  return own.length === 1 ? itemsResult(own) : { outcome: 'nothing' }
}

async function query(deps: ProviderDeps, sparql: string): Promise<SourceResult<Item>> {
  const url = `https://query.wikidata.org/sparql?format=json&query=${encodeURIComponent(sparql)}`
  const headers = { accept: 'application/sparql-results+json' }
  const options = { pace: PACE, maxBytes: 2 * 1024 * 1024, headers, missing: 'failed' as const }
  const response = await requestJson(deps, NAME, url, options)
  if (response.outcome !== 'ok') return response
  const rows = listAt(response.value, 'results', 'bindings')
  if (!rows) return reportUnexpectedFormat(deps, NAME)
  const found = new Map<string, Item>()
  for (const row of rows) {
    const [id, label] = [fieldOf(row, 'item'), fieldOf(row, 'itemLabel')]
    if (!id || !label) continue
    const item = found.get(id) ?? { id, label, rows: [] }
    item.rows.push(row)
    found.set(id, item)
  }
  return itemsResult([...found.values()])
}

function read(item: Item): FoundFirmographics {
  const [first] = item.rows
  const [employees, country, place, logo, about] = [
    latestCount(item),
    fieldOf(first, 'countryLabel'),
    fieldOf(first, 'placeLabel'),
    fieldOf(first, 'logo'),
    fieldOf(first, 'itemDescription'),
  ]
  const industry = firstOf(item, 'industryLabel')
  const founded = Number(/^(\d{4})-/.exec(fieldOf(first, 'inception') ?? '')?.[1])
  return {
    name: item.label,
    ...(employees !== null && { employees }),
    ...(industry && { industry }),
    ...(place && { location: country ? `${place}, ${country}` : place }),
    ...(country && { country }),
    ...(about && { short_description: about }),
    ...(logo && { logo_url: logo.replace(/^http:/, 'https:') }),
    ...(founded > 0 && { founded_year: founded }),
  }
}

/** The number of employees with the latest date; a number without one counts as the oldest. */
function latestCount({ rows }: Item): number | null {
  let latest: { day: string; count: number } | null = null
  for (const row of rows) {
    const count = Number(fieldOf(row, 'employees') ?? Number.NaN)
    const day = fieldOf(row, 'counted') ?? ''
    if (Number.isInteger(count) && count > 0 && (!latest || day > latest.day)) latest = { day, count }
  }
  return latest?.count ?? null
}

/** Of several industries the first by name, so that every look gives the same one. */
function firstOf({ rows }: Item, field: string): string | null {
  const values = new Set(rows.flatMap((row) => fieldOf(row, field) ?? []))
  return [...values].sort()[0] ?? null
}

function domainsOf({ rows }: Item): string[] {
  return [...new Set(rows.flatMap((row) => normalizeDomain(fieldOf(row, 'site') ?? '') ?? []))]
}

function fieldOf(row: unknown, field: string): string | null {
  const given = textAt(row, field, 'value')
  const value = given && cutText(given, MAX_FIELD_CHARS)
  // An item without an English label is shown by its number.
  return value && field.endsWith('Label') && /^Q\d+$/.test(value) ? null : value
}
