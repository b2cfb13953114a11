import type { PushChannel } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { getPushRun } from '../../resources/push-runs/store.ts'
import { getPushTarget, reopenPushRun } from '../../resources/push-runs/work-store.ts'
import type { Viewer } from '../../shared/member.ts'
import { crmChannel } from '../crm/channel.ts'
import { type Channel, enqueueRun } from '../run.ts'
import { webhookChannel } from '../webhook/channel.ts'

/** Every way out. A run is started by its own folder; it is taken up again and retried here. */
export const CHANNELS: Record<PushChannel, Channel> = { webhook: webhookChannel, crm: crmChannel }

/**
 * Sends the failed rows of a run again, under the same ids, where they did not arrive. Answers the run. Throws not_found,
 * unknown_destination, crm_not_connected.
 */
export async function retryRun(deps: Pick<Deps, 'db' | 'jobs' | 'secrets'>, viewer: Viewer, id: string) {
  const { db, jobs } = deps
  const { workspace_id } = viewer
  const { id: run_id, channel: name } = await getPushRun(db, viewer, id)
  const channel = CHANNELS[name]
  await channel.checkTarget(deps, workspace_id, await getPushTarget(db, workspace_id, run_id))
  await db.transaction().execute(async (db) => {
    if ((await reopenPushRun(db, workspace_id, run_id)) > 0)
      await enqueueRun({ db, jobs }, channel, { workspace_id, run_id })
  })
  return getPushRun(db, viewer, run_id)
}
