import type { Deps } from '../../deps/deps.ts'
import { listAlerts, requireSeenAlert } from '../../resources/alerts/store.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { ALERT_JOBS } from '../job.ts'
import { reopenFailed } from './store.ts'

/**
 * Sends the failed deliveries of an alert again with its current content, under the same message id. Returns the alert, once
 * for each channel. Throws not_found, and invalid_transition when no delivery has failed.
 */
export async function replayAlert({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, member: Member, id: string) {
  await requireSeenAlert(db, member, id)
  const key = { workspace_id: member.workspace_id, alert_id: id }
  await db.transaction().execute(async (db) => {
    const channels = await reopenFailed(db, key)
    if (channels.length === 0)
      throw new AppError('invalid_transition', 'Only a failed alert can be sent again. This one has not failed.')
    for (const channel of channels) await jobs.enqueue(db, ALERT_JOBS[channel], key)
  })
  const { rows } = await listAlerts(db, member, { id, page: 1, per_page: 10 })
  return rows
}
