import type { Deps } from '../../deps/deps.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError } from '../../shared/errors.ts'
import { lockSubscription, type SubscriptionFields, updateSubscriptionRow } from './store.ts'

/** Changes the plan of a self-hosted workspace. Credits already used stay used. Throws invalid_request. */
export function updateSubscription(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  wanted: Partial<SubscriptionFields>,
) {
  return db.transaction().execute(async (db) => {
    const before = await lockSubscription(db, workspaceId)
    const fields = changedFields(before, wanted)
    if (Object.keys(fields).length === 0) return before
    const { period_start, period_end } = { ...before, ...fields }
    if (Date.parse(period_end) <= Date.parse(period_start)) {
      throw new AppError('invalid_request', 'period_end must be after period_start.', {
        details: [{ path: 'period_end', message: 'must be after period_start' }],
      })
    }
    if (fields.period_end && Date.parse(fields.period_end) <= now().getTime()) {
      throw new AppError('invalid_request', 'period_end must be in the future.', {
        details: [{ path: 'period_end', message: 'must be in the future' }],
      })
    }
    return updateSubscriptionRow(db, workspaceId, fields)
  })
}
