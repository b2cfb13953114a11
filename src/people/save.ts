import type { PersonSource } from '../db/schema.ts'
import type { Deps } from '../deps/deps.ts'
import { personIdentity } from '../engine/people/person-name.ts'
import { readWebLink } from '../engine/text/web-address.ts'
import { type PersonRow, upsertPeople } from '../resources/people/store.ts'
import { hasErasures, lockWorkspaceShared } from '../resources/workspaces/store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import { newId } from '../shared/ids.ts'
import { reopenContactChecks } from './contact-store.ts'
import { findErasureScopes } from './erasure-scopes.ts'
import { findSuppressedHashes } from './erasure-store.ts'
import { suppressionHashesToCheck } from './suppression.ts'

/** `identity`: replaces that of name and title, for a namesake. */
export type PersonToSave = { account_id: string; full_name: string } & Partial<
  Omit<PersonRow, 'id' | 'account_id' | 'full_name'>
>

/**
 * Stores people from a source: new people are inserted, known people updated, erased people left out. Call it in a
 * transaction, so that a concurrent erasure happens entirely before or after it. Returns the stored people.
 */
export async function savePeople(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  source: PersonSource,
  found: PersonToSave[],
) {
  const unique = new Map<string, PersonRow>()
  for (const person of found) {
    const row = {
      ...EMPTY,
      ...person,
      ...linksOf(person),
      full_name: person.full_name.trim().replaceAll(/\s+/g, ' '),
      id: newId(),
    }
    const identity = person.identity ?? personIdentity(row)
    unique.set(`${row.account_id} ${identity}`, { ...row, identity })
  }
  // Sorted, so that two saves of the same people lock rows in the same order and cannot deadlock.
  const rows = [...unique.keys()].sort().map((key) => unique.get(key) as PersonRow)
  await lockWorkspaceShared(db, workspaceId)
  const wanted = await removeErased({ db, secrets }, workspaceId, rows)
  if (wanted.length === 0) return []
  await reopenContactChecks(db, workspaceId, wanted)
  return upsertPeople(db, workspaceId, source, wanted)
}

/** Drops links that are not web addresses. */
function linksOf({ network_url, profile_picture_url }: PersonToSave) {
  return {
    network_url: network_url ? readWebLink(network_url) : null,
    profile_picture_url: profile_picture_url ? readWebLink(profile_picture_url) : null,
  }
}

/** Removes people who were erased at this company or, by profile page or email address, at any company. */
async function removeErased({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, workspaceId: string, rows: PersonRow[]) {
  if (!(await hasErasures(db, workspaceId))) return rows
  const scopes = await findErasureScopes(
    db,
    workspaceId,
    rows.map(({ account_id }) => account_id),
  )
  const yields = yieldToEventLoop()
  const hashes: Buffer[][] = []
  for (const row of rows) {
    hashes.push(
      suppressionHashesToCheck(secrets, workspaceId, row, scopes.get(row.account_id) ?? { ids: [], site: null }),
    )
    await yields()
  }
  const suppressed = await findSuppressedHashes(db, workspaceId, hashes.flat())
  return rows.filter((_, at) => !hashes[at]?.some((hash) => suppressed.has(hash.toString('hex'))))
}

const EMPTY = {
  title: null,
  headline: null,
  network_url: null,
  email: null,
  given_email: null,
  published_email: null,
  published_url: null,
  phone: null,
  found_phone: null,
  found_phone_source: null,
  found_phone_url: null,
  location: null,
  country_code: null,
  connections_count: null,
  profile_picture_url: null,
  job_level: null,
  icp_tier: null,
  ranking: null,
  left_on: null,
  found_source: null,
  found_url: null,
  shown_url: null,
  shown_title: null,
}
