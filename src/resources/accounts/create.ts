import type { Db } from '../../db/connect.ts'
import type { AccountSource } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { normalizeDomain } from '../../domains.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { requireMembers } from '../members/require.ts'
import type { NewAccount } from './schema.ts'
import { findAccountsByDomain, type ImportedFirmographics, insertAccounts, type NewAccountRow } from './store.ts'
import { uniqueTags } from './tags.ts'

type Given = NewAccount & Partial<ImportedFirmographics>

/**
 * Adds accounts as suggested, in one statement. A domain that the workspace has already, or that comes twice, is one
 * account and changes nothing. Answers in the order given. Throws invalid_request, unknown_member.
 */
export function createAccounts({ db }: Pick<Deps, 'db'>, workspaceId: string, source: AccountSource, given: Given[]) {
  return db.transaction().execute((db) => addAccounts(db, workspaceId, source, given))
}

/** The same, in the caller's transaction. */
export async function addAccounts(db: Db, workspaceId: string, source: AccountSource, given: Given[]) {
  const rows = normalize(given)
  await requireMembers(
    db,
    workspaceId,
    rows.map(({ owner_id }) => owner_id),
  )
  const first = new Map<string, NewAccountRow>()
  for (const row of rows) if (row.domain !== null && !first.has(row.domain)) first.set(row.domain, row)
  // Sorted, so that two calls with the same domains lock them in one order and cannot deadlock.
  const domains = [...first.keys()].sort()
  const unique = [
    ...domains.map((domain) => first.get(domain) as NewAccountRow),
    ...rows.filter(({ domain }) => domain === null),
  ]

  const added = await insertAccounts(db, workspaceId, source, unique)
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

function normalize(given: Given[]): NewAccountRow[] {
  const details: ErrorDetail[] = []
  const rows = given.map(({ name, domain, tags = [], owner_id = null, ...firmographics }, at) => {
    const normalized = domain?.trim() ? normalizeDomain(domain) : null
    if (domain?.trim() && !normalized) {
      details.push({ path: given.length > 1 ? `${at}.domain` : 'domain', message: 'must be a domain such as acme.com' })
    }
    return {
      id: newId(),
      name: name.trim(),
      domain: normalized,
      tags: uniqueTags(tags),
      owner_id,
      ...firmographics,
    }
  })
  if (details[0])
    throw new AppError('invalid_request', `${details[0].path} ${details[0].message}.`, {
      details: details.slice(0, 20),
    })
  return rows
}
