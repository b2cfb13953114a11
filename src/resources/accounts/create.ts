import type { Db } from '../../db/connect.ts'
import type { AccountSource, Firmographics } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { correctAddressName, readCompanyAddress } from '../../shared/company-sites.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { AppError, type ErrorDetail } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'
import { findCompaniesBySite } from '../companies/by-site.ts'
import { findMemberIds } from '../members/store.ts'
import { hasErasures } from '../workspaces/store.ts'
import type { NewAccount } from './schema.ts'
import { findAccountsByDomain, insertAccounts, type NewAccountRow } from './store.ts'
import { uniqueTags } from './tags.ts'

type Given = NewAccount & Partial<Firmographics> & { import_id?: string | null }

type Options = {
  /** Whether the caller sent a list: then an error names the index of the account. */
  isList: boolean
  /** Whether valid accounts are stored although others are invalid. */
  partial: boolean
}

const MAX_DETAILS = 20

const isRow = (row: NewAccountRow | AppError): row is NewAccountRow => !(row instanceof AppError)

/**
 * Creates suggested accounts in one statement. A domain that already exists, or occurs twice, is one account and
 * changes nothing. Returns the accounts in the given order; with `partial`, an invalid account is replaced by its
 * error. Throws invalid_request, unknown_member.
 */
export async function createAccounts(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  given: (Given | AppError)[],
  { isList, partial }: Options,
) {
  const checked = await checkRows(db, workspaceId, given, isList)
  const rows = checked.filter(isRow)
  if (rows.length < checked.length && !(partial && rows.length > 0)) throw refusalOf(checked, isList)
  // A single account is one atomic statement.
  const stored =
    rows.length === 1
      ? await insertRows(db, workspaceId, 'api', rows)
      : await db.transaction().execute((db) => insertRows(db, workspaceId, 'api', rows))
  const inOrder = stored.values()
  return checked.map((row) => (row instanceof AppError ? row : (inOrder.next().value as (typeof stored)[number])))
}

/** Creates accounts in the caller's transaction, all or none. Throws invalid_request, unknown_member. */
export async function addAccounts(db: Db, workspaceId: string, source: AccountSource, given: Given[]) {
  const checked = await checkRows(db, workspaceId, given, true)
  const rows = checked.filter(isRow)
  if (rows.length < checked.length) throw refusalOf(checked, true)
  return insertRows(db, workspaceId, source, rows)
}

async function insertRows(db: Db, workspaceId: string, source: AccountSource, rows: NewAccountRow[]) {
  const first = new Map<string, NewAccountRow>()
  for (const row of rows) if (row.domain !== null && !first.has(row.domain)) first.set(row.domain, row)
  // Sorted, so that concurrent calls lock domains in the same order and do not deadlock.
  const domains = [...first.keys()].sort()
  const unique = [
    ...domains.map((domain) => first.get(domain) as NewAccountRow),
    ...rows.filter(({ domain }) => domain === null),
  ]

  const added = await insertAccounts(db, workspaceId, source, await fillRows(db, workspaceId, unique))
  const byId = new Map(added.map((account) => [account.id, account]))
  const known = domains.filter((domain) => !byId.has((first.get(domain) as NewAccountRow).id))
  const before = known.length > 0 ? await findAccountsByDomain(db, workspaceId, known) : []
  const byDomain = new Map([...added, ...before].map((account) => [account.domain, account]))
  return rows.map(({ id, domain }) => {
    const account = byId.get(id) ?? byDomain.get(domain)
    if (!account)
      throw new AppError('unavailable', 'An account with this domain was just deleted. Try again.', { retryAfter: 1 })
    return { ...account, created: account.id === id }
  })
}

/** Adds the values that only the imported universe has. A description that may name an erased person is left to research. */
async function fillRows(db: Db, workspaceId: string, rows: NewAccountRow[]): Promise<NewAccountRow[]> {
  const companies = await findCompaniesBySite(
    db,
    workspaceId,
    rows.flatMap(({ domain }) => domain ?? []),
  )
  if (companies.size === 0) return rows
  const isErased = await hasErasures(db, workspaceId)
  return rows.map((row) => {
    const company = companies.get(row.domain ?? '')
    if (!company) return row
    const country = row.country ?? null
    const { employees, industry, location, network_url, short_description, founded_year } = company
    return {
      ...row,
      employees: row.employees ?? employees,
      industry: row.industry ?? industry,
      country: country ?? company.country,
      // The location of one source may contradict the country of another.
      location: row.location ?? (country === null || country === company.country ? location : null),
      network_url: row.network_url ?? network_url,
      short_description: row.short_description ?? (isErased ? null : short_description),
      founded_year,
    }
  })
}

/** The row of each account, or its error. */
async function checkRows(
  db: Db,
  workspaceId: string,
  given: (Given | AppError)[],
  isList: boolean,
): Promise<(NewAccountRow | AppError)[]> {
  const owners = new Set(given.flatMap((one) => (one instanceof AppError ? [] : (one.owner_id ?? []))).filter(isId))
  const members = owners.size > 0 ? await findMemberIds(db, workspaceId, [...owners]) : new Set<string>()
  return given.map((one, at) => {
    if (one instanceof AppError) return one
    const { name, domain, tags = [], owner_id = null, ...firmographics } = one
    const refuse = (code: 'invalid_request' | 'unknown_member', field: string, message: string) => {
      const path = isList ? `${at}.${field}` : field
      return new AppError(code, `${path} ${message}.`, { details: [{ path, message }] })
    }
    const normalized = domain?.trim() ? normalizeDomain(domain) : null
    if (domain?.trim() && !normalized) return refuse('invalid_request', 'domain', 'must be a domain such as acme.com')
    const page = domain && /[^/:]\/[^/]|@/.test(domain) ? readCompanyAddress(domain) : null
    if (page && page.kind !== 'site' && page.kind !== 'email') {
      return refuse('invalid_request', 'domain', `must be the domain of the company, not an address at ${page.domain}`)
    }
    if (owner_id !== null && !members.has(owner_id.toLowerCase())) {
      return refuse('unknown_member', 'owner_id', 'must be a member of this workspace; GET /members lists them')
    }
    const company = correctAddressName(name, normalized)
    return { id: newId(), ...company, tags: uniqueTags(tags), owner_id, ...firmographics }
  })
}

/** The error for the whole request: the code of the first invalid account, with the details of all. */
function refusalOf(checked: readonly (NewAccountRow | AppError)[], isList: boolean): AppError {
  const errors = checked.filter((row) => row instanceof AppError)
  const [first] = errors as [AppError, ...AppError[]]
  if (!isList) return first
  const details: ErrorDetail[] = errors.flatMap(({ details = [] }) => details).slice(0, MAX_DETAILS)
  const others = errors.length < checked.length ? ' Fix it, or add ?partial=true to store the others.' : ''
  const many = `${errors.length} of ${checked.length} accounts cannot be stored, so none was`
  return new AppError(first.code, `${many}. First error, by index: ${first.message}${others}`, { details })
}
