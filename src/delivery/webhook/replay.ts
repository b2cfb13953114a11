import type { Deps } from '../../deps/deps.ts'
import { getPushRun, insertPushRun } from '../../resources/push-runs/store.ts'
import { findFailedRecords, getDelivery } from '../../resources/webhook-destinations/delivery-store.ts'
import { getDestination, lockDestination } from '../../resources/webhook-destinations/store.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { pushInline } from '../inline.ts'
import { enqueueRun } from '../run.ts'
import { webhookChannel } from './channel.ts'

/**
 * Sends the record of a delivery again, as it is now, while the caller waits. It is a run of its own, under the rights of
 * whoever asks. Throws not_found, invalid_transition for a test, which is about no record.
 */
export async function replayDelivery(deps: Deps, viewer: Viewer, destinationId: string, id: string) {
  // The log of one that was deleted may outlive it.
  await getDestination(deps.db, viewer.workspace_id, destinationId)
  const { record_id, record_type } = await getDelivery(deps.db, viewer, destinationId, id)
  if (!record_id) {
    throw new AppError('invalid_transition', 'A test is about no record. Send another test to the destination instead.')
  }
  // Which kind of record it was is known as long as the push is.
  if (!record_type) throw notFound('push run')
  const run = { recordType: record_type, destinationId, ids: [record_id], surplus: [] }
  const { run_id } = await pushInline(deps, viewer, webhookChannel, run)
  return getPushRun(deps.db, viewer, run_id)
}

/**
 * Sends every record again whose last attempt failed, as runs in the background: one of accounts, one of people. Two calls
 * at once send each record once. Throws not_found.
 */
export function replayFailed({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, viewer: Viewer, destinationId: string) {
  const { workspace_id } = viewer
  return db.transaction().execute(async (db) => {
    await lockDestination(db, workspace_id, destinationId)
    const runs: Awaited<ReturnType<typeof getPushRun>>[] = []
    for (const { record_type: recordType, ids } of await findFailedRecords(db, viewer, destinationId)) {
      const run = { channel: webhookChannel.name, recordType, destinationId, ids, surplus: [] }
      const { run_id } = await insertPushRun(db, viewer, run)
      await enqueueRun({ db, jobs }, webhookChannel, { workspace_id, run_id })
      runs.push(await getPushRun(db, viewer, run_id))
    }
    return runs
  })
}
