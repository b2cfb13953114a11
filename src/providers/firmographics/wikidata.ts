import { companyKey, coreWords, withoutLegalForm } from '../../engine/companies/company-names.ts'
import { listAt, textAt } from '../../engine/json/fields.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { countryCode } from '../countries.ts'
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
/** Wikidata allows a minute of processing time per minute, and blocks clients that continue after a 429. */
const PACE: Pace = { kind: 'wikidata', intervalMs: 1_000, burst: 5, concurrency: 2 }

const MAX_FIELD_CHARS = 1_000

/** One Wikidata item: each row contains one of several values. */
type Item = { id: string; label: string; rows: unknown[] }

/** Facts about companies from Wikidata. */
export const wikidata: FirmographicsSource = {
  name: NAME,
  async fetchFirmographics(deps, company) {
    const found = await findItem(deps, company)
    return found.outcome === 'items' ? itemsResult(found.items.map(toFirmographics)) : found
  },
}

/** The domain of a company's website, or why none is certain, as a sentence for users. */
export type FoundDomain = { outcome: 'found'; domain: string } | { outcome: 'nothing' | 'failed'; reason: string }

/**
 * The domain of a company's website, when exactly one company has this name. A name of several words may lack its legal
 * form; one word without it could be any company.
 */
export async function resolveDomain(
  deps: ProviderDeps,
  { name, country }: { name: string; country?: string | undefined },
): Promise<FoundDomain> {
  const labels = coreWords(name).length > 1 ? [name, withoutLegalForm(name)] : [name]
  const found = await query(deps, companiesByLabelQuery(labels))
  if (found.outcome === 'failed') return { outcome: 'failed', reason: found.reason }
  const none = (reason: string): FoundDomain => ({ outcome: 'nothing', reason: `${NAME}: ${reason}.` })
  const items = found.outcome === 'items' ? found.items : []
  const [only, ...others] = items
  if (!only) return none('no company of this name')
  if (others.length > 0) return none(`${items.length} companies of this name`)
  const [domain, ...further] = domainsOf(only)
  if (!domain) return none('a company of this name, without a website')
  if (further.length > 0) return none('a company of this name with several websites')
  const based = countryCode(fieldOf(only.rows[0], 'countryLabel'))
  if (country && based && based !== country) return none(`a company of this name in another country, with ${domain}`)
  return { outcome: 'found', domain }
}

/** The item of a company: by its website, otherwise by its exact name if only one item has it. */
async function findItem(deps: ProviderDeps, { name, domain }: CompanyRef): Promise<SourceResult<Item>> {
  if (domain) {
    const found = await query(deps, companiesByWebsiteQuery(domain))
    if (found.outcome === 'failed') return found
    if (found.outcome === 'items') {
      // A website may belong to a group and its subsidiaries; the name decides.
      const named = found.items.filter(({ label }) => companyKey(label) === companyKey(name))
      const sure = found.items.length === 1 ? found.items : named
      if (sure.length === 1) return itemsResult(sure)
    }
  }
  const found = await query(deps, companiesByLabelQuery([name]))
  if (found.outcome !== 'items') return found
  // With a known domain, only an item with a website on it (`/en`, a subdomain) is the same company.
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
  const isMissing = (field: string) => rows?.every((row) => textAt(row, field, 'value') === null)
  if (!rows || (rows.length > 0 && (isMissing('item') || isMissing('itemLabel'))))
    return reportUnexpectedFormat(deps, NAME)
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

function toFirmographics(item: Item): FoundFirmographics {
  const [first] = item.rows
  const [employees, country, place, logo, about] = [
    latestCount(item),
    fieldOf(first, 'countryLabel'),
    fieldOf(first, 'placeLabel'),
    fieldOf(first, 'logo'),
    fieldOf(first, 'itemDescription'),
  ]
  const industry = firstValue(item, 'industryLabel')
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

/** The number of employees with the latest date; a number without a date counts as the oldest. */
function latestCount({ rows }: Item): number | null {
  let latest: { day: string; count: number } | null = null
  for (const row of rows) {
    const count = Number(fieldOf(row, 'employees') ?? Number.NaN)
    const day = fieldOf(row, 'counted') ?? ''
    if (Number.isInteger(count) && count > 0 && (!latest || day > latest.day)) latest = { day, count }
  }
  return latest?.count ?? null
}

/** The alphabetically first of several industries, so that the result is stable. */
function firstValue({ rows }: Item, field: string): string | null {
  const values = new Set(rows.flatMap((row) => fieldOf(row, field) ?? []))
  return [...values].sort()[0] ?? null
}

function domainsOf({ rows }: Item): string[] {
  return [...new Set(rows.flatMap((row) => normalizeDomain(fieldOf(row, 'site') ?? '') ?? []))]
}

function fieldOf(row: unknown, field: string): string | null {
  const given = textAt(row, field, 'value')
  const value = given && cutText(given, MAX_FIELD_CHARS)
  // The label of an item without an English label is its number.
  return value && field.endsWith('Label') && /^Q\d+$/.test(value) ? null : value
}
