import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type ReceivedWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
} from '../packages/client/src/webhooks.ts'
import { createWebhookSecret, WebhookSigner } from '../src/outbound/signing.ts'

const secret = createWebhookSecret()
const body = '{"id":"1","record_type":"person","full_name":"Grüße 🎈"}'

function delivered(text = body, { at = Date.now(), secrets = [secret] } = {}): ReceivedWebhook {
  return { body: text, headers: new WebhookSigner(secrets).headers('msg_1', at, text), secret }
}

const refused = (received: ReceivedWebhook, code: WebhookErrorCode) =>
  assert.rejects(verifyWebhook(received), (error) => error instanceof WebhookError && error.code === code)

test('what our signer signs is accepted, as text or bytes, with headers of every kind', async () => {
  const { headers } = delivered() as { headers: Record<string, string> }
  const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const kind of [headers, new Headers(headers), capital]) {
    const event = await verifyWebhook({ body, headers: kind, secret })
    assert.deepEqual([event.id, event.name, event.payload], ['msg_1', 'person.pushed', JSON.parse(body)])
    assert.equal(event.sentAt.getTime() / 1000, Number(headers['webhook-timestamp']))
  }
  assert.equal((await verifyWebhook({ body: Buffer.from(body), headers, secret })).name, 'person.pushed')
})

test('the test vector of Standard Webhooks is accepted', async () => {
  const event = await verifyWebhook({
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    now: () => new Date(1_614_265_331_000),
  })
  assert.deepEqual([event.name, event.payload], ['other', { test: 2432232314 }])
})

test('during a rotation the former secret is as good as the new one, on either side', async () => {
  const next = createWebhookSecret()
  const both = delivered(body, { secrets: [next, secret] })
  for (const known of [secret, next, [createWebhookSecret(), next]]) await verifyWebhook({ ...both, secret: known })
  const { headers } = delivered() as { headers: Record<string, string> }
  const signatures = `v2,abc v1,%% v1,AAAA ${headers['webhook-signature']}`
  await verifyWebhook({ body, secret: [next, secret], headers: { ...headers, 'webhook-signature': signatures } })
  await refused({ ...both, secret: createWebhookSecret() }, 'wrong_signature')
})

test('a delivery costs one HMAC per key, however many signatures it has', async (t) => {
  const { headers } = delivered() as { headers: Record<string, string> }
  const mocks = (['sign', 'verify'] as const).map((name) => t.mock.method(crypto.subtle, name).mock)
  const wrong = `v1,${btoa('x'.repeat(32))} `.repeat(10_000)
  await refused({ body, secret, headers: { ...headers, 'webhook-signature': wrong } }, 'wrong_signature')
  await verifyWebhook({
    body,
    secret,
    headers: { ...headers, 'webhook-signature': wrong + headers['webhook-signature'] },
  })
  assert.equal(
    mocks.map((mock) => mock.callCount()).reduce((a, b) => a + b),
    2,
  )
})

test('another body, id, time or signature is refused, and so is what is old, from the future or no delivery', async () => {
  const good = delivered()
  const headers = good.headers as Record<string, string>
  const seconds = Number(headers['webhook-timestamp'])
  await refused({ ...good, body: `${body} ` }, 'wrong_signature')
  await refused({ ...good, headers: { ...headers, 'webhook-id': 'msg_2' } }, 'wrong_signature')
  await refused({ ...good, headers: { ...headers, 'webhook-timestamp': String(seconds + 1) } }, 'wrong_signature')
  await refused({ ...good, headers: { ...headers, 'webhook-signature': 'v1,' } }, 'wrong_signature')
  await refused({ ...good, headers: { ...headers, 'webhook-timestamp': 'now' } }, 'malformed')
  for (const name of Object.keys(headers)) {
    await refused({ ...good, headers: { ...headers, [name]: undefined } }, 'missing_headers')
    await refused({ ...good, headers: { ...headers, [name]: ['a', 'b'] } }, 'missing_headers')
  }
  const later = (by: number) => ({ ...good, now: () => new Date((seconds + by) * 1000) })
  await verifyWebhook(later(300))
  await verifyWebhook(later(-300))
  await refused(later(301), 'too_old')
  await refused(later(-301), 'too_new')
  await refused({ ...later(11), toleranceSeconds: 10 }, 'too_old')
  for (const text of ['', 'no JSON', '[]', 'null', '"x"']) await refused(delivered(text), 'malformed')
  for (const wrong of ['', 'whsec_', secret.slice(6), 'whsec_%'])
    await assert.rejects(verifyWebhook({ ...good, secret: wrong }), (error: Error) => {
      return error instanceof TypeError && !error.message.includes(secret.slice(6))
    })
})

test('every webhook of the OpenAPI document is identified by its name, and its payload is typed', async () => {
  const { webhooks } = JSON.parse(readFileSync(process.env.TEST_OPENAPI as string, 'utf8')) as {
    webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { example: object } } } } }>
  }
  assert.equal(Object.keys(webhooks).length, 9)
  const titles: string[] = []
  for (const [name, { post }] of Object.entries(webhooks)) {
    const text = JSON.stringify(post.requestBody.content['application/json'].example)
    const event = await verifyWebhook(delivered(text))
    assert.deepEqual([event.name, event.payload], [name, JSON.parse(text)])
    titles.push(titleOf(event))
  }
  assert.deepEqual(titles, [
    'Northwind Freight',
    'Mara Lindqvist',
    'Sample account',
    'Northwind Freight raised a round',
    'Northwind Freight',
    'Mara Lindqvist is now Chief Operating Officer at Southwind Rail; before: VP Operations at Northwind Freight',
    'Northwind Freight',
    'This is a test from Bellwether: alerts arrive here.',
    'updateMember',
  ])
})

/** Compiles because the name discriminates the payload. */
function titleOf({ name, payload }: WebhookEvent): string {
  if (name === 'account.pushed' || name === 'destination.tested') return payload.name
  if (name === 'person.pushed') return payload.full_name
  if (name === 'signal.detected') return payload.data.detections[0]?.headline ?? ''
  if (name === 'account.suggested') return payload.data.accounts[0]?.name ?? ''
  if (name === 'people.job_changed') return payload.data.moves[0]?.text ?? ''
  if (name === 'work_item.done') return payload.data.account.name
  if (name === 'audit.recorded') return payload.data.entries[0]?.action ?? ''
  return name === 'alert.tested' ? payload.data.message : String(payload.type)
}
