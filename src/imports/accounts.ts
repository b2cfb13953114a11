import { createHash } from 'node:crypto'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { companyKey } from '../engine/companies/company-names.ts'
import { countryName, findCountryCode } from '../engine/countries.ts'
import { searchFold } from '../engine/text/fold.ts'
import { cutText } from '../engine/text/storable.ts'
import { readWebLink } from '../engine/text/web-address.ts'
import { assessNewAccounts } from '../research/assess.ts'
import { type ResearchContext, readContext } from '../research/context.ts'
import { addAccounts } from '../resources/accounts/create.ts'
import { MAX_TAG_CHARS, MAX_TAGS } from '../resources/accounts/schema.ts'
import { findSameAccounts } from '../resources/accounts/store.ts'
import { uniqueTags } from '../resources/accounts/tags.ts'
import { findCompaniesByName } from '../resources/companies/store.ts'
import { listMembers } from '../resources/members/store.ts'
import {
  correctAddressName,
  findOwnDomain,
  nameFromDomain,
  readCompanyAddress,
  readIndustry,
} from '../shared/company-sites.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'
import { type ImportCallbacks, type ImportCounts, importRows } from './batches.ts'
import { isPlaceholder } from './columns.ts'
import type { CsvRows } from './csv-file.ts'
import { RowRejected, readHeadcount, readLinkField, readTextField } from './fields.ts'

type ImportedRow = ReturnType<typeof readAccount>

/** A row that would be a second account of the same company: of an existing one, or of an earlier line. */
export type DuplicateRow = {
  line: number
  name: string
  account: { id: string; name: string; domain: string | null } | null
  same_as_line: number | null
}

/** Rows to point out before an import. */
export type RowRemarks = {
  /** Rows without a domain. */
  without_domain: number
  /** Those whose name is that of one company of the universe, or of one account with a domain. */
  completable: number
  /** Rows whose owner is not a member. */
  unknown_owner: number
}

type Options = ImportCallbacks<ImportedRow> & {
  dryRun: boolean
  /** Added to every new account. */
  tag?: string | undefined
  /** Takes the domain of a row without one from the company of the universe with its name. */
  fillDomains?: boolean | undefined
  /** The record of the import, by which its accounts can be listed. */
  importId?: string | undefined
  onDuplicate?: (duplicate: DuplicateRow) => void
  onRemarks?: (remarks: RowRemarks) => void
}

/**
 * Imports accounts as the team's own list: new accounts are scored for fit and wait to be activated. A row of a known company
 * changes nothing: by its domain, or by its name if it has no domain.
 */
export async function importAccounts(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  rows: CsvRows,
  { dryRun, tag, fillDomains = false, importId, onDuplicate, onRemarks, ...watch }: Options,
): Promise<ImportCounts> {
  const owners = await findOwners(db, workspaceId)
  const context = dryRun ? null : await readContext({ db, now }, workspaceId)
  const seen = new SeenCompanies()
  const remarks: RowRemarks = { without_domain: 0, completable: 0, unknown_owner: 0 }

  return importRows({
    ...watch,
    rows,
    read: (fields, line) => readAccount(fields, line, owners, tag),
    async store(batch, checkpoint) {
      const named = await findDomainsByName(db, workspaceId, batch)
      if (fillDomains) {
        const known = await findSameAccounts(db, workspaceId, batch)
        // In place, so that the preview shows the rows with their domains.
        for (const [at, row] of batch.entries()) {
          if (!known[at]) row.domain ??= named.get(companyKey(row.name)) ?? null
        }
      }
      const settle = async (db: Db) => {
        const same = await findSameAccounts(db, workspaceId, batch)
        const duplicates = batch.map((row, at) => seen.findDuplicate(row, same[at] ?? null))
        if (!context) return duplicates
        const added = batch.filter((_, at) => !duplicates[at])
        const stored = (await storeAccounts(db, workspaceId, added, importId, context)).values()
        // A domain may have become an account since.
        return duplicates.map((duplicate, at) => duplicate ?? asDuplicate(batch[at], stored.next().value))
      }
      const outcomesOf = (duplicates: readonly (DuplicateRow | null)[]) =>
        duplicates.map((duplicate) => (duplicate ? ('existing' as const) : ('created' as const)))
      const duplicates = dryRun
        ? await settle(db)
        : await db.transaction().execute(async (db) => {
            const settled = await settle(db)
            await checkpoint(db, outcomesOf(settled))
            return settled
          })
      for (const [at, duplicate] of duplicates.entries()) {
        const { domain, name, has_unknown_owner } = batch[at] as ImportedRow
        if (duplicate) onDuplicate?.(duplicate)
        if (has_unknown_owner) remarks.unknown_owner++
        if (domain !== null) continue
        remarks.without_domain++
        if (duplicate?.account?.domain || named.has(companyKey(name))) remarks.completable++
      }
      onRemarks?.(remarks)
      return outcomesOf(duplicates)
    },
  })
}

