import { changesTo } from '../../changes.ts'
import type { AccountStatus } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { normalizeDomain } from '../../domains.ts'
import { AppError } from '../../errors.ts'
import type { Member } from '../../member.ts'
import { restartMonitor } from '../../research/monitor/watch.ts'
import { checkOwner, requireOwn } from './own.ts'
import type { UpdateAccount } from './schema.ts'
import { type AccountFields, getAccount, lockAccount, updateAccountRow } from './store.ts'
import { uniqueTags } from './tags.ts'

/** What a person has set stays when enrichment finds something else. */
const PINNED = [
  ...(['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const),
  'status',
] as const

/**
 * Changes the fields that are sent and differ. Which company an account is (its domain), and whether it was rejected, is for
 * its owner to say: whoever moves the domain away can add it anew as their own. Throws not_found, invalid_request,
 * unknown_member, forbidden, domain_taken, and invalid_transition for a status it cannot take.
 */
export function updateAccount({ db }: Pick<Deps, 'db'>, member: Member, id: string, changes: UpdateAccount) {
  return db.transaction().execute(async (db) => {
    const account = await lockAccount(db, member.workspace_id, id)
    const before = await getAccount(db, member.workspace_id, id)
    const wanted = changesTo(before, changes)
    const { domain, tags, owner_id, status, name, ...rest } = wanted
    const given: Partial<AccountFields> = { ...rest }
    if (name !== undefined) given.name = name.trim()
    if (domain !== undefined) given.domain = readDomain(domain)
    if (tags) given.tags = uniqueTags(tags)
    if (owner_id !== undefined) {
      await checkOwner(db, member, account.owner_id, owner_id)
      given.owner_id = owner_id
    }
    if (status) given.status = readStatus(account.status, status)
    const fields = changesTo(before, given)
    if (Object.keys(fields).length === 0) return before
    if ('domain' in fields || 'status' in fields) requireOwn(member, account.owner_id)
    const set = PINNED.filter((field) => field in fields)
    if (set.length > 0) fields.overridden = [...new Set([...account.overridden, ...set])]
    const updated = await updateAccountRow(db, member.workspace_id, id, fields)
    if ('domain' in fields && account.status === 'active') await restartMonitor(db, member.workspace_id, id)
    return updated
  })
}

/** The call that leads to a status. */
const LEADS_TO: Partial<Record<AccountStatus, string>> = {
  active: 'An account becomes active through POST /accounts/:id/activate.',
  rejected: 'An account is rejected through POST /accounts/:id/reject.',
}

/** Throws invalid_transition. */
export function readStatus(present: AccountStatus, wanted: AccountStatus): AccountStatus {
  if (wanted === 'suggested' && present !== 'active') return wanted
  const message =
    wanted === 'suggested'
      ? 'An active account becomes suggested through POST /accounts/:id/deactivate.'
      : (LEADS_TO[wanted] ??
        `Only an assessment makes an account ${wanted}; POST /accounts/:id/scan has it assessed anew.`)
  throw new AppError('invalid_transition', message, { details: [{ path: 'status', message }] })
}

function readDomain(given: string | null): string | null {
  if (!given?.trim()) return null
  const domain = normalizeDomain(given)
  if (domain) return domain
  const details = [{ path: 'domain', message: 'must be a domain such as acme.com' }]
  throw new AppError('invalid_request', 'domain must be a domain such as acme.com.', { details })
}
