import { getDomain } from 'tldts'
import type { Db } from '../db/connect.ts'
import { NIL_ID } from '../shared/ids.ts'
import { findCompaniesOfAccounts, selectErasureScopes } from './erasure-store.ts'

/**
 * For each account the ids under which names erased at its company may be kept: its own, and those of accounts that were the
 * same company before, under any of its hosts. And its site.
 */
export async function findErasureScopes(db: Db, workspaceId: string, accountIds: readonly string[]) {
  const companies = await findCompaniesOfAccounts(db, workspaceId, [...new Set(accountIds)])
  const sites = companies.map(({ id, name, domain }) => ({ id, name, site: domain && siteOf(domain) }))
  const scopes = new Map(sites.map(({ id, site }) => [id, { ids: new Set([id]), site }]))
  for (const { id, scope } of await selectErasureScopes(db, workspaceId, sites)) scopes.get(id)?.ids.add(scope)
  return scopes
}

/** The same ids for a company that is no account yet. */
export async function findCompanyErasureScopes(
  db: Db,
  workspaceId: string,
  { name, domain }: ScopedCompany,
): Promise<Set<string>> {
  const company = { id: NIL_ID, name, site: domain && siteOf(domain) }
  return new Set((await selectErasureScopes(db, workspaceId, [company])).map(({ scope }) => scope))
}

export type ScopedCompany = { name: string; domain: string | null }

/** The part of a domain that somebody registered: jobs.acme.com is acme.com's. */
function siteOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
