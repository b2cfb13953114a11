import type { Deps } from '../../deps/deps.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { type ClaimedRow, pushRows } from '../../resources/push-runs/work-store.ts'
import { type DeliveryRow, deliveriesInsert } from '../../resources/webhook-destinations/delivery-store.ts'
import { findWebhookTarget, type WebhookTarget } from '../../resources/webhook-destinations/store.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { type PostResult, postSigned } from '../channel/post.ts'
import type { Attempt, Channel } from '../channel/types.ts'
import { readWebhookRows } from './row-store.ts'

const CLAIMED_ROWS = 500
const DELETED = 'The destination was deleted.'

/** `body` is null for a record that was deleted or that the member who started the run no longer sees. */
type WebhookRow = ClaimedRow & { body: string | null }
type WebhookAttempt = Attempt<WebhookRow> & { delivery?: DeliveryRow }

/** Posts each row to the destination of the run. */
export const webhookChannel: Channel<WebhookRow, WebhookAttempt> = {
  name: 'webhook',
  jobsPerRun: 2,
  async checkTarget(deps, workspaceId, { destination_id }) {
    await getWebhookTarget(deps, workspaceId, destination_id ?? '')
  },
  async open({ db, config, outbound, secrets }, run, shutdown) {
    const { workspace_id, run_id, record_type, destination_id, scoped_to, is_inline } = run
    const found = destination_id ? await findWebhookTarget(db, workspace_id, destination_id, secrets) : null
    if (!found) return { ended: DELETED }
    const rows = pushRows(db, workspace_id, run_id)
    // In the background an attempt in progress is finished.
    const cutOff = is_inline ? shutdown : undefined
    let target = found
    let signer = new WebhookSigner(target.secrets)
    let ended: string | null = null

    return {
      queue: {
        ...rows,
        async claim(lease, limit) {
          const [current, claimed] = await Promise.all([
            findWebhookTarget(db, workspace_id, target.id, secrets),
            rows.claim(lease, limit),
          ])
          if (!current) {
            ended = DELETED
            return []
          }
          if (current.secrets.join() !== target.secrets.join()) signer = new WebhookSigner(current.secrets)
          target = current
          if (claimed.length === 0) return []
          const ids = claimed.map(({ record_id }) => record_id)
          const records = await readWebhookRows(db, { workspace_id, scoped_to }, record_type, ids)
          return claimed.map((row) => {
            const record = records.get(row.record_id)
            return { ...row, body: record ? JSON.stringify(record) : null }
          })
        },
      },
      concurrency: config.PUSH_CONCURRENCY,
      claimed: CLAIMED_ROWS,
      async send([row]) {
        if (!row) return []
        if (row.body === null)
          return [{ row, result: 'skipped', status: null, message: 'It is no longer there.', retryAfter: null }]
        if (cutOff?.aborted) return []
        const webhook_id = webhookId(run_id, row.record_id)
        const posted = await postSigned(outbound, { url: target.url, signer }, webhook_id, row.body, cutOff)
        const { result, status, message, retryAfter } = posted
        if (result === 'over') ended = message
        const delivery = { ...toLogEntry(posted), record_id: row.record_id, webhook_id, attempt: row.attempts + 1 }
        return [{ row, result: result === 'over' ? 'failed' : result, status, message, retryAfter, delivery }]
      },
      record(leaseId, results) {
        const log = results.flatMap(({ delivery }) => delivery ?? [])
        const insert =
          log.length > 0 ? deliveriesInsert(workspace_id, { destination_id: target.id, run_id }, log) : null
        return rows.record(leaseId, results, insert)
      },
      isOver: () => ended !== null,
      progress: () => ({ ended }),
    }
  },
}

/** Throws unknown_destination. */
export async function getWebhookTarget(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  id: string,
): Promise<WebhookTarget> {
  const target = isId(id) ? await findWebhookTarget(db, workspaceId, id, secrets) : null
  if (target) return target
  throw new AppError(
    'unknown_destination',
    'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
  )
}

/** Stable for a record of a run, so that a receiver can deduplicate rows. Without dots, which separate the signed parts. */
export function webhookId(runId: string, recordId: string): string {
  return `msg_${runId.replaceAll('-', '')}_${recordId.replaceAll('-', '')}`
}

/** The columns of the delivery log that describe an attempt. */
export function toLogEntry({ status, message, latencyMs, answer, sentAt, bodyDigest }: PostResult) {
  return { status, message, latency_ms: latencyMs, answer, sent_at: sentAt, body_digest: bodyDigest }
}
