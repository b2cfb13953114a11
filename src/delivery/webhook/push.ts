import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../member.ts'
import type { Pushed } from '../../resources/webhook-push/schema.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { getTarget, webhookChannel } from './channel.ts'
import { pushInline } from './inline.ts'
import { readRows } from './row-store.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'jobs' | 'config'>

/**
 * Pushes records to a destination: a few at once, many as a run in the background. An id that names nothing the viewer may
 * see, or that came before, is skipped. Throws unknown_destination.
 */
export async function pushToWebhook(
  deps: Parts,
  viewer: Viewer,
  recordType: PushRecordType,
  destinationId: string,
  given: string[],
): Promise<Pushed> {
  const target = await getTarget(deps, viewer.workspace_id, destinationId)
  const { ids, surplus, asked } = readIds(given)
  if (asked > INLINE_LIMIT) {
    return startRun(deps, viewer, webhookChannel, { recordType, destinationId: target.id, ids, surplus })
  }
  const rows = await readRows(deps.db, viewer, recordType, ids)
  const { pushed, failed, errors } = await pushInline(deps, viewer, target, [...rows.values()])
  return { pushed, failed, skipped: asked - rows.size, errors }
}
