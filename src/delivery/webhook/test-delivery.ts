import type { Deps } from '../../deps/deps.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { insertDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'
import { findTarget } from '../../resources/webhook-destinations/store.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import { deliver, logged } from '../attempt.ts'
import type { TestRow } from './schema.ts'

const PREFIX = 'msg_test_'

/** What a test sends; `digits` are those of its id. */
function sampleOf(digits: string): string {
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const named = { name: 'Sample account', domain: 'sample.example', score: 50 }
  const row: TestRow = { id, record_type: 'account', test: true, ...named }
  return JSON.stringify(row)
}

/** What was sent under this id, if it was a test. */
export function sentSample(webhookId: string): string | null {
  return webhookId.startsWith(PREFIX) ? sampleOf(webhookId.slice(PREFIX.length)) : null
}

/** Sends a sample that says it is one, once, and answers what came back. Throws not_found. */
export async function testDestination(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  id: string,
) {
  const target = await findTarget(db, workspaceId, id, secrets)
  if (!target) throw notFound('destination')
  const digits = newId().replaceAll('-', '')
  const webhook_id = PREFIX + digits
  const outcome = await deliver(
    outbound,
    { url: target.url, signer: new WebhookSigner(target.secrets) },
    webhook_id,
    sampleOf(digits),
  )
  await insertDeliveries(db, workspaceId, { destination_id: id, run_id: null }, [
    { ...logged(outcome), record_id: null, webhook_id, attempt: 1 },
  ])
  return {
    delivered: outcome.result === 'sent',
    status: outcome.status,
    message: outcome.message,
    latency_ms: outcome.latencyMs,
    webhook_id,
  }
}
