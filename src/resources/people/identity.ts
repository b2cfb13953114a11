import { createHmac } from 'node:crypto'
import { searchFold } from '../../search-text.ts'
import type { Secrets } from '../../secrets.ts'

/**
 * What makes a person the same person within an account: their profile page, or name and title where there is none.
 * The page's address is compared without scheme, `www.`, case, query and trailing slash.
 */
export function identityOf({
  network_url,
  full_name,
  title,
}: {
  network_url: string | null
  full_name: string
  title: string | null
}): string {
  const page = network_url && profileKey(network_url)
  return page ? `page:${page}` : `name:${searchFold(full_name)}|${searchFold(title ?? '')}`
}

function profileKey(url: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`
  if (!URL.canParse(text)) return null
  const { hostname, pathname } = new URL(text)
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '').toLowerCase()}`
}

type Identified = { account_id: string; identity: string; email: string | null }

/**
 * What is kept of an erased person: hashes that only this installation can make again. A page or an address is theirs
 * anywhere; a name without either is theirs at this account only, for others have it too.
 */
export function suppressionHashes(
  secrets: Secrets,
  workspaceId: string,
  { account_id, identity, email }: Identified,
): Buffer[] {
  const person = identity.startsWith('page:') ? identity : `${account_id} ${identity}`
  const values = [person, ...(email ? [`email:${email.toLowerCase()}`] : [])]
  return values.map((value) => createHmac('sha256', secrets.suppressionKey).update(`${workspaceId}\n${value}`).digest())
}
