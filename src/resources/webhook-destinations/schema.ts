import { Type } from 'typebox'
import { Body, Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0',
  name: 'Data warehouse',
  url_masked: 'https://hooks.northwind.example/…',
  secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=',
  created_at: '2026-11-01T08:00:00.000Z',
}

export const Destination = Rec(
  'WebhookDestination',
  {
    id: Type.String(),
    name: Type.String(),
    url_masked: Type.String({ description: 'Scheme and host; the rest of the URL is never shown' }),
    secret: Nullable(
      Type.String({
        description:
          'Verifies deliveries as defined by Standard Webhooks; null unless the caller is an admin with write access',
      }),
    ),
    created_at: Timestamp(),
  },
  example,
)

export const CreateDestination = Body(
  'CreateWebhookDestination',
  {
    // create.ts limits graphemes to 80; JSON Schema counts code points.
    name: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'At most 80 characters, unique' }),
    url: Type.String({ minLength: 1, maxLength: 4096, description: 'A public https URL that accepts JSON POSTs' }),
  },
  { name: 'Data warehouse', url: 'https://hooks.northwind.example/bellwether?token=…' },
)

export const RotateSecret = Body(
  'RotateSecret',
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        description: 'How long the former secret signs as well; 24 by default',
      }),
    ),
  },
  { overlap_hours: 24 },
)

export const TestDelivery = Rec(
  'TestDelivery',
  {
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer({ description: 'null: there was no response' })),
    message: Nullable(Type.String()),
    latency_ms: Type.Integer(),
    webhook_id: Type.String(),
  },
  {
    delivered: true,
    status: 200,
    message: null,
    latency_ms: 84,
    webhook_id: 'msg_test_019a8f3e7c1b7d429f5a3c2e1b0a9da1',
  },
)

const deliveryFields = {
  id: Type.String(),
  run_id: Nullable(Type.String()),
  record_id: Nullable(Type.String()),
  record: Nullable(
    Type.Object(
      { type: OneOf(['account', 'person']), id: Type.String(), name: Type.String() },
      { description: 'The pushed record; null for a test and for a deleted record' },
    ),
  ),
  webhook_id: Type.String(),
  attempt: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'null: there was no response' })),
  message: Nullable(Type.String({ description: 'Why it was not acknowledged; null when it was' })),
  latency_ms: Type.Integer(),
  answer: Nullable(
    Type.String({
      description: 'The first 1,000 characters of the response; null unless the caller is an admin with write access',
    }),
  ),
  created_at: Timestamp(),
}

const deliveryExample = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da2',
  run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3',
  record_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  record: { type: 'account', id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', name: 'Northwind Robotics' },
  webhook_id: 'msg_019a8f3e7c1b7d429f5a3c2e1b0a9da3_019a8f3e7c1b7d429f5a3c2e1b0a9d87',
  attempt: 1,
  status: 200,
  message: null,
  latency_ms: 84,
  answer: 'ok',
  created_at: '2026-11-14T09:30:00.000Z',
}

export const Delivery = Rec('Delivery', deliveryFields, deliveryExample)

export const DeliveryDetail = Rec(
  'DeliveryDetail',
  {
    ...deliveryFields,
    request: Type.Object({
      method: OneOf(['POST']),
      url: Type.String({ description: 'Masked' }),
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'The headers of Standard Webhooks; the signature is omitted',
      }),
      body: Nullable(Type.String({ description: 'The current record; null when it was deleted' })),
      body_is: OneOf(['as_sent', 'changed_since', 'gone', 'unknown'], {
        description:
          'The sent body is not stored, only its digest. `as_sent`: the body equals the sent one; `changed_since`: the record has changed since; `gone`: the record was deleted; `unknown`: no digest was stored',
      }),
    }),
  },
  {
    ...deliveryExample,
    request: {
      method: 'POST',
      url: 'https://hooks.northwind.example/…',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'webhook-id', value: deliveryExample.webhook_id },
        { name: 'webhook-timestamp', value: '1794648600' },
        { name: 'webhook-signature', value: 'v1,…' },
      ],
      body: '{"id":"019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87","record_type":"account","name":"Northwind Robotics"}',
      body_is: 'as_sent',
    },
  },
)

export const DeliveriesQuery = Type.Object({
  failed: Type.Optional(Type.Boolean({ description: 'true: only attempts that were not acknowledged' })),
  ...PageQuery(50),
})

export const DeliveryParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  delivery_id: Type.String({ format: 'uuid' }),
})
