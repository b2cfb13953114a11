import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { lockOwnAccount, mayClaimAccounts, ownerOnActivation } from '../../resources/accounts/own.ts'
import {
  getAccount,
  type LockedAccount,
  lockAccount,
  markInactive,
  updateAccountRow,
  updateAccountRows,
} from '../../resources/accounts/store.ts'
import { redraftAccounts } from '../../resources/drafts/redraft.ts'
import { requireMembers } from '../../resources/members/store.ts'
import { lockSubscription, takeCredits } from '../../resources/subscription/store.ts'
import { AppError, accountNotActive } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { enrichAccount, loadRoster } from '../enrich.ts'
import { startMonitors, stopMonitors } from '../monitor/page-schedule.ts'
import { startScans } from '../scan/scan.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'now'>

/**
 * Activates an account that is not rejected: takes one credit per period, starts a scan and starts its monitor. An
 * active account does not change and costs nothing. `ownerOnActivation` determines the owner. Throws not_found,
 * invalid_transition, unknown_member, forbidden, subscription_required, plan_limit_reached.
 */
export function activate(parts: Parts, member: Member, id: string, { owner_id }: { owner_id?: string | null }) {
  const workspaceId = member.workspace_id
  return parts.db.transaction().execute(async (db) => {
    const account = await lockAccount(db, workspaceId, id)
    const owner = ownerOnActivation(member, account, owner_id, await mayClaimAccounts(db, member))
    if (account.status !== 'active') {
      requireActivatable(account)
      if (owner !== undefined) await requireMembers(db, workspaceId, [owner])
      const { refused } = await activateLocked(parts, db, workspaceId, [account], owner)
      if (refused) throw refused
    }
    return getAccount(db, workspaceId, id)
  })
}

/** Sentences for a person about what research and monitoring cannot do for the account. */
export function listLimitations({ domain }: { domain: string | null }): string[] {
  if (domain !== null) return []
  return [
    'It has no domain, so its web site and job boards cannot be read or watched: signals come only from news and registers that name it.',
    'Without a domain its people are not found on its pages, and their email addresses can be neither found nor verified.',
    'Add its domain (PATCH /accounts/:id, or Edit details in the console), and from then on all of this is done.',
  ]
}

/** Throws invalid_transition. */
export function requireActivatable({ status }: LockedAccount): void {
  if (status !== 'rejected') return
  throw new AppError(
    'invalid_transition',
    'A rejected account cannot be activated. Set its status to "suggested" first.',
  )
}

/**
 * Activates locked accounts in the given order, up to the number of remaining credits. Returns those it activated, and
 * the error for the others. Throws subscription_required.
 */
export async function activateLocked(
  parts: Parts,
  db: Db,
  workspaceId: string,
  accounts: readonly LockedAccount[],
  owner_id?: string | null,
): Promise<{ activated: readonly LockedAccount[]; refused: AppError | null }> {
  // Locked, so that concurrent activations see each other's credits.
  const plan = await lockSubscription(db, workspaceId)
  if (plan.status !== 'active') {
    throw new AppError('subscription_required', 'Activating an account needs an active subscription.')
  }
  let credits = 0
  const left = plan.account_limit - plan.credits_used
  const activated = accounts.filter((account) => account.credited_period === plan.period_start || ++credits <= left)
  if (activated.length > 0) {
    const ids = activated.map(({ id }) => id)
    if (credits > 0 && left > 0) await takeCredits(db, workspaceId, Math.min(credits, left))
    await updateAccountRows(db, workspaceId, ids, {
      status: 'active',
      activated_at: parts.now(),
      credited_period: plan.period_start,
      ...(owner_id === undefined ? {} : { owner_id }),
    })
    if (owner_id !== undefined)
      await parts.jobs.enqueue(db, redraftAccounts, { workspace_id: workspaceId, account_ids: ids })
    await startMonitors(db, workspaceId, ids)
    const scans = await startScans(parts, db, workspaceId, activated)
    const payloads = ids.map((account_id) => ({ workspace_id: workspaceId, account_id }))
    await parts.jobs.enqueueAll(db, loadRoster, payloads)
    // A scan also updates the profile; with every signal switched off there is no scan.
    if (!scans) await parts.jobs.enqueueAll(db, enrichAccount, payloads)
  }
  if (activated.length === accounts.length) return { activated, refused: null }
  const message = `All ${plan.account_limit} activations of this period are used. Raise the limit, or wait until ${plan.period_end.slice(0, 10)}.`
  return { activated, refused: new AppError('plan_limit_reached', message) }
}

/**
 * Moves an active account back to suggested, an imported one to new, and stops its monitor; its credit is not refunded.
 * Throws not_found, forbidden, account_not_active.
 */
export function deactivate({ db }: Pick<Deps, 'db'>, member: Member, id: string) {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    requireDeactivatable(await lockOwnAccount(db, member, id))
    await deactivateLocked(db, workspaceId, [id])
    return getAccount(db, workspaceId, id)
  })
}

/** Throws account_not_active. */
export function requireDeactivatable({ status }: LockedAccount): void {
  if (status !== 'active') throw accountNotActive()
}

/** Moves locked, active accounts back to where they were before. */
export async function deactivateLocked(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await stopMonitors(db, workspaceId, ids)
  await markInactive(db, workspaceId, ids)
}

/** Rejects an account that is not active. Throws not_found, forbidden, account_active. */
export function reject({ db }: Pick<Deps, 'db'>, member: Member, id: string) {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    const account = await lockOwnAccount(db, member, id)
    requireRejectable(account)
    if (account.status === 'rejected') return getAccount(db, workspaceId, id)
    return updateAccountRow(db, workspaceId, id, { status: 'rejected' })
  })
}

/** Throws account_active. */
export function requireRejectable({ status }: LockedAccount): void {
  if (status !== 'active') return
  throw new AppError('account_active', 'An active account cannot be rejected. Deactivate it first.')
}
