import type { Deps } from '../../deps/deps.ts'
import { getDelivery } from '../../resources/webhook-destinations/delivery-store.ts'
import { getDestination } from '../../resources/webhook-destinations/store.ts'
import type { Viewer } from '../../shared/member.ts'
import { digestOf } from '../channel/post.ts'
import { readWebhookRows } from './row-store.ts'
import { findTestBody } from './test-delivery.ts'

/**
 * One attempt with its request. The log contains no body: the body is made from the current record, and the digest shows
 * whether it is the one that was sent. Throws not_found.
 */
export async function describeDelivery({ db }: Pick<Deps, 'db'>, viewer: Viewer, destinationId: string, id: string) {
  const [{ url_masked }, delivery] = await Promise.all([
    getDestination(db, viewer.workspace_id, destinationId),
    getDelivery(db, viewer, destinationId, id),
  ])
  const { sent_at, body_digest, record_type, record_id, webhook_id, ...rest } = delivery
  const timestamp = sent_at && String(Math.floor(Date.parse(sent_at) / 1000))
  const rows = record_id && record_type ? await readWebhookRows(db, viewer, record_type, [record_id]) : null
  const row = rows?.get(record_id ?? '')
  const body = row ? JSON.stringify(row) : findTestBody(webhook_id)
  return {
    ...rest,
    record_id,
    webhook_id,
    request: {
      method: 'POST' as const,
      url: url_masked,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'webhook-id', value: webhook_id },
        ...(timestamp ? [{ name: 'webhook-timestamp', value: timestamp }] : []),
        { name: 'webhook-signature', value: 'v1,…' },
      ],
      body,
      body_is: bodyIs(body, body_digest),
    },
  }
}

function bodyIs(body: string | null, digest: Buffer | null) {
  if (body === null) return 'gone' as const
  if (digest === null) return 'unknown' as const
  return digestOf(body) === digest.toString('hex') ? ('as_sent' as const) : ('changed_since' as const)
}
