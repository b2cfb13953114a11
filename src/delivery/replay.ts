import type { Deps } from '../deps/deps.ts'
import { listAlerts, requireSeenAlert } from '../resources/alerts/store.ts'
import { getPushRun, insertPushRun } from '../resources/push-runs/store.ts'
import { getPushTarget, reopenPushRun } from '../resources/push-runs/work-store.ts'
import { findFailedRecords, getDelivery } from '../resources/webhook-destinations/delivery-store.ts'
import { getDestination, lockDestination } from '../resources/webhook-destinations/store.ts'
import { AppError, notFound } from '../shared/errors.ts'
import type { Member, Viewer } from '../shared/member.ts'
import { reopenFailed } from './alerts/store.ts'
import { ALERT_JOBS, PUSH_JOBS } from './job.ts'
import { enqueuePushRun, pushInline } from './push.ts'

/**
 * Sends the failed rows of a run again, under the same webhook ids and only to receivers that did not take them. Returns
 * the run. Throws not_found, unknown_destination, crm_not_connected.
 */
export async function retryPushRun(deps: Pick<Deps, 'db' | 'jobs' | 'secrets'>, viewer: Viewer, id: string) {
  const { db, jobs } = deps
  const { workspace_id } = viewer
  const { id: run_id, channel } = await getPushRun(db, viewer, id)
  await PUSH_JOBS[channel].checkTarget(deps, workspace_id, await getPushTarget(db, workspace_id, run_id))
  await db.transaction().execute(async (db) => {
    if ((await reopenPushRun(db, workspace_id, run_id)) > 0)
      await enqueuePushRun({ db, jobs }, channel, { workspace_id, run_id })
  })
  return getPushRun(db, viewer, run_id)
}

/**
 * Sends the record of a delivery again, with its current content, while the caller waits: a new run with the visibility of
 * the caller. Throws not_found, and invalid_transition for a test or an alert, which have no record.
 */
export async function replayDelivery(deps: Deps, viewer: Viewer, destinationId: string, id: string) {
  // The log of a deleted destination may still exist.
  await getDestination(deps.db, viewer.workspace_id, destinationId)
  const { record_id, record_type } = await getDelivery(deps.db, viewer, destinationId, id)
  if (!record_id) {
    throw new AppError(
      'invalid_transition',
      'A test or an alert has no record to send again. Send another test, or the alert again with POST /alerts/{id}/replay.',
    )
  }
  // The type of the record is stored with the push run.
  if (!record_type) throw notFound('push run')
  const run = { recordType: record_type, destinationId, ids: [record_id], surplus: [] }
  const { run_id } = await pushInline(deps, viewer, 'webhook', run)
  return getPushRun(deps.db, viewer, run_id)
}

/**
 * Sends every record again whose last attempt failed, as runs in the background: one of accounts, one of people. Two
 * concurrent calls send each record once. Throws not_found.
 */
export function replayFailedRecords({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, viewer: Viewer, destinationId: string) {
  const { workspace_id } = viewer
  return db.transaction().execute(async (db) => {
    await lockDestination(db, workspace_id, destinationId)
    const runs: Awaited<ReturnType<typeof getPushRun>>[] = []
    for (const { record_type: recordType, ids } of await findFailedRecords(db, viewer, destinationId)) {
      const { run_id } = await insertPushRun(db, viewer, {
        channel: 'webhook',
        recordType,
        destinationId,
        ids,
        surplus: [],
      })
      await enqueuePushRun({ db, jobs }, 'webhook', { workspace_id, run_id })
      runs.push(await getPushRun(db, viewer, run_id))
    }
    return runs
  })
}

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
