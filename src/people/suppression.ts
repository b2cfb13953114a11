import { nameKey } from '../engine/people/person-name.ts'
import { isPageOfSite, profileUrlForms, profileUrlKey } from '../engine/people/profile-url.ts'
import { hashKey, markHash } from '../engine/redact/hashes.ts'
import { looksOf } from '../engine/redact/homoglyphs.ts'
import { searchFold } from '../engine/text/fold.ts'
import type { Secrets } from '../shared/secrets.ts'
import { nameKeys, nameVariants } from './name-forms.ts'

export type IdentifiedPerson = {
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
 * `site`: the company's own, whose pages are nobody's own.
 */
export function suppressionHashesToStore(
  secrets: Secrets,
  workspaceId: string,
  person: IdentifiedPerson,
  site: string | null,
): Buffer[] {
  const { account_id, identity } = person
  const names = namesOf(person)
  const pageless = hasOwnPage(person, site)
    ? []
    : [`${account_id} ${identity}`, ...pagelessNames(person).map((name) => `${account_id} ${name}`)]
  const named = names.map((name) => `${account_id} name:${name}`)
  return hashIdentifiers(secrets, workspaceId, [
    ...pageless,
    ...named,
    ...pageIdentifiers(person),
    ...emailIdentifiers(person),
  ])
}

/**
 * What of somebody a source brings is looked for among the erased. Whoever has a page of their own is another person
 * than the erased one with another page, even if they share the name. `scopes`: the ids under which names erased at this
 * company are kept.
 */
export function suppressionHashesToCheck(
  secrets: Secrets,
  workspaceId: string,
  person: IdentifiedPerson,
  { ids, site }: { ids: Iterable<string>; site: string | null },
): Buffer[] {
  const names = hasOwnPage(person, site)
    ? pagelessNames(person)
    : [person.identity, ...namesOf(person).map((name) => `name:${name}`), ...keysOf(person).map((key) => `text:${key}`)]
  const own = [...ids].flatMap((id) => names.map((name) => `${id} ${name}`))
  return hashIdentifiers(secrets, workspaceId, [...own, ...pageIdentifiers(person), ...emailIdentifiers(person)])
}

/** What was once taken for a page may be none ("N/A"), and a page of the company says no more than the name does. */
function hasOwnPage({ identity }: IdentifiedPerson, site: string | null): boolean {
  const page = identity.startsWith('page:') ? profileUrlKey(identity.slice('page:'.length)) : null
  return page !== null && !(site && isPageOfSite(page, site))
}

/**
 * A name as rosters compare it, and as it is spelled: hashes were once made of the spelling alone. Each also with Latin letters for
 * those that look like them: "Аda Рike" with Cyrillic capitals is Ada Pike. People erased before that are found by either.
 */
function namesOf({ full_name }: IdentifiedPerson): string[] {
  const names = looksOf(full_name).flatMap((name) => [
    ...[nameKey(name), searchFold(name)],
    ...(hasDigits(name) ? [] : nameVariants(name)),
  ])
  return [...new Set(names)]
}

/** The words of a name are all of it unless a number tells it from others: "Clerk 2". */
const hasDigits = (name: string) => /\d/.test(name)
const keysOf = ({ full_name }: IdentifiedPerson) =>
  hasDigits(full_name) ? [] : [...new Set(looksOf(full_name).flatMap(nameKeys))]

/** A name that is somebody's without a page of their own, in the order given and in any. */
function pagelessNames(person: IdentifiedPerson): string[] {
  return [...namesOf(person).map((name) => `pageless:${name}`), ...keysOf(person).map((key) => `pageless:text:${key}`)]
}

/** All forms of somebody's page; none for whoever has none, or what is none: "N/A". */
export function pageIdentifiers({ identity, network_url }: IdentifiedPerson): string[] {
  if (!identity.startsWith('page:')) return []
  const address = identity.slice('page:'.length)
  if (!profileUrlKey(address)) return []
  return profileUrlForms(address, network_url ?? address).map((form) => `page:${form}`)
}

/** How an address is looked for among the erased. */
export function hashEmail(secrets: Secrets, workspaceId: string, email: string): Buffer {
  return hashIdentifiers(secrets, workspaceId, emailIdentifiers({ email }))[0] as Buffer
}

export function emailIdentifiers({ email, given_email, published_email }: Partial<IdentifiedPerson>): string[] {
  const known = [email, given_email, published_email].flatMap((address) => (address ? [address.toLowerCase()] : []))
  return [...new Set(known)].map((address) => `email:${address}`)
}

/** Hashes that only this installation can make. */
export function hashIdentifiers(secrets: Secrets, workspaceId: string, values: readonly string[]): Buffer[] {
  const key = hashKey(secrets.suppressionKey)
  return values.map((value) => markHash(key, workspaceId, value))
}
