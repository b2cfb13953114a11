import type { Deps } from '../../deps.ts'
import { AppError, accountNotActive } from '../../errors.ts'
import type { Member } from '../../member.ts'
import { enrichAccount } from '../../research/enrich.job.ts'
import { startMonitor, stopMonitor } from '../../research/monitor/watch.ts'
import { startScan } from '../../research/scan/scan.ts'
import { loadRoster } from '../../research/sync-roster.job.ts'
import { lockSubscription, takeCredit } from '../subscription/store.ts'
import { checkOwner, requireOwn } from './own.ts'
import { getAccount, lockAccount, updateAccountRow } from './store.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'now'>

/**
 * Moves a suggested account to active, takes one credit, once a period, has it researched and starts its monitor. An
 * active account stays as it is and costs nothing. Throws not_found, invalid_transition, unknown_member, forbidden,
 * subscription_required, plan_limit_reached.
 */
export function activate(parts: Parts, member: Member, id: string, { owner_id }: { owner_id?: string | null }) {
  const workspaceId = member.workspace_id
  return parts.db.transaction().execute(async (db) => {
    const account = await lockAccount(db, workspaceId, id)
    if (account.status === 'active') return getAccount(db, workspaceId, id)
    if (account.status !== 'suggested' && account.status !== 'new') {
      const message = `A ${account.status} account cannot be activated. Set its status to "suggested" first.`
      throw new AppError('invalid_transition', message)
    }
    if (owner_id !== undefined) await checkOwner(db, member, account.owner_id, owner_id)
    // Locked: of activations that come at once, each sees what the others took.
    const plan = await lockSubscription(db, workspaceId)
    if (plan.status !== 'active') {
      throw new AppError('subscription_required', 'Activating an account needs an active subscription.')
    }
    if (account.credited_period !== plan.period_start) {
      if (plan.credits_used >= plan.account_limit) {
        const message = `All ${plan.account_limit} activations of this period are used. Raise the limit, or wait until ${plan.period_end}.`
        throw new AppError('plan_limit_reached', message)
      }
      await takeCredit(db, workspaceId)
    }
    const activated = await updateAccountRow(db, workspaceId, id, {
      status: 'active',
      activated_at: parts.now(),
      credited_period: plan.period_start,
      ...(owner_id === undefined ? {} : { owner_id }),
    })
    await startMonitor(db, workspaceId, id)
    const scan = await startScan(parts, db, workspaceId, activated)
    await parts.jobs.enqueue(db, loadRoster, { workspace_id: workspaceId, account_id: id })
    // A scan reads the profile along the way; with every signal switched off there is none.
    if (!scan) await parts.jobs.enqueue(db, enrichAccount, { workspace_id: workspaceId, account_id: id })
    return activated
  })
}

/** Moves an active account back to suggested and stops its monitor; its credit stays used. Throws not_found, forbidden, account_not_active. */
export function deactivate({ db }: Pick<Deps, 'db'>, member: Member, id: string) {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    const account = await lockAccount(db, workspaceId, id)
    requireOwn(member, account.owner_id)
    if (account.status !== 'active') throw accountNotActive()
    await stopMonitor(db, workspaceId, id)
    return updateAccountRow(db, workspaceId, id, { status: 'suggested' })
  })
}

/** Rejects an account that is not active; once rejected it stays so. Throws not_found, forbidden, account_active. */
export function reject({ db }: Pick<Deps, 'db'>, member: Member, id: string) {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    const account = await lockAccount(db, workspaceId, id)
    requireOwn(member, account.owner_id)
    if (account.status === 'active') {
      throw new AppError('account_active', 'An active account cannot be rejected. Deactivate it first.')
    }
    if (account.status === 'rejected') return getAccount(db, workspaceId, id)
    return updateAccountRow(db, workspaceId, id, { status: 'rejected' })
  })
}
