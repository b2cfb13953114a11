import type { Db } from '../../db/connect.ts'
import type { AccountStatus, Firmographics } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { webLink } from '../../engine/text/web-address.ts'
import { forgetStructure } from '../../resources/account-relations/store.ts'
import { lockOwnAccount } from '../../resources/accounts/own.ts'
import type { UpdateAccount } from '../../resources/accounts/schema.ts'
import {
  type AccountFields,
  confirmOwner,
  deleteAccountRows,
  getAccount,
  type LockedAccount,
  undecidedStatus,
  updateAccountRow,
} from '../../resources/accounts/store.ts'
import { uniqueTags } from '../../resources/accounts/tags.ts'
import { redraftAccounts } from '../../resources/drafts/redraft.ts'
import { requireMembers } from '../../resources/members/store.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { applyCrmFields } from '../crm/account-fields.ts'
import { restartMonitor, stopMonitors } from '../monitor/page-schedule.ts'

/** Fields that a member may set. Research does not overwrite them until the member resets them with null. */
const OVERRIDABLE = ['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const

/**
 * Updates the given fields that differ. Throws not_found, invalid_request, unknown_member, forbidden, domain_taken, and
 * invalid_transition for a status that cannot be set.
 */
export function updateAccount(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  member: Member,
  id: string,
  changes: UpdateAccount,
) {
  return db.transaction().execute(async (db) => {
    const account = await lockOwnAccount(db, member, id)
    const before = await getAccount(db, member.workspace_id, id)
    const { domain, tags, owner_id, status, name, ...overrides } = changes
    const given: Partial<AccountFields> = Object.fromEntries(
      Object.entries(overrides).filter(([, value]) => value !== null),
    )
    if (overrides.network_url) given.network_url = webLink(overrides.network_url)
    const takenBack = OVERRIDABLE.filter((field) => overrides[field] === null && account.overridden.includes(field))
    for (const field of takenBack) Object.assign(given, { [field]: account.researched[field] ?? null })
    if (name !== undefined) given.name = name.trim()
    if (domain !== undefined) given.domain = readDomain(domain)
    if (tags) given.tags = uniqueTags(tags)
    if (owner_id !== undefined && owner_id !== account.owner_id) {
      await requireMembers(db, member.workspace_id, [owner_id])
      given.owner_id = owner_id
    } else if (owner_id !== undefined) await confirmOwner(db, member.workspace_id, id)
    if (status && status !== account.status) {
      requireStatusChange(account.status, status)
      given.status = undecidedStatus(account.source)
    }
    const fields = changedFields(before, given)
    // Sending the researched value confirms it, so that research does not overwrite it.
    const set = OVERRIDABLE.filter((field) => overrides[field] !== undefined && overrides[field] !== null)
    const isPinned = set.every((field) => account.overridden.includes(field))
    if (Object.keys(fields).length === 0 && takenBack.length === 0 && isPinned) return before
    Object.assign(fields, overridesAfter(account, before, { set, takenBack, isStatus: 'status' in fields }))
    const written = await updateAccountRow(db, member.workspace_id, id, fields)
    // A field that is reset has the value of the CRM again, if there is one.
    if (takenBack.length > 0) await applyCrmFields(db, member.workspace_id, [id])
    const updated = takenBack.length > 0 ? await getAccount(db, member.workspace_id, id) : written
    if ('owner_id' in fields)
      await jobs.enqueue(db, redraftAccounts, { workspace_id: member.workspace_id, account_ids: [id] })
    if ('domain' in fields) await forgetStructure(db, member.workspace_id, id)
    if ('domain' in fields && account.status === 'active') await restartMonitor(db, member.workspace_id, id)
    return updated
  })
}

type Overridable = (typeof OVERRIDABLE)[number]

/** The fields that research must not overwrite after the update, and the researched values of these fields. */
function overridesAfter(
  { overridden, researched, from_crm }: Pick<LockedAccount, 'overridden' | 'researched' | 'from_crm'>,
  before: Firmographics,
  { set, takenBack, isStatus }: { set: readonly Overridable[]; takenBack: readonly Overridable[]; isStatus: boolean },
): Pick<AccountFields, 'overridden' | 'researched' | 'from_crm'> {
  const gone = new Set<string>(takenBack)
  // The value of a CRM is not the researched one, which is stored already.
  const isFirst = (field: Overridable) => !overridden.includes(field) && !from_crm.includes(field)
  const known = { ...researched, ...Object.fromEntries(set.filter(isFirst).map((field) => [field, before[field]])) }
  const kept = Object.entries(known).filter(([field]) => !gone.has(field))
  return {
    overridden: [...new Set([...overridden, ...set, ...(isStatus ? ['status'] : [])])].filter(
      (field) => !gone.has(field),
    ),
    researched: JSON.stringify(Object.fromEntries(kept)),
    from_crm: from_crm.filter((field) => !(set as readonly string[]).includes(field)),
  }
}

/** The operation that sets a status. */
const LEADS_TO: Partial<Record<AccountStatus, string>> = {
  active: 'An account becomes active through POST /accounts/:id/activate.',
  rejected: 'An account is rejected through POST /accounts/:id/reject.',
}

/** Throws invalid_transition. */
export function requireStatusChange(present: AccountStatus, wanted: AccountStatus): void {
  if (wanted === 'suggested' && present !== 'active') return
  const message =
    wanted === 'suggested'
      ? 'An active account becomes suggested through POST /accounts/:id/deactivate.'
      : (LEADS_TO[wanted] ?? `Only an assessment makes an account ${wanted}; POST /accounts/:id/scan starts one.`)
  throw new AppError('invalid_transition', message, { details: [{ path: 'status', message }] })
}

function readDomain(given: string | null): string | null {
  if (!given?.trim()) return null
  const domain = normalizeDomain(given)
  if (domain) return domain
  const details = [{ path: 'domain', message: 'must be a domain such as acme.com' }]
  throw new AppError('invalid_request', 'domain must be a domain such as acme.com.', { details })
}

/** Deletes an account with its monitor and all its data. Throws not_found, forbidden. */
export function deleteAccount({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, id)
    await deleteLockedAccounts(db, workspaceId, [id])
  })
}

/** Deletes locked accounts. */
export async function deleteLockedAccounts(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  // Before the accounts, because a running check writes to its monitor first.
  await stopMonitors(db, workspaceId, ids)
  await deleteAccountRows(db, workspaceId, ids)
}
