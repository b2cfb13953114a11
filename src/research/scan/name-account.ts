import type { Deps } from '../../deps/deps.ts'
import { toStorable } from '../../engine/text/storable.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { fetchPage } from '../../providers/web/fetch-page.ts'
import { renameAccount } from '../../resources/accounts/store.ts'
import { nameFromDomain } from '../../shared/company-sites.ts'

/** A longer text is a slogan and no name. */
const MAX_CHARS = 80

type Named = { id: string; name: string; domain: string | null; last_scanned_at: string | null }

/**
 * An account that was added by its domain alone gets the name that its home page states: signals are detected by the name.
 * Other accounts, scanned ones, and those of sites that state none, do not change. Throws only when the signal aborts.
 */
export async function nameFromSite<A extends Named>(
  deps: Deps,
  workspaceId: string,
  account: A,
  signal: AbortSignal,
): Promise<A> {
  const { id, domain } = account
  const isNamed = domain === null || ![domain, nameFromDomain(domain)].includes(account.name)
  if (isNamed || account.last_scanned_at !== null || !deps.config.SOURCES.has('website')) return account
  const home = await fetchPage(toProviderDeps(deps, signal), `https://${domain}/`)
  const found = home.outcome === 'read' && home.type === 'page' ? home.page.organization?.name : undefined
  const name = toStorable(found ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (name === '' || name.length > MAX_CHARS) return account
  const isRenamed = await renameAccount(deps.db, workspaceId, id, { from: account.name, to: name })
  return isRenamed ? { ...account, name } : account
}
