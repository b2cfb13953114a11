import type { Deps } from '../../deps/deps.ts'
import { findTarget, type WebhookTarget } from '../../resources/webhook-destinations/store.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import type { Channel } from '../run.ts'
import { pushWebhook } from './push.job.ts'

export const webhookChannel: Channel = {
  name: 'webhook',
  job: pushWebhook,
  jobsPerRun: 2,
  async checkTarget(deps, workspaceId, { destination_id }) {
    await getTarget(deps, workspaceId, destination_id ?? '')
  },
}

/** Throws unknown_destination. */
export async function getTarget(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  id: string,
): Promise<WebhookTarget> {
  const target = isId(id) ? await findTarget(db, workspaceId, id, secrets) : null
  if (target) return target
  throw new AppError(
    'unknown_destination',
    'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
  )
}
