import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getSubscription, type SubscriptionFields, updateSubscriptionRow } from './store.ts'

/** Changes the plan of a self-hosted workspace. Credits already used stay used. Throws invalid_request. */
export function updateSubscription({ db }: Pick<Deps, 'db'>, workspaceId: string, fields: Partial<SubscriptionFields>) {
  return db.transaction().execute(async (db) => {
    const before = await getSubscription(db, workspaceId)
    if (Object.keys(fields).length === 0) return before
    const { period_start, period_end } = { ...before, ...fields }
    if (Date.parse(period_end) <= Date.parse(period_start)) {
      throw new AppError('invalid_request', 'period_end must be after period_start.', {
        details: [{ path: 'period_end', message: 'must be after period_start' }],
      })
    }
    return updateSubscriptionRow(db, workspaceId, fields)
  })
}
