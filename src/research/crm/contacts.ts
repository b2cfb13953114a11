import type { Db } from '../../db/connect.ts'
import { hashOf } from '../../delivery/crm/sync.ts'
import type { Deps } from '../../deps/deps.ts'
import { findCountryCode } from '../../engine/countries.ts'
import { nameKey, personIdentity } from '../../engine/people/person-name.ts'
import { toE164 } from '../../engine/people/phone-number.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { readTitle } from '../../engine/titles/index.ts'
import { findSuppressedHashes, insertSuppressions } from '../../people/erasure-store.ts'
import { savePeople } from '../../people/save.ts'
import { hashEmail } from '../../people/suppression.ts'
import type { PulledContact } from '../../providers/crm/vendor/types.ts'
import { lockAccounts } from '../../resources/accounts/store.ts'
import type { ClaimedSync } from '../../resources/crm-sync/store.ts'
import { hasErasures, lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { type ContactMoveParts, recordContactMoves } from './contact-moves.ts'
import {
  deleteUnknownPeople,
  eraseContacts,
  findErasedSurvivors,
  findMovedContacts,
  findPlacedContacts,
  findSamePeople,
  linkContacts,
  type PlacedContact,
  releaseMovedContacts,
  updatePeopleFromCrm,
} from './contact-store.ts'
import type { GoneRecord, PulledContactRow } from './record-store.ts'
import { cleanText } from './text.ts'

type Parts = Pick<Deps, 'secrets'> & { db: Db }

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/

/** The stored form of contacts. Those whose email was erased here keep their id alone. */
export async function readContacts(
  { db, secrets }: Parts,
  workspaceId: string,
  contacts: PulledContact[],
): Promise<PulledContactRow[]> {
  const rows = contacts.map((contact): PulledContactRow => {
    const email = cleanText(contact.email, 320)?.toLowerCase() ?? null
    return {
      crm_id: contact.id,
      company_crm_id: contact.company_id,
      full_name: cleanText(`${contact.first_name ?? ''} ${contact.last_name ?? ''}`.replaceAll(/\s+/g, ' '), 300),
      email: email && EMAIL.test(email) ? email : null,
      title: cleanText(contact.title, 300),
      phone: cleanText(contact.phone, 60),
      country: cleanText(contact.country, 100),
      owner_crm_id: contact.owner_id,
      is_erased: false,
      modified_at: contact.modified_at,
    }
  })
  if (!(await hasErasures(db, workspaceId))) return rows
  const hashes = rows.map(({ email }) => email && hashEmail(secrets, workspaceId, email))
  const suppressed = await findSuppressedHashes(
    db,
    workspaceId,
    hashes.flatMap((hash) => hash || []),
  )
  const nothing = { full_name: null, email: null, title: null, phone: null, country: null, is_erased: true }
  return rows.map((row, at) => {
    const hash = hashes[at]
    return hash && suppressed.has(hash.toString('hex')) ? { ...row, ...nothing } : row
  })
}

/**
 * Empties the contacts that an erased one was merged into: they are the erased person under another id and email. The person
 * whom only the CRM knew by such a contact is deleted.
 */
export async function eraseSurvivors({ db, secrets }: Parts, sync: ClaimedSync, merged: GoneRecord[]): Promise<void> {
  const survivors = await findErasedSurvivors(db, sync, merged)
  if (survivors.length === 0) return
  const emails = survivors.flatMap(({ email }) => email ?? [])
  if (emails.length > 0) {
    const hashes = emails.map((email) => hashEmail(secrets, sync.workspace_id, email))
    await insertSuppressions(db, sync.workspace_id, hashes)
  }
  await eraseContacts(
    db,
    sync,
    survivors.map(({ crm_id }) => crm_id),
  )
  await deleteUnknownPeople(
    db,
    sync.workspace_id,
    survivors.flatMap(({ person_id }) => person_id ?? []),
  )
}

/**
 * Makes contacts at accounts people: those given, or the next that are none yet. A contact that was pushed is the person it
 * was pushed from; otherwise a person at the account with the same email is the same one, or with the same name if one of the
 * two has no email. Contacts of erased people are emptied. The move of a person whose contact has another company is recorded.
 * Returns how many there were, and the accounts whose people changed.
 */
export async function placeContacts(
  parts: ContactMoveParts,
  sync: ClaimedSync,
  which: string[] | { limit: number },
): Promise<{ count: number; accounts: string[] }> {
  const { db } = parts
  const { workspace_id } = sync
  // In the order of a roster's locks, because both change the people of an account.
  await lockWorkspaceShared(db, workspace_id)
  const moved = Array.isArray(which) ? await findMovedContacts(db, sync, { contacts: which }) : []
  const found = await findPlacedContacts(db, sync, sync.portal, which)
  const locked = await lockAccounts(db, workspace_id, [
    ...new Set([...found, ...moved].map(({ account_id }) => account_id)),
  ])
  const present = new Set(locked.map(({ id }) => id))
  const contacts = found.filter(({ account_id }) => present.has(account_id))
  const placed = contacts.length > 0 ? await placeFound(parts, sync, contacts) : []
  const left = await releaseMovedContacts(db, sync, sync.portal, moved)
  if (left.length > 0)
    await recordContactMoves(
      parts,
      sync,
      left.map(({ id }) => id),
    )
  return { count: contacts.length, accounts: [...new Set([...placed, ...left.map(({ account_id }) => account_id)])] }
}

async function placeFound({ db, secrets }: Parts, sync: ClaimedSync, contacts: PlacedContact[]): Promise<string[]> {
  const { workspace_id } = sync
  const groups = groupContacts(contacts)
  const { people, identities } = await matchPeople(db, workspace_id, contacts, groups)
  const firsts = contacts
    .filter(({ crm_id }) => groups.get(crm_id) === crm_id && !people.has(crm_id))
    .map((contact) => ({ ...contact, identity: freeIdentity(contact, identities) }))
  const saved = await savePeople(
    { db, secrets },
    workspace_id,
    'crm',
    firsts.map((contact) => ({ account_id: contact.account_id, ...toPerson(contact), identity: contact.identity })),
  )
  const byIdentity = new Map(saved.map(({ account_id, identity, id }) => [`${account_id} ${identity}`, id]))
  for (const { crm_id, account_id, identity } of firsts) {
    const id = byIdentity.get(`${account_id} ${identity}`)
    if (id) people.set(crm_id, id)
  }
  const personOf = ({ crm_id }: PlacedContact) => people.get(groups.get(crm_id) as string)
  const erased = contacts.filter((contact) => !personOf(contact)).map(({ crm_id }) => crm_id)
  if (erased.length > 0) await eraseContacts(db, sync, erased)
  const links = contacts.flatMap((contact) => {
    const person_id = personOf(contact)
    return person_id ? [{ contact, person_id }] : []
  })
  await linkContacts(
    db,
    sync,
    sync.portal,
    links.map(({ contact: { crm_id, written }, person_id }) => ({ crm_id, person_id, written })),
  )
  // A new person has the values of the contact already, unless several contacts are the person.
  const added = new Set(saved.flatMap(({ id, created }) => (created ? id : [])))
  const contactsOf = Map.groupBy(links, ({ person_id }) => person_id)
  const known = links.filter(({ person_id }) => !added.has(person_id) || contactsOf.get(person_id)?.length !== 1)
  const changed = await updatePeopleFromCrm(
    db,
    workspace_id,
    known.map(({ contact, person_id }) => {
      const foreign = withoutWritten(contact)
      return {
        ...{ id: person_id, ...toPerson(foreign), identity: identityOf(contact), is_new: !contact.is_known },
        is_foreign:
          [foreign.email, foreign.title, foreign.phone, foreign.country].some(Boolean) || !hasWritten(contact),
      }
    }),
  )
  return [...changed, ...saved.map(({ account_id }) => account_id)]
}

const hasWritten = ({ written }: PlacedContact) => Object.keys(written).length > 0

/** What the service wrote to a contact is no value of the CRM, unless it had the value from there. */
function withoutWritten(contact: PlacedContact): PlacedContact {
  if (contact.is_crm_only) return contact
  const foreign = { ...contact }
  for (const field of ['email', 'title', 'phone', 'country'] as const)
    if (contact.written[field] === hashOf(contact[field] ?? '')) foreign[field] = null
  return foreign
}

const identityOf = ({ full_name, title }: PlacedContact) => personIdentity({ full_name, title, network_url: null })

/** A namesake with the same title has the email in the identity. */
function freeIdentity(contact: PlacedContact, taken: Set<string>): string {
  const plain = identityOf(contact)
  const at = (identity: string) => `${contact.account_id} ${identity}`
  const identity = taken.has(at(plain)) ? `${plain}|${contact.email ?? contact.crm_id}` : plain
  taken.add(at(identity))
  return identity
}

type Known = { id: string; name: string; emails: Set<string>; person_id?: string | null }

/** The same email proves the same person; the same name only while one of the two has no email. */
function findSame(known: Known[], { email, full_name }: PlacedContact): Known | undefined {
  const name = nameKey(full_name)
  return (
    known.find(({ emails }) => email && emails.has(email)) ??
    known.find((one) => one.name === name && (!email || one.emails.size === 0))
  )
}

/** For each contact, the first one that is the same person. */
function groupContacts(contacts: PlacedContact[]): Map<string, string> {
  const groups = new Map<string, string>()
  for (const atAccount of Map.groupBy(contacts, ({ account_id }) => account_id).values()) {
    const known: Known[] = []
    for (const contact of atAccount) {
      const { crm_id, full_name, email, person_id } = contact
      const same =
        (person_id && known.find((one) => one.person_id === person_id)) ||
        findSame(person_id ? known.filter((one) => !one.person_id) : known, contact)
      if (same) {
        if (email) same.emails.add(email)
        same.person_id ??= person_id
      } else known.push({ id: crm_id, name: nameKey(full_name), emails: new Set(email ? [email] : []), person_id })
      groups.set(crm_id, same?.id ?? crm_id)
    }
  }
  return groups
}

/** The known people, by the first contact of each group, and the identities of those who have one of the names. */
async function matchPeople(db: Db, workspaceId: string, contacts: PlacedContact[], groups: Map<string, string>) {
  const people = new Map<string, string>()
  const groupOf = ({ crm_id }: PlacedContact) => groups.get(crm_id) as string
  for (const contact of contacts) if (contact.person_id) people.set(groupOf(contact), contact.person_id)
  const open = contacts.filter((contact) => !people.has(groupOf(contact)))
  if (open.length === 0) return { people, identities: new Set<string>() }
  const rows = await findSamePeople(db, workspaceId, {
    accountIds: [...new Set(open.map(({ account_id }) => account_id))],
    emails: open.flatMap(({ email }) => email ?? []),
    names: open.map(({ full_name }) => searchFold(full_name)),
  })
  const known = Map.groupBy(rows, ({ account_id }) => account_id)
  for (const [account, atAccount] of Map.groupBy(open, ({ account_id }) => account_id)) {
    const candidates = (known.get(account) ?? []).map(({ id, full_name, emails }) => ({
      ...{ id, name: nameKey(full_name), emails: new Set(emails) },
    }))
    for (const contact of atAccount) {
      const same = findSame(candidates, contact)
      if (!same || people.has(groupOf(contact))) continue
      people.set(groupOf(contact), same.id)
      if (contact.email) same.emails.add(contact.email)
    }
  }
  return { people, identities: new Set(rows.map(({ account_id, identity }) => `${account_id} ${identity}`)) }
}

function toPerson({ full_name, email, title, phone, country }: PlacedContact) {
  const country_code =
    country && (findCountryCode(country) ?? (/^[a-z]{2}$/i.test(country) ? country.toUpperCase() : null))
  return {
    full_name,
    given_email: email,
    title,
    job_level: title ? readTitle(title).job_level : null,
    // A number that cannot be parsed is stored as written.
    phone: phone && (toE164(phone, country_code) ?? phone),
    country_code,
  }
}
