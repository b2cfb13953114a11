import type pg from 'pg'
import { companyKey } from '../engine/companies/company-names.ts'
import { foldIndustry, industryKeys } from '../engine/companies/industries.ts'
import { countryName, findCountryCode } from '../engine/countries.ts'
import { cutText } from '../engine/text/storable.ts'
import { countryOfLocation } from '../providers/countries.ts'
import {
  endDryRun,
  FACET_GROUPS,
  type LoadedCompany,
  loadCompanies,
  newLoad,
  planCompanies,
  prepareDryRun,
  updateStatistics,
} from '../resources/companies/load-store.ts'
import { correctAddressName, findOwnDomain, readCompanyAddress } from '../shared/company-sites.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'
import type { ImportCounts, RejectedRow } from './batches.ts'
import type { CsvRow, CsvRows } from './csv-file.ts'
import { RowRejected, readHeadcount, readLinkField, readTextField } from './fields.ts'

type Options = {
  dryRun: boolean
  /** Whether the connection is a session of its own, and not one that a pooler shares among clients between transactions. */
  session: boolean
  onProgress?: (report: ImportCounts, progress: number | null) => void
  /** Called for each rejected row. Rejected rows are not collected, because their number has no limit. */
  onRejected?: (rejected: RejectedRow) => void
  /** Counts of an earlier attempt: its rows are skipped and its counts continued. */
  after?: ImportCounts
  /** Stores the progress in the transaction that stores the batch. */
  checkpoint?: (client: pg.ClientBase, report: ImportCounts, progress: number | null) => Promise<void>
}

/** Large enough that the overhead per batch is negligible, small enough for a few dozen megabytes of memory. */
const BATCH = 5_000

/**
 * Imports companies into the universe. For a domain that occurs twice, in the file or in an earlier import, the last value
 * wins. The next batch is read while PostgreSQL stores the previous one. The import needs the connection exclusively.
 */
export async function importCompanies(
  client: pg.ClientBase,
  workspaceId: string,
  rows: CsvRows,
  { dryRun, session, onProgress, onRejected, after, checkpoint }: Options,
): Promise<ImportCounts> {
  const passedOver = after?.rows ?? 0
  /** Counts of rows read, ahead of those stored; `existing` counts domains that occur twice within a batch. */
  const read: ImportCounts = { rows: 0, created: 0, existing: 0, rejected: after?.rejected ?? 0 }
  const stored = { created: after?.created ?? 0, existing: after?.existing ?? 0 }
  const load = newLoad(client, workspaceId)
  let storing: Promise<void> = Promise.resolve()
  try {
    if (dryRun) await prepareDryRun(client, { session })
    let batch = new Map<string, LoadedCompany>()
    const store = async (companies: LoadedCompany[], upTo: ImportCounts, progress: number | null) => {
      const report = (created: number) => ({
        rows: upTo.rows,
        rejected: upTo.rejected,
        created: stored.created + created,
        existing: stored.existing + upTo.existing + companies.length - created,
      })
      const saveProgress =
        checkpoint && ((on: pg.ClientBase, created: number) => checkpoint(on, report(created), progress))
      const { created } = await (dryRun ? planCompanies : loadCompanies)(load, companies, saveProgress)
      const { existing, created: total } = report(created)
      Object.assign(stored, { created: total, existing })
      onProgress?.({ ...upTo, ...stored }, progress)
    }
    const flush = async (progress: number | null) => {
      await storing
      storing = store([...batch.values()], { ...read }, progress)
      // Avoids an unhandled rejection until the next await.
      storing.catch(() => {})
      batch = new Map()
      read.existing = 0
    }
    const yields = yieldToEventLoop()
    for await (const some of rows) {
      for (const row of some) {
        const pause = yields()
        if (pause) await pause
        read.rows++
        if (read.rows <= passedOver) continue
        const company = readRow(row)
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
    }
    if (batch.size > 0) await flush(1)
    await storing
    if (!dryRun) await updateStatistics(client, { session })
    return { rows: read.rows, rejected: read.rejected, created: stored.created, existing: stored.existing }
  } finally {
    // When reading fails, the previous batch may still use the connection.
    await storing.catch(() => {})
    // A broken connection has ended its transaction.
    if (dryRun) await endDryRun(client, { session }).catch(() => {})
  }
}

function merge(earlier: LoadedCompany, later: LoadedCompany): LoadedCompany {
  const merged = { ...earlier }
  for (const columns of FACET_GROUPS) {
    if (later[columns[0]] !== null) for (const column of columns) Object.assign(merged, { [column]: later[column] })
  }
  return merged
}

/** Returns the company of a row, or the reason why the row is rejected. */
function readRow(row: CsvRow): LoadedCompany | string {
  try {
    return 'reason' in row ? row.reason : readCompany(row.fields)
  } catch (error) {
    if (error instanceof RowRejected) return error.message
    throw error
  }
}

/** Throws RowRejected. */
function readCompany(fields: Record<string, string>): LoadedCompany {
  const { domain: given = '' } = fields
  if (!given) throw new RowRejected('it has no domain')
  const text = (field: keyof typeof ACCOUNT_MAX_LENGTHS) => readTextField(fields, field, ACCOUNT_MAX_LENGTHS[field])
  const named = text('name')
  const domain = findOwnDomain(given, named ?? '') ?? (readCompanyAddress(given) ? null : normalizeDomain(given))
  if (!domain) throw new RowRejected(`"${cutText(given, 100)}" is not a domain`)
  const name = named && correctAddressName(named, domain).name
  const country = text('country')
  const industry = text('industry')
  const location = text('location')
  const code = country ? codeOf(country) : location ? placeOf(location) : null
  return {
    domain,
    name,
    name_key: name && companyKey(name),
    country_code: code ?? (country ? '' : null),
    country: code ? countryName(code) : country,
    industry,
    ...(industry ? industryOf(industry) : { industry_key: null, industry_words: null }),
    employees: readHeadcount(fields.employees ?? ''),
    location,
    short_description: text('short_description'),
    network_url: readLinkField(fields, 'network_url'),
    founded_year: readYear(fields.founded_year ?? ''),
  }
}

const codeOf = memoize(findCountryCode)
const placeOf = memoize(countryOfLocation)
const industryOf = memoize((industry: string) => {
  const [key] = industryKeys(industry)
  return { industry_key: key ?? '', industry_words: key ? null : foldIndustry(industry) || null }
})

/** Caches results, because a file repeats the same few values. */
function memoize<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= 10_000) return read(text)
    // A copy, because a substring would keep the whole chunk of the file in memory.
    const copy = Buffer.from(text).toString()
    const value = read(copy)
    known.set(copy, value)
    return value
  }
}

/** `1998` and `1998-04-01` are the year 1998. */
function readYear(text: string): number | null {
  const year = Number(/^(1[0-9]{3}|20[0-9]{2})(?:$|[-/])/.exec(text)?.[1] ?? Number.NaN)
  return Number.isNaN(year) ? null : year
}
