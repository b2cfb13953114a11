import { createHmac } from 'node:crypto'
import { searchFold } from '../search-text.ts'
import type { Secrets } from '../secrets.ts'

/**
 * What makes a person the same person within an account: their profile page, or name and title where there is none.
 * The page's address is compared without scheme, case, trailing slash and the host's country.
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

/** Networks with hosts by country or device: de.linkedin.com shows whom www.linkedin.com shows. */
const NETWORKS = ['linkedin.com', 'xing.com', 'facebook.com', 'twitter.com', 'instagram.com']
/** Where a network's page is one level below a folder; what follows is a language or a dialog. */
const BELOW_FOLDER = /^\/(?:in|profile)\/[^/]+/
const FOLDER = /^\/(?:in|pub|profile|people|person|users?|team)$/
const NOBODY = /\/(?:n\/?a|none|null|undefined|unknown|[-_.]+)$/
const ID_PARAMETER = /^(?:id|uid|(?:profile|user|member|person)_?id)$/i

/** One form for all addresses of a profile page; null for what is no such address ("N/A", a bare "linkedin.com/in/"). */
export function profileKey(url: string): string | null {
  const parsed = parse(url)
  if (!parsed) return null
  const host = parsed.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const network = host === 'x.com' ? 'twitter.com' : NETWORKS.find((name) => host === name || host.endsWith(`.${name}`))
  const whole = pathOf(parsed)
  const path = (network && BELOW_FOLDER.exec(whole)?.[0]) || whole
  // Sites that know people by number have one path for all of them.
  const ids = [...parsed.searchParams].filter(([name, value]) => ID_PARAMETER.test(name) && value !== '').sort()
  const query = network && path !== whole ? '' : ids.map(([name, value]) => `${name}=${value}`.toLowerCase()).join('&')
  if (!host.includes('.') || path === '' || ((FOLDER.test(path) || NOBODY.test(path)) && query === '')) return null
  return `${network ?? host}${path}${query && `?${query}`}`
}

function parse(url: string): URL | null {
  const text = url.trim()
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}

const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '').toLowerCase()

/** Names compare without accents, case and initials, unless too little of them would be left: "J. Smith". */
export function nameKey(name: string): string {
  const words = searchFold(name).split(/[\s.,]+/)
  const whole = words.filter((word) => word.length > 1)
  return (whole.length > 1 ? whole : words.filter((word) => word !== '')).join(' ')
}

export type Identified = {
  account_id: string
  identity: string
  full_name: string
  network_url?: string | null
  email?: string | null
  given_email?: string | null
  published_email?: string | null
}

/**
 * What is kept of an erased person: hashes that only this installation can make again. A page or an address is theirs
 * anywhere; a name is theirs at this company only, for others have it too. With or without a title: a source that gives
 * them another one must not bring them back. What texts are searched for is hashed in `redact/marks.ts`.
 */
export function suppressionHashes(secrets: Secrets, workspaceId: string, person: Identified): Buffer[] {
  const { account_id, identity } = person
  const names = namesOf(person)
  // What was once taken for a page may be none: "N/A".
  const own =
    identity.startsWith('page:') && profileKey(identity.slice('page:'.length))
      ? pagesOf(person)
      : [`${account_id} ${identity}`, ...names.map((name) => `${account_id} pageless:${name}`)]
  const named = names.map((name) => `${account_id} name:${name}`)
  return hashesOf(secrets, workspaceId, [...own, ...named, ...addressesOf(person)])
}

/**
 * What of somebody a source brings is looked for among the erased. Whoever has a page of their own is another person
 * than the erased one with another page, even if they share the name. `scopes`: the ids under which names erased at this
 * company are kept.
 */
export function suppressionKeys(
  secrets: Secrets,
  workspaceId: string,
  person: Identified,
  scopes: Iterable<string>,
): Buffer[] {
  const { identity } = person
  const names = namesOf(person)
  const own = [...scopes].flatMap((scope) =>
    identity.startsWith('page:')
      ? names.map((name) => `${scope} pageless:${name}`)
      : [`${scope} ${identity}`, ...names.map((name) => `${scope} name:${name}`)],
  )
  const pages = identity.startsWith('page:') ? pagesOf(person) : []
  return hashesOf(secrets, workspaceId, [...own, ...pages, ...addressesOf(person)])
}

/** A name as rosters compare it, and as it is spelled: hashes were once made of the spelling alone. */
function namesOf({ full_name }: Identified): string[] {
  return [...new Set([nameKey(full_name), searchFold(full_name)])]
}

/** A page in its one form, and in the form in which hashes were once made: host as given, no query. */
export function pagesOf({ identity, network_url }: Identified): string[] {
  const address = identity.slice('page:'.length)
  const given = parse(network_url ?? address)
  const key = profileKey(address)
  const forms = [identity, ...(key ? [`page:${key}`] : [])]
  if (given) forms.push(`page:${given.hostname.replace(/^www\./, '')}${pathOf(given)}`)
  return [...new Set(forms)]
}

/** How an address is looked for among the erased. */
export function addressHash(secrets: Secrets, workspaceId: string, email: string): Buffer {
  return hashesOf(secrets, workspaceId, addressesOf({ email }))[0] as Buffer
}

export function addressesOf({ email, given_email, published_email }: Partial<Identified>): string[] {
  const known = [email, given_email, published_email].flatMap((address) => (address ? [address.toLowerCase()] : []))
  return [...new Set(known)].map((address) => `email:${address}`)
}

/** Hashes that only this installation can make. */
export function hashesOf(secrets: Secrets, workspaceId: string, values: readonly string[]): Buffer[] {
  const key = secrets.suppressionKey
  return values.map((value) => createHmac('sha256', key).update(`${workspaceId}\n${value}`).digest())
}
