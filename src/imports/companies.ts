import type pg from 'pg'
import { normalizeDomain } from '../domains.ts'
import { companyKey } from '../engine/company-names.ts'
import { countryName, findCountryCode } from '../engine/countries.ts'
import { foldIndustry, industryKeys } from '../engine/industries.ts'
import { countryOfLocation } from '../providers/countries.ts'
import {
  finishLoad,
  GROUPS,
  type LoadedCompany,
  loadCompanies,
  planCompanies,
  prepareLoad,
} from '../research/discovery/universe-load-store.ts'
import { readHeadcount } from './accounts.ts'
import type { Rejected } from './batches.ts'
import type { NdjsonRow } from './ndjson-file.ts'

export type CompaniesReport = { rows: number; created: number; existing: number; rejected: number }

type Options = {
  dryRun: boolean
  onProgress?: (report: CompaniesReport, progress: number | null) => void
  /** Called for each line that cannot be used: their number has no limit, so they are not kept. */
  onRejected?: (rejected: Rejected) => void
  /** Where an earlier attempt ended: its rows are passed over and its counts go on. */
  after?: CompaniesReport
  /** Writes how far the import has come, in the transaction that stores the batch. */
  checkpoint?: (client: pg.ClientBase, report: CompaniesReport, progress: number | null) => Promise<void>
}

/** Large enough that the work for each batch does not count, small enough for a few dozen megabytes. */
const BATCH = 10_000

/**
 * Brings companies into the universe. A domain that comes twice, in the file or from an earlier import, takes what is said
 * last. The next batch is read while PostgreSQL stores the one before. The connection is this import's alone.
 */
export async function importCompanies(
  client: pg.ClientBase,
  workspaceId: string,
  rows: AsyncIterable<NdjsonRow>,
  { dryRun, onProgress, onRejected, after, checkpoint }: Options,
): Promise<CompaniesReport> {
  const passedOver = after?.rows ?? 0
  /** What was read, ahead of what is stored; `existing` are domains that came twice within a batch. */
  const read: CompaniesReport = { rows: 0, created: 0, existing: 0, rejected: after?.rejected ?? 0 }
  const stored = { created: after?.created ?? 0, existing: after?.existing ?? 0 }
  let storing: Promise<void> = Promise.resolve()
  try {
    await prepareLoad(client)
    let batch = new Map<string, LoadedCompany>()
    const store = async (companies: LoadedCompany[], upTo: CompaniesReport, progress: number | null) => {
      const report = (created: number) => ({
        rows: upTo.rows,
        rejected: upTo.rejected,
        created: stored.created + created,
        existing: stored.existing + upTo.existing + companies.length - created,
      })
      const along = checkpoint && ((on: pg.ClientBase, created: number) => checkpoint(on, report(created), progress))
      const { created } = await (dryRun ? planCompanies : loadCompanies)(client, workspaceId, companies, along)
      const { existing, created: total } = report(created)
      Object.assign(stored, { created: total, existing })
      onProgress?.({ ...upTo, ...stored }, progress)
    }
    const flush = async (progress: number | null) => {
      await storing
      storing = store([...batch.values()], { ...read }, progress)
      // Its failure is met at the next await; until then it must not count as unhandled.
      storing.catch(() => {})
      batch = new Map()
      read.existing = 0
    }
    for await (const row of rows) {
      read.rows++
      if (read.rows <= passedOver) continue
      const company = 'reason' in row ? row.reason : readCompany(row.fields)
      if (typeof company === 'string') {
        read.rejected++
        onRejected?.({ line: row.line, reason: company })
        continue
      }
      const earlier = batch.get(company.domain)
      if (earlier) read.existing++
      batch.set(company.domain, earlier ? merge(earlier, company) : company)
      if (batch.size >= BATCH) await flush(row.progress)
    }
    if (batch.size > 0) await flush(1)
    await storing
    await finishLoad(client, { changed: !dryRun })
    return { rows: read.rows, rejected: read.rejected, created: stored.created, existing: stored.existing }
  } finally {
    // When reading fails, the batch before may still be on the connection.
    await storing.catch(() => {})
  }
}

function merge(earlier: LoadedCompany, later: LoadedCompany): LoadedCompany {
  const merged = { ...earlier }
  for (const columns of GROUPS) {
    if (later[columns[0]] !== null) for (const column of columns) Object.assign(merged, { [column]: later[column] })
  }
  return merged
}

/** A company as it is stored, or the reason why the line cannot be used. */
function readCompany(fields: Record<string, string>): LoadedCompany | string {
  const { name = '', domain: given = '', country = '', industry = '', location = '' } = fields
  // PostgreSQL stores neither, and what is stored is what was sent.
  if (Object.values(fields).some((text) => text.includes('\0') || !text.isWellFormed()))
    return 'it holds characters that cannot be stored'
  if (!given) return 'it has no domain'
  const domain = normalizeDomain(given)
  if (!domain) return `"${given.slice(0, 100)}" is not a domain`
  const code = country ? codeOf(country) : location ? placeOf(location) : null
  const text = (field: string, length: number) => fields[field]?.slice(0, length) || null
  return {
    domain,
    name: name.slice(0, 300) || null,
    name_key: name ? companyKey(name.slice(0, 300)) : null,
    country_code: code ?? (country ? '' : null),
    country: code ? countryName(code) : country.slice(0, 100) || null,
    industry: industry.slice(0, 200) || null,
    ...(industry ? industryOf(industry.slice(0, 200)) : { industry_key: null, industry_words: null }),
    employees: readHeadcount(fields.employees ?? ''),
    location: text('location', 300),
    short_description: text('short_description', 5000),
    network_url: text('network_url', 2048),
    founded_year: readYear(fields.founded_year ?? ''),
  }
}

const codeOf = remembered(findCountryCode)
const placeOf = remembered(countryOfLocation)
const industryOf = remembered((industry: string) => {
  const [key] = industryKeys(industry)
  return { industry_key: key ?? '', industry_words: key ? null : foldIndustry(industry) || null }
})

/** The same few values come again and again in a file. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    if (known.size < 10_000) known.set(text, value)
    return value
  }
}

/** `1998` and `1998-04-01` are the year 1998. */
function readYear(text: string): number | null {
  const year = Number(/^(1[0-9]{3}|20[0-9]{2})(?:$|[-/])/.exec(text)?.[1] ?? Number.NaN)
  return Number.isNaN(year) ? null : year
}
