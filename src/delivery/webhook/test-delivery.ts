import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { findTarget, insertDeliveries } from '../../resources/webhook-destinations/store.ts'
import { deliver, logged } from '../attempt.ts'

/** Sends a sample that says it is one, once, and answers what came back. Throws not_found. */
export async function testDestination(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  id: string,
) {
  const target = await findTarget(db, workspaceId, id, secrets)
  if (!target) throw notFound('destination')
  const sample = {
    id: newId(),
    record_type: 'account',
    test: true,
    name: 'Sample account',
    domain: 'sample.example',
    score: 50,
  }
  const webhook_id = `msg_test_${sample.id.replaceAll('-', '')}`
  const outcome = await deliver(
    outbound,
    { url: target.url, signer: new WebhookSigner(target.secrets) },
    webhook_id,
    JSON.stringify(sample),
  )
  await insertDeliveries(db, workspaceId, [
    { ...logged(outcome), destination_id: id, run_id: null, record_id: null, webhook_id, attempt: 1 },
  ])
  return {
    delivered: outcome.result === 'sent',
    status: outcome.status,
    message: outcome.message,
    latency_ms: outcome.latencyMs,
    webhook_id,
  }
}
