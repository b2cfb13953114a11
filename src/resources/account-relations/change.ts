import type { Deps } from '../../deps/deps.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { AppError } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Member } from '../../shared/member.ts'
import { lockOwnAccount } from '../accounts/own.ts'
import { getAccount } from '../accounts/store.ts'
import type { AddRelation, UpdateRelation } from './schema.ts'
import {
  countAddedRelations,
  countsByDefault,
  deleteRelation,
  getRelation,
  insertRelation,
  listRegistrations,
  listRelations,
  setRegistrationStatus,
  updateRelation,
} from './store.ts'

type Parts = Pick<Deps, 'db'>

const MAX_ADDED = 200

/** The register records and the relations of an account, with the rejected ones. Throws not_found. */
export async function readStructure({ db }: Parts, workspaceId: string, id: string) {
  const { id: account_id } = await getAccount(db, workspaceId, id)
  const [registrations, relations] = await Promise.all([
    listRegistrations(db, workspaceId, account_id),
    listRelations(db, workspaceId, account_id),
  ])
  return { account_id, registrations, relations }
}

/** Throws not_found, forbidden, invalid_request, name_taken. */
export function addRelation({ db }: Parts, member: Member, accountId: string, given: AddRelation) {
  return db.transaction().execute(async (db) => {
    const { workspace_id } = member
    await lockOwnAccount(db, member, accountId)
    if ((await countAddedRelations(db, workspace_id, accountId)) >= MAX_ADDED) {
      throw new AppError('invalid_request', `At most ${MAX_ADDED} companies and names may be added to an account.`)
    }
    const { kind, name, domain = null, counts_as_account = countsByDefault(kind) } = given
    const row = { kind, name: name.trim(), domain: readDomain(domain), counts_as_account, created_by: member.id }
    const id = newId()
    await insertRelation(db, { workspace_id, id, account_id: accountId, ...row })
    return getRelation(db, workspace_id, accountId, id)
  })
}

/** Throws not_found, forbidden, invalid_request, name_taken. */
export function changeRelation(
  { db }: Parts,
  member: Member,
  accountId: string,
  id: string,
  { name, domain, ...changes }: UpdateRelation,
) {
  return db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, accountId)
    await getRelation(db, member.workspace_id, accountId, id)
    await updateRelation(db, member.workspace_id, id, {
      ...changes,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(domain === undefined ? {} : { domain: readDomain(domain) }),
    })
    return getRelation(db, member.workspace_id, accountId, id)
  })
}

/**
 * Deletes a relation that a member added. One that research found is rejected, because research would find it again.
 * Throws not_found, forbidden.
 */
export function removeRelation({ db }: Parts, member: Member, accountId: string, id: string) {
  return db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, accountId)
    const { source } = await getRelation(db, member.workspace_id, accountId, id)
    const deleted = source === 'member'
    if (deleted) await deleteRelation(db, member.workspace_id, id)
    else await updateRelation(db, member.workspace_id, id, { status: 'rejected' })
    return { id, deleted }
  })
}

/** Throws not_found, forbidden. */
export function changeRegistration(
  { db }: Parts,
  member: Member,
  accountId: string,
  registerId: string,
  status: 'active' | 'rejected',
) {
  return db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, accountId)
    return setRegistrationStatus(db, member.workspace_id, accountId, registerId, status)
  })
}

function readDomain(given: string | null): string | null {
  if (!given?.trim()) return null
  const domain = normalizeDomain(given)
  if (domain) return domain
  const details = [{ path: 'domain', message: 'must be a domain such as acme.com' }]
  throw new AppError('invalid_request', 'domain must be a domain such as acme.com.', { details })
}
