import type { Deps } from '../../deps/deps.ts'
import { countCreditsByDay, getSubscription, listPeriods } from './store.ts'

const PERIODS = 23

/** Credits by period and, in the current one, by day: what was written down, and nothing in its place. */
export async function readUsageHistory({ db }: Pick<Deps, 'db'>, workspaceId: string) {
  const { period_start, period_end, account_limit, credits_used } = await getSubscription(db, workspaceId)
  const [before, { days, counted_since }] = await Promise.all([
    listPeriods(db, workspaceId, PERIODS),
    countCreditsByDay(db, workspaceId, period_start),
  ])
  const current = { period_start, period_end, account_limit, credits_used, is_current: true }
  return { periods: [current, ...before.map((one) => ({ ...one, is_current: false }))], days, counted_since }
}
