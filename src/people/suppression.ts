import { nameKey } from '../engine/people/person-name.ts'
import { isPageOfSite, profileUrlForms, profileUrlKey } from '../engine/people/profile-url.ts'
import { createHashKey, hashMark } from '../engine/redact/hashes.ts'
import { spellingsOfName } from '../engine/redact/homoglyphs.ts'
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
 * Returns the hashes stored for an erased person, which only this installation can compute. A profile page or an email
 * address identifies the person at any company; a name identifies them only at this company, because other people share
 * it. Names are hashed without the title, so that a source with another title does not add the person again. The
 * identifiers that texts are searched for are in `redact/identifiers.ts`. `site`: the company's own site, whose pages do
 * not identify a person.
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
 * Returns the hashes by which a person from a source is looked up among erased people. A person with a profile page is
 * not the erased person with another profile page, even if they share the name. `ids`: the account ids under which names
 * erased at this company are stored.
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

/** A stored page may not be a page ("N/A"), and a page on the company's site identifies no more than the name does. */
function hasOwnPage({ identity }: IdentifiedPerson, site: string | null): boolean {
  const page = identity.startsWith('page:') ? profileUrlKey(identity.slice('page:'.length)) : null
  return page !== null && !(site && isPageOfSite(page, site))
}

/**
 * Returns a name as rosters compare it and as it is spelled, because earlier versions hashed only the spelling. Each form
 * is also returned with Latin letters for homoglyphs: "Аda Рike" with Cyrillic capitals is Ada Pike.
 */
function namesOf({ full_name }: IdentifiedPerson): string[] {
  const names = spellingsOfName(full_name).flatMap((name) => [
    ...[nameKey(name), searchFold(name)],
    ...(hasDigits(name) ? [] : nameVariants(name)),
  ])
  return [...new Set(names)]
}

/** The words of a name identify it unless a number distinguishes it from others: "Clerk 2". */
const hasDigits = (name: string) => /\d/.test(name)
const keysOf = ({ full_name }: IdentifiedPerson) =>
  hasDigits(full_name) ? [] : [...new Set(spellingsOfName(full_name).flatMap(nameKeys))]

/** Returns identifiers for the name of a person without a profile page, in the given word order and in any order. */
function pagelessNames(person: IdentifiedPerson): string[] {
  return [...namesOf(person).map((name) => `pageless:${name}`), ...keysOf(person).map((key) => `pageless:text:${key}`)]
}

/** Returns all forms of a person's profile page; empty without a valid page, for example for "N/A". */
export function pageIdentifiers({ identity, network_url }: IdentifiedPerson): string[] {
  if (!identity.startsWith('page:')) return []
  const address = identity.slice('page:'.length)
  if (!profileUrlKey(address)) return []
  return profileUrlForms(address, network_url ?? address).map((form) => `page:${form}`)
}

/** Returns the hash by which an email address is looked up among erased people. */
export function hashEmail(secrets: Secrets, workspaceId: string, email: string): Buffer {
  return hashIdentifiers(secrets, workspaceId, emailIdentifiers({ email }))[0] as Buffer
}

export function emailIdentifiers({ email, given_email, published_email }: Partial<IdentifiedPerson>): string[] {
  const known = [email, given_email, published_email].flatMap((address) => (address ? [address.toLowerCase()] : []))
  return [...new Set(known)].map((address) => `email:${address}`)
}

/** Hashes identifiers with a key that only this installation has. */
export function hashIdentifiers(secrets: Secrets, workspaceId: string, values: readonly string[]): Buffer[] {
  const key = createHashKey(secrets.suppressionKey)
  return values.map((value) => hashMark(key, workspaceId, value))
}
