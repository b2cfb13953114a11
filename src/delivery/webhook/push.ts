import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import type { Viewer } from '../../shared/member.ts'
import { failureReason, isFailed, pushInline } from '../inline.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { getTarget, webhookChannel } from './channel.ts'
import type { Pushed } from './push-schema.ts'

/**
 * Pushes records to a destination: a few while the caller waits, many, or where it is asked for, as a run in the
 * background. An id that names nothing the viewer may see, or that came before, is skipped. Throws unknown_destination.
 */
export async function pushToWebhook(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  destinationId: string,
  given: string[],
  inBackground: boolean,
): Promise<Pushed> {
  const target = await getTarget(deps, viewer.workspace_id, destinationId)
  const { ids, surplus, asked } = readIds(given)
  const run = { recordType, destinationId: target.id, ids, surplus }
  if (inBackground || asked > INLINE_LIMIT) return startRun(deps, viewer, webhookChannel, run)
  const { run_id: _, rows, ...counts } = await pushInline(deps, viewer, webhookChannel, run)
  const errors = rows.filter(isFailed).map((row) => ({ id: row.id, status: row.status, message: failureReason(row) }))
  return { ...counts, errors }
}
