import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { findCountryCode } from '../../engine/countries.ts'
import { nameKey, personIdentity } from '../../engine/people/person-name.ts'
import { toE164 } from '../../engine/people/phone-number.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { readTitle } from '../../engine/titles/index.ts'
import { findSuppressedHashes, hasErasures } from '../../people/erasure-store.ts'
import { savePeople } from '../../people/save.ts'
import { hashEmail } from '../../people/suppression.ts'
import type { PulledContact } from '../../providers/crm/vendor/types.ts'
import type { ClaimedSync } from '../../resources/crm-sync/store.ts'
import {
  eraseContacts,
  findPlacedContacts,
  findSamePeople,
  linkContacts,
  type PlacedContact,
  updatePeopleFromCrm,
} from './contact-store.ts'
import type { PulledContactRow } from './record-store.ts'
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
 * Makes contacts at accounts people: those given, or the next that are none yet. A person at the account with the same email
 * or the same name is the same one. Contacts of erased people are emptied. Returns how many there were, and the accounts whose
 * people changed.
 */
export async function placeContacts(
  { db, secrets }: Parts,
  sync: ClaimedSync,
  which: string[] | { limit: number },
): Promise<{ count: number; accounts: string[] }> {
  const { workspace_id } = sync
  const contacts = await findPlacedContacts(db, sync, which)
  if (contacts.length === 0) return { count: 0, accounts: [] }
  const groups = groupContacts(contacts)
  const people = await matchPeople(db, workspace_id, contacts, groups)
  const firsts = contacts.filter(({ crm_id }) => groups.get(crm_id) === crm_id && !people.has(crm_id))
  const saved = await savePeople(
    { db, secrets },
    workspace_id,
    'crm',
    firsts.map((contact) => ({ account_id: contact.account_id, ...toPerson(contact) })),
  )
  const byIdentity = new Map(saved.map(({ account_id, identity, id }) => [`${account_id} ${identity}`, id]))
  for (const { crm_id, account_id, full_name, title } of firsts) {
    const id = byIdentity.get(`${account_id} ${personIdentity({ full_name, title, network_url: null })}`)
    if (id) people.set(crm_id, id)
  }
  const personOf = ({ crm_id }: PlacedContact) => people.get(groups.get(crm_id) as string)
  const erased = contacts.filter((contact) => !personOf(contact)).map(({ crm_id }) => crm_id)
  if (erased.length > 0) await eraseContacts(db, sync, erased)
  const links = contacts.flatMap((contact) => {
    const person_id = personOf(contact)
    return person_id ? [{ crm_id: contact.crm_id, person_id, ...toPerson(contact) }] : []
  })
  await linkContacts(
    db,
    sync,
    sync.portal,
    links.map(({ crm_id, person_id }) => ({ crm_id, person_id })),
  )
  const changed = await updatePeopleFromCrm(
    db,
    workspace_id,
    links.map(({ crm_id: _, person_id, ...person }) => ({ id: person_id, ...person })),
  )
  return { count: contacts.length, accounts: [...new Set([...changed, ...saved.map(({ account_id }) => account_id)])] }
}

const nameAt = (accountId: string, name: string) => `${accountId} name ${nameKey(name)}`
const emailAt = (accountId: string, email: string) => `${accountId} email ${email}`

/** The marks by which a contact is recognized at its account, the most certain first. */
const marksOf = ({ account_id, email, full_name }: PlacedContact) => [
  ...(email ? [emailAt(account_id, email)] : []),
  nameAt(account_id, full_name),
]

/** For each contact, the first one that is the same person: with the same email or the same name at the account. */
function groupContacts(contacts: PlacedContact[]): Map<string, string> {
  const first = new Map<string, string>()
  return new Map(
    contacts.map((contact) => {
      const marks = marksOf(contact)
      const group = marks.map((mark) => first.get(mark)).find(Boolean) ?? contact.crm_id
      for (const mark of marks) if (!first.has(mark)) first.set(mark, group)
      return [contact.crm_id, group]
    }),
  )
}

/** The known people, by the first contact of each group. */
async function matchPeople(
  db: Db,
  workspaceId: string,
  contacts: PlacedContact[],
  groups: Map<string, string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const groupOf = ({ crm_id }: PlacedContact) => groups.get(crm_id) as string
  for (const contact of contacts) if (contact.person_id) found.set(groupOf(contact), contact.person_id)
  const open = contacts.filter((contact) => !found.has(groupOf(contact)))
  if (open.length === 0) return found
  const known = await findSamePeople(db, workspaceId, {
    accountIds: [...new Set(open.map(({ account_id }) => account_id))],
    emails: open.flatMap(({ email }) => email ?? []),
    names: open.map(({ full_name }) => searchFold(full_name)),
  })
  const ids = new Map<string, string>()
  for (const { id, account_id, full_name, emails } of known)
    for (const mark of [...emails.map((email) => emailAt(account_id, email)), nameAt(account_id, full_name)])
      if (!ids.has(mark)) ids.set(mark, id)
  for (const contact of open) {
    const id = marksOf(contact)
      .map((mark) => ids.get(mark))
      .find(Boolean)
    if (id && !found.has(groupOf(contact))) found.set(groupOf(contact), id)
  }
  return found
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
