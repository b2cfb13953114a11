import { getDomain } from 'tldts'
import type { Db } from '../db/connect.ts'
import { NIL_ID } from '../shared/ids.ts'
import { findCompaniesOfAccounts, selectErasureScopes } from './erasure-store.ts'

/**
 * Returns, for each account, its registrable domain and the account ids under which names erased at its company may be
 * stored: its own id, and those of earlier accounts of the same company under any of its hosts.
 */
export async function findErasureScopes(db: Db, workspaceId: string, accountIds: readonly string[]) {
  const companies = await findCompaniesOfAccounts(db, workspaceId, [...new Set(accountIds)])
  const sites = companies.map(({ id, name, domain }) => ({ id, name, site: domain && siteOf(domain) }))
  const scopes = new Map(sites.map(({ id, site }) => [id, { ids: new Set([id]), site }]))
  for (const { id, scope } of await selectErasureScopes(db, workspaceId, sites)) scopes.get(id)?.ids.add(scope)
  return scopes
}

/** Returns the same ids for a company that is not an account yet. */
export async function findCompanyErasureScopes(
  db: Db,
  workspaceId: string,
  { name, domain }: ScopedCompany,
): Promise<Set<string>> {
  const company = { id: NIL_ID, name, site: domain && siteOf(domain) }
  return new Set((await selectErasureScopes(db, workspaceId, [company])).map(({ scope }) => scope))
}

export type ScopedCompany = { name: string; domain: string | null }

/** The registrable domain: acme.com for jobs.acme.com. */
function siteOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
