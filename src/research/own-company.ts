import type { Deps } from '../deps/deps.ts'
import { registrableDomainOrHost } from '../engine/text/web-address.ts'
import { listOwnDomains } from '../resources/company-profile/store.ts'

/** Tells whether a domain or URL belongs to the workspace's own company. A name match alone proves nothing. */
export type IsOwnCompany = (domainOrUrl: string) => boolean

export async function readOwnCompany({ db }: Pick<Deps, 'db'>, workspaceId: string): Promise<IsOwnCompany> {
  const own = new Set((await listOwnDomains(db, workspaceId)).map(registrableDomainOrHost))
  return (domainOrUrl) => own.has(registrableDomainOrHost(domainOrUrl))
}
