import type { TSchema } from 'typebox'
import { exampleOf } from './schema.ts'

/** A webhook that the service sends: a signed POST. */
export type Webhook = { name: string; operationId: string; tag: string; summary: string; payload: TSchema }

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
})

/** The Standard Webhooks headers of every delivery. */
export const DELIVERY_HEADERS = {
  WebhookId: header(
    'webhook-id',
    'The same in every attempt, for deduplication',
    'msg_019a8f3e7c1b7d429f5a3c2e1b0a9da3_019a8f3e7c1b7d429f5a3c2e1b0a9d87',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970', '1794648600'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64, with the secret after `whsec_` as the key; after a rotation one for each secret, separated by spaces',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
}

const DESCRIPTION = `Signed as [Standard Webhooks](https://www.standardwebhooks.com): verify the signature before you use the payload. It is delivered at
least once: an attempt that is not acknowledged is retried with the same \`webhook-id\`, so drop duplicates. A delivery that is
not acknowledged at the last attempt is listed as failed.`

const ANSWERS = {
  '2XX': 'Accepted. Respond within 15 seconds; the body is ignored',
  '3XX': 'Failed: redirects are not followed, and there is no retry',
  '4XX': 'Failed, without a retry',
  408: 'Failed; retried later',
  410: 'Failed, and the receiver is gone: the rest of the push is not sent',
  429: 'Failed; retried later, after the seconds in `Retry-After` if given (at most 300)',
  '5XX': 'Failed; retried later, also when there is no response',
}

/** The webhook as a path item of the OpenAPI document. */
export function toPathItem({ operationId, tag, summary, payload }: Webhook) {
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description: DESCRIPTION,
      security: [],
      parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: payload, example: exampleOf(payload) } },
      },
      responses: Object.fromEntries(Object.entries(ANSWERS).map(([status, description]) => [status, { description }])),
    },
  }
}
