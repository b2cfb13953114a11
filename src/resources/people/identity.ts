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

export function profileKey(url: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`
  if (!URL.canParse(text)) return null
  const { hostname, pathname } = new URL(text)
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '').toLowerCase()}`
}

type Identified = {
  account_id: string
  identity: string
  full_name: string
  email?: string | null
  given_email?: string | null
  published_email?: string | null
}

/**
 * What is kept of an erased person: hashes that only this installation can make again. A page or an address is theirs
 * anywhere; a name is theirs at this account only, for others have it too. With or without a title: a source that gives
 * them another one must not bring them back.
 */
export function suppressionHashes(secrets: Secrets, workspaceId: string, person: Identified): Buffer[] {
  const { account_id, identity } = person
  const name = searchFold(person.full_name)
  const hasPage = identity.startsWith('page:')
  const own = hasPage ? [identity] : [`${account_id} ${identity}`, `${account_id} pageless:${name}`]
  return hashesOf(secrets, workspaceId, [...own, `${account_id} name:${name}`, ...addressesOf(person)])
}

/**
 * What of somebody a source brings is looked for among the erased. Whoever has a page of their own is another person
 * than the erased one with another page, even if they share the name.
 */
export function suppressionKeys(secrets: Secrets, workspaceId: string, person: Identified): Buffer[] {
  const { account_id, identity } = person
  const name = searchFold(person.full_name)
  const hasPage = identity.startsWith('page:')
  const own = hasPage
    ? [identity, `${account_id} pageless:${name}`]
    : [`${account_id} ${identity}`, `${account_id} name:${name}`]
  return hashesOf(secrets, workspaceId, [...own, ...addressesOf(person)])
}

/** How an address is looked for among the erased. */
export function addressHash(secrets: Secrets, workspaceId: string, email: string): Buffer {
  return hashesOf(secrets, workspaceId, addressesOf({ email }))[0] as Buffer
}

function addressesOf({ email, given_email, published_email }: Partial<Identified>): string[] {
  const known = [email, given_email, published_email].flatMap((address) => (address ? [address.toLowerCase()] : []))
  return [...new Set(known)].map((address) => `email:${address}`)
}

function hashesOf(secrets: Secrets, workspaceId: string, values: string[]): Buffer[] {
  return values.map((value) => createHmac('sha256', secrets.suppressionKey).update(`${workspaceId}\n${value}`).digest())
}
