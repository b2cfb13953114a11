import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { isRoleAddress } from '../engine/email-patterns/index.ts'
import { findErasureScopes } from '../people/erasure-scopes.ts'
import {
  emptyPulledContacts,
  findEmailsOf,
  findPeopleByEmails,
  insertErasureScope,
  insertSuppressions,
} from '../people/erasure-store.ts'
import { storedIdentifiers } from '../people/redact/identifiers.ts'
import { hashEmail, hashIdentifiers, suppressionHashesToStore } from '../people/suppression.ts'
import { recountWorkforce } from '../people/workforce.ts'
import { deletePersonRow } from '../resources/people/store.ts'
import { lockWorkspace } from '../resources/workspaces/store.ts'
import type { Viewer } from '../shared/member.ts'
import { clearDeliveryResponses, deleteModelReadings } from './other-records-store.ts'
import { redactAccountNow, scheduleRedaction } from './redact.job.ts'
import { deleteNotesAbout } from './redaction-store.ts'

/**
 * Erases a person permanently, with their records at other accounts that have the same email: imports, syncs and searches do
 * not store them again, and stored texts are redacted. Texts about their company are redacted and drafted again before this
 * returns, within a time limit; a job redacts the rest at once, and another redacts all other texts a minute later. Throws
 * not_found.
 */
export async function erasePerson(
  deps: Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log' | 'jobs' | 'config'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const { secrets, jobs } = deps
  const workspaceId = viewer.workspace_id
  const accountId = await deps.db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const others = await findPeopleWithEmailOf(db, viewer, id)
    const accountId = await eraseRecord({ db, secrets }, viewer, id)
    const accounts = new Set([accountId])
    for (const other of others) accounts.add(await eraseRecord({ db, secrets }, viewer, other))
    await deleteModelReadings(db, workspaceId)
    for (const account of accounts) await scheduleRedaction({ db, jobs }, workspaceId, account)
    return accountId
  })
  await redactAccountNow(deps, workspaceId, accountId)
}

/** The other records of the person at accounts that the viewer may see: those with the same email, unless it is a shared one. */
async function findPeopleWithEmailOf(db: Db, viewer: Viewer, id: string): Promise<string[]> {
  const emails = await findEmailsOf(db, viewer.workspace_id, id)
  const own = emails.filter((email) => !isRoleAddress(email))
  return own.length > 0 ? findPeopleByEmails(db, viewer, own, id) : []
}

/** Erases one record of a person. Returns its account. Throws not_found. */
async function eraseRecord({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, viewer: Viewer, id: string): Promise<string> {
  const workspaceId = viewer.workspace_id
  await deleteNotesAbout(db, workspaceId, id)
  const emails = await emptyPulledContacts(db, workspaceId, id)
  const person = await deletePersonRow(db, viewer, id)
  const site = (await findErasureScopes(db, workspaceId, [person.account_id])).get(person.account_id)?.site ?? null
  const identifiers = hashIdentifiers(secrets, workspaceId, storedIdentifiers(person))
  await insertSuppressions(db, workspaceId, [
    ...suppressionHashesToStore(secrets, workspaceId, person, site),
    ...identifiers,
    ...emails.map((email) => hashEmail(secrets, workspaceId, email)),
  ])
  await insertErasureScope(db, workspaceId, person.account_id)
  await recountWorkforce(db, workspaceId, person.account_id)
  await clearDeliveryResponses(db, workspaceId, id)
  return person.account_id
}