async function storeAccounts(
  db: Db,
  workspaceId: string,
  rows: readonly ImportedRow[],
  importId: string | undefined,
  context: ResearchContext,
) {
  const accounts = rows.map(({ line: _line, has_unknown_owner: _owner, ...account }) => ({
    ...account,
    import_id: importId ?? null,
  }))
  const stored = await addAccounts(db, workspaceId, 'import', accounts)
  await assessNewAccounts(
    db,
    workspaceId,
    stored.filter(({ created }) => created),
    context,
  )
  return stored
}

type Stored = NonNullable<DuplicateRow['account']> & { created: boolean }

function asDuplicate(row: ImportedRow | undefined, stored: Stored | undefined): DuplicateRow | null {
  if (!row || !stored || stored.created) return null
  const { id, name, domain } = stored
  return { line: row.line, name: row.name, account: { id, name, domain }, same_as_line: null }
}

/** The ids of members by email, id and name; a name that two members have identifies none. */
async function findOwners(db: Db, workspaceId: string): Promise<Map<string, string>> {
  const members = await listMembers(db, workspaceId)
  const names = Map.groupBy(members, ({ name }) => searchFold(name.trim()))
  return new Map([
    ...[...names].flatMap(([name, [member, second]]) => (member && !second ? [[name, member.id] as const] : [])),
    ...members.flatMap(({ id, email }) => [[searchFold(email), id] as const, [id, id] as const]),
  ])
}

/** The domains of companies of the universe, by the names of the rows without a domain. */
async function findDomainsByName(db: Db, workspaceId: string, rows: readonly ImportedRow[]) {
  const keys = rows.flatMap(({ name, domain }) => (domain === null ? companyKey(name) || [] : []))
  const found = await findCompaniesByName(db, workspaceId, [...new Set(keys)])
  return new Map(found.map(({ name_key, domain }) => [name_key, domain]))
}

/** The companies of the rows so far, by domain and by name. */
class SeenCompanies {
  readonly #lines = new Map<string, number>()

  findDuplicate(row: ImportedRow, account: DuplicateRow['account']): DuplicateRow | null {
    const { line, name, domain } = row
    const byName = shortKey(`name ${searchFold(name)}`)
    const key = domain === null ? byName : shortKey(domain)
    const first = this.#lines.get(key)
    if (domain !== null && !this.#lines.has(byName)) this.#lines.set(byName, line)
    if (first === undefined) this.#lines.set(key, line)
    if (first === undefined && !account) return null
    // An account that an earlier line has just created is reported by its line.
    return { line, name, account: first === undefined ? account : null, same_as_line: first ?? null }
  }
}

/** Short, because there may be a million keys. */
const shortKey = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

function readAccount(fields: Record<string, string>, line: number, owners: Map<string, string>, tag?: string) {
  const cell = (field: string) => (isPlaceholder(fields[field] ?? '') ? '' : (fields[field] ?? ''))
  const { name: given = '' } = fields
  const addresses = [cell('domain'), cell('website'), cell('email')]
  const domain = addresses.map((address) => findOwnDomain(address, given)).find((found) => found !== null) ?? null
  const company = correctAddressName(given, domain ?? readUnlistedDomain(cell('domain')))
  if (!company.name && !company.domain) throw new RowRejected('it has neither a name nor a domain')
  const owner = cell('owner')
  const owner_id = owner ? owners.get(searchFold(owner)) : null
  const text = (field: keyof typeof ACCOUNT_MAX_LENGTHS) => readTextField(fields, field, ACCOUNT_MAX_LENGTHS[field])
  const country = text('country')
  const code = country && findCountryCode(country)
  return {
    line,
    name:
      readTextField({ name: company.name }, 'name', ACCOUNT_MAX_LENGTHS.name) ??
      nameFromDomain(company.domain as string),
    domain: company.domain,
    tags: readTags(fields.tags ?? '', tag),
    owner_id: owner_id ?? null,
    has_unknown_owner: owner_id === undefined,
    employees: readHeadcount(fields.employees ?? ''),
    industry: readIndustry(text('industry')),
    location: text('location'),
    country: code ? countryName(code) : country,
    network_url: readLinkField(fields, 'network_url') ?? company.network_url ?? readProfile(addresses),
    short_description: text('short_description'),
  }
}

/** A domain under a suffix that is not public, such as one of an intranet. Throws RowRejected for any other text. */
function readUnlistedDomain(cell: string): string | null {
  if (cell === '' || readCompanyAddress(cell.split(/[\s,;|]+/, 1)[0] as string)) return null
  const domain = normalizeDomain(cell)
  if (!domain) throw new RowRejected(`"${cutText(cell, 100)}" is not a domain`)
  return domain
}

/** The page of the company at a professional network that is given in place of its own address. */
function readProfile(addresses: readonly string[]): string | null {
  const profile = addresses.find((address) => readCompanyAddress(address)?.kind === 'profile')
  return profile ? readWebLink(profile) : null
}

/** Applies the limits of the API. Throws RowRejected. */
function readTags(cell: string, another = ''): string[] {
  const tags = uniqueTags([...cell.split(/[,;|]/), another]).filter(Boolean)
  if (tags.length > MAX_TAGS) throw new RowRejected(`it has more than ${MAX_TAGS} tags`)
  for (const tag of tags) readTextField({ tag }, 'tag', MAX_TAG_CHARS)
  return tags
}
