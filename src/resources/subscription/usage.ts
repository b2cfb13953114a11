import type { Deps } from '../../deps/deps.ts'
import type { Viewer } from '../../shared/member.ts'
import { countCreditsByDay, countUsage, getSubscription, listPeriods } from './store.ts'

const PREVIOUS_PERIODS = 23

/** Returns the credits of the current period, and how many records the workspace holds. */
export async function readUsage({ db }: Pick<Deps, 'db'>, viewer: Viewer) {
  const [subscription, counts] = await Promise.all([getSubscription(db, viewer.workspace_id), countUsage(db, viewer)])
  const { account_limit, credits_used, period_start, period_end } = subscription
  return { period_start, period_end, credits_used, credits_left: Math.max(0, account_limit - credits_used), ...counts }
}

/** Returns the credits used by period and, for the current period, by day. Periods without a record are left out. */
export async function readUsageHistory({ db }: Pick<Deps, 'db'>, workspaceId: string) {
  const { period_start, period_end, account_limit, credits_used } = await getSubscription(db, workspaceId)
  const [before, { days, counted_since }] = await Promise.all([
    listPeriods(db, workspaceId, PREVIOUS_PERIODS),
    countCreditsByDay(db, workspaceId, period_start),
  ])
  const current = { period_start, period_end, account_limit, credits_used, is_current: true }
  return { periods: [current, ...before.map((one) => ({ ...one, is_current: false }))], days, counted_since }
}
