import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../member.ts'
import type { Pushed } from '../../resources/webhook-push/schema.ts'
import { pushInline } from '../inline.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { getTarget, webhookChannel } from './channel.ts'

/**
 * Pushes records to a destination: a few while the caller waits, many, and what is not done in time, as a run in the
 * background. An id that names nothing the viewer may
 * see, or that came before, is skipped. Throws unknown_destination.
 */
export async function pushToWebhook(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  destinationId: string,
  given: string[],
): Promise<Pushed> {
  const target = await getTarget(deps, viewer.workspace_id, destinationId)
  const { ids, surplus, asked } = readIds(given)
  const run = { recordType, destinationId: target.id, ids, surplus }
  if (asked > INLINE_LIMIT) return startRun(deps, viewer, webhookChannel, run)
  const { run_id: _, rows, handedOver, ...counts } = await pushInline(deps, viewer, webhookChannel, run)
  const errors = rows.flatMap(({ id, state, status, message }) =>
    state === 'failed' ? [{ id, status, message: message ?? 'It could not be delivered.' }] : [],
  )
  return { ...counts, errors, ...handedOver }
}
