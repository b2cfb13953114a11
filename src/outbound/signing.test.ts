import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { createWebhookSecret, WebhookSigner } from './signing.ts'

const body = '{"id":"1","name":"Grüße 🎈"}'

const verifiers = {
  standardwebhooks: (secret: string, text: string, headers: Record<string, string>) =>
    new StandardWebhook(secret).verify(text, headers),
  svix: (secret: string, text: string, headers: Record<string, string>) =>
    new SvixWebhook(secret).verify(text, headers),
}

for (const [name, verify] of Object.entries(verifiers)) {
  test(`${name} accepts a signature, and rejects another body, id, time or secret`, () => {
    const secret = createWebhookSecret()
    const headers = new WebhookSigner([secret]).headers('msg_1', Date.now(), body)
    verify(secret, body, headers)
    const later = String(Number(headers['webhook-timestamp']) + 1)
    assert.throws(() => verify(secret, `${body} `, headers))
    assert.throws(() => verify(secret, body, { ...headers, 'webhook-id': 'msg_2' }))
    assert.throws(() => verify(secret, body, { ...headers, 'webhook-timestamp': later }))
    assert.throws(() => verify(createWebhookSecret(), body, headers))
  })

  test(`${name} accepts both secrets during a rotation`, () => {
    const secrets = [createWebhookSecret(), createWebhookSecret()]
    const headers = new WebhookSigner(secrets).headers('msg_1', Date.now(), Buffer.from(body))
    assert.equal(headers['webhook-signature'].split(' ').length, 2)
    for (const secret of secrets) verify(secret, body, headers)
    assert.throws(() => verify(createWebhookSecret(), body, headers))
  })
}

// svix uses standardwebhooks, so this is an independent check: the known example of the libraries of the
// Standard Webhooks specification, and HMAC by the Web Crypto API.
test('a message has the signature of the known example', () => {
  const signer = new WebhookSigner(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
  const headers = signer.headers('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_999, '{"test": 2432232314}')
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('Web Crypto verifies a signature', async () => {
  const secret = createWebhookSecret()
  const headers = new WebhookSigner([secret]).headers('msg_1', Date.now(), body)
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`msg_1.${headers['webhook-timestamp']}.${body}`)
  const signature = Buffer.from(headers['webhook-signature'].slice('v1,'.length), 'base64')
  assert.ok(await crypto.subtle.verify('HMAC', key, signature, signed))
})

test('secrets are 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, createWebhookSecret)
  assert.equal(new Set(secrets).size, 100)
  for (const secret of secrets) assert.match(secret, /^whsec_[\w+/]{43}=$/)
})

test('a malformed secret is rejected, and not repeated in the error', () => {
  const bytes = (length: number) => Buffer.alloc(length, 1).toString('base64')
  const malformed = ['', 'whsec_', bytes(32), `whsec_${bytes(23)}`, `whsec_${bytes(65)}`, `whsec_*${bytes(32)}`]
  for (const secret of malformed)
    assert.throws(() => new WebhookSigner([secret]), /^Error: Malformed webhook secret\.$/)
  assert.throws(() => new WebhookSigner([]))
})

test('an id that contains the separator is rejected', () => {
  assert.throws(() => new WebhookSigner([createWebhookSecret()]).headers('a.1', 0, ''))
})
