import type { TSchema } from 'typebox'
import { exampleOf } from './schema.ts'

/** Something the service sends: a signed POST that a receiver answers. */
export type Webhook = { name: string; operationId: string; tag: string; summary: string; payload: TSchema }

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
})

/** What every delivery carries, as Standard Webhooks describe it. */
export const SENT_HEADERS = {
  WebhookId: header(
    'webhook-id',
    'The same in every attempt: who has seen it has the delivery already',
    'msg_019a8f3e7c1b7d429f5a3c2e1b0a9da3_019a8f3e7c1b7d429f5a3c2e1b0a9d87',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt left, in seconds since 1970', '1794648600'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64, under the secret behind `whsec_`; after a rotation one for each secret, with a space between',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
}

const DESCRIPTION = `Signed as [Standard Webhooks](https://www.standardwebhooks.com): verify it before you believe it. It is delivered at
least once: an attempt that is not acknowledged is repeated under the same \`webhook-id\`, so drop what you have seen. What is
not acknowledged at the last attempt is listed as failed.`

const ANSWERS = {
  '2XX': 'Taken. Answer within 15 seconds; the body may say anything',
  '3XX': 'Not taken: redirects are not followed, and there is no further attempt',
  '4XX': 'Not taken, and there is no further attempt',
  408: 'Not taken now: there is another attempt later',
  410: 'Not taken, and nothing more is wanted: what is left of the push is not sent',
  429: 'Not taken now: there is another attempt later, after the seconds in `Retry-After` where it is given (at most 300)',
  '5XX': 'Not taken now: there is another attempt later; the same holds when no answer comes',
}

/** The webhook as the OpenAPI document shows it. */
export function toPathItem({ operationId, tag, summary, payload }: Webhook) {
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description: DESCRIPTION,
      security: [],
      parameters: Object.keys(SENT_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: payload, example: exampleOf(payload) } },
      },
      responses: Object.fromEntries(Object.entries(ANSWERS).map(([status, description]) => [status, { description }])),
    },
  }
}
