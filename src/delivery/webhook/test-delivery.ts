import type { Deps } from '../../deps/deps.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { insertDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'
import { findWebhookTarget } from '../../resources/webhook-destinations/store.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import { postSigned } from '../channel/post.ts'
import { toLogEntry } from './channel.ts'
import type { TestRow } from './schema.ts'

const PREFIX = 'msg_test_'

/** The body of a test; `digits` are the hexadecimal digits of its id. */
function sampleBody(digits: string): string {
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const named = { name: 'Sample account', domain: 'sample.example', score: 50 }
  const row: TestRow = { id, record_type: 'account', test: true, ...named }
  return JSON.stringify(row)
}

/** The body of the test with this id; null for an id of a pushed row. */
export function findTestBody(webhookId: string): string | null {
  return webhookId.startsWith(PREFIX) ? sampleBody(webhookId.slice(PREFIX.length)) : null
}

/** Sends a sample row once, marked as a test, and returns the response. Throws not_found. */
export async function sendTestDelivery(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  id: string,
) {
  const target = await findWebhookTarget(db, workspaceId, id, secrets)
  if (!target) throw notFound('destination')
  const digits = newId().replaceAll('-', '')
  const webhook_id = PREFIX + digits
  const posted = await postSigned(
    outbound,
    { url: target.url, signer: new WebhookSigner(target.secrets) },
    webhook_id,
    sampleBody(digits),
  )
  await insertDeliveries(db, workspaceId, { destination_id: id, run_id: null }, [
    { ...toLogEntry(posted), record_id: null, webhook_id, attempt: 1 },
  ])
  return {
    delivered: posted.result === 'sent',
    status: posted.status,
    message: posted.message,
    latency_ms: posted.latencyMs,
    webhook_id,
  }
}
