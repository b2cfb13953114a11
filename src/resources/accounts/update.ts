import type { Deps } from '../../deps.ts'
import { normalizeDomain } from '../../domains.ts'
import { AppError } from '../../errors.ts'
import type { Member } from '../../member.ts'
import { restartMonitor } from '../../research/monitor/watch.ts'
import { checkOwner } from './own.ts'
import type { UpdateAccount } from './schema.ts'
import { type AccountFields, getAccount, lockAccount, updateAccountRow } from './store.ts'

/** What a person has set stays when enrichment finds something else. */
const FIRMOGRAPHIC = ['employees', 'industry', 'location', 'country', 'network_url', 'short_description'] as const

/**
 * Changes the fields that are sent. Throws not_found, invalid_request, unknown_member, forbidden, domain_taken, and
 * invalid_transition for a status it cannot take.
 */
export function updateAccount({ db }: Pick<Deps, 'db'>, member: Member, id: string, changes: UpdateAccount) {
  return db.transaction().execute(async (db) => {
    const account = await lockAccount(db, member.workspace_id, id)
    const { domain, tags, owner_id, status, name, ...rest } = changes
    const fields: Partial<AccountFields> = { ...rest }
    if (name !== undefined) fields.name = name.trim()
    if (domain !== undefined) fields.domain = readDomain(domain)
    if (tags) fields.tags = [...new Set(tags.map((tag) => tag.trim()))]
    if (owner_id !== undefined) {
      await checkOwner(db, member, account.owner_id, owner_id)
      fields.owner_id = owner_id
    }
    if (status && account.status !== 'suggested') {
      if (account.status === 'active') {
        throw new AppError(
          'invalid_transition',
          'An active account becomes suggested through POST /accounts/:id/deactivate.',
        )
      }
      fields.status = status
    }
    const overridden: string[] = FIRMOGRAPHIC.filter((field) => changes[field] !== undefined)
    if (status) overridden.push('status')
    if (overridden.length > 0) fields.overridden = [...new Set([...account.overridden, ...overridden])]
    if (Object.keys(fields).length === 0) return getAccount(db, member.workspace_id, id)
    const updated = await updateAccountRow(db, member.workspace_id, id, fields)
    if (domain !== undefined && account.status === 'active' && updated.domain !== account.domain) {
      await restartMonitor(db, member.workspace_id, id)
    }
    return updated
  })
}

function readDomain(given: string | null): string | null {
  if (!given?.trim()) return null
  const domain = normalizeDomain(given)
  if (domain) return domain
  const details = [{ path: 'domain', message: 'must be a domain such as acme.com' }]
  throw new AppError('invalid_request', 'domain must be a domain such as acme.com.', { details })
}
