import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { refused } from '../../../test/support/client.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { testService } from '../../../test/support/service.ts'

const receiver = await testReceiver()
const service = await testService({ env: { OUTBOUND_ALLOW: `127.0.0.1:9911,${receiver.host}` } })

test('only an admin with write access sees the whole webhook URL and its secret', async () => {
  const webhook_url = 'https://93.184.216.34/hook?token=s3cret'
  const whole = await service.admin.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url })
  const masked = { ...whole, webhook_url: 'https://93.184.216.34/…', webhook_secret: null }
  const reader = await service.member({ role: 'admin' }, { read_only: true })
  const member = await service.member()
  for (const [client, seen] of [
    [service.admin, whole],
    [reader.client, masked],
    [member.client, masked],
  ] as const) {
    assert.deepEqual(await client.expect(200, 'GET', '/v1/settings/notifications'), seen)
    assert.equal((await client.expect(200, 'GET', '/v1/integrations')).webhook.url, seen.webhook_url)
  }
  refused(await member.client.put('/v1/settings/notifications', { webhook_enabled: true }), 403, 'forbidden')
})

test('a PUT changes the fields it sends and returns all of them', async () => {
  const { client } = await service.stranger()
  const before = await client.expect(200, 'GET', '/v1/settings/notifications')
  assert.deepEqual(before, {
    webhook_url: null,
    webhook_enabled: false,
    webhook_secret: null,
    chat_channel: '',
    chat_enabled: false,
    notify_realtime: true,
    notify_suggested: false,
    notify_job_changes: false,
  })
  const url = 'https://93.184.216.34/hook?token=s3cret'
  const one = await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: url,
    notify_suggested: true,
    notify_job_changes: false,
  })
  assert.match(one.webhook_secret, /^whsec_/)
  assert.deepEqual(one, {
    ...before,
    webhook_url: url,
    webhook_secret: one.webhook_secret,
    notify_suggested: true,
    notify_job_changes: false,
  })
  const two = await client.expect(200, 'PUT', '/v1/settings/notifications', {
    chat_channel: '#deals',
    chat_enabled: true,
  })
  assert.deepEqual(two, { ...one, chat_channel: '#deals', chat_enabled: true })
  assert.deepEqual(await client.expect(200, 'PUT', '/v1/settings/notifications', {}), two)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/settings/notifications'), two)
  const cleared = await client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: '' })
  assert.deepEqual(cleared, { ...two, chat_channel: '' })
})

test('null clears the webhook URL', async () => {
  const { client } = await service.stranger()
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: 'https://93.184.216.34/',
    webhook_enabled: true,
  })
  assert.deepEqual((await client.expect(200, 'GET', '/v1/integrations')).webhook, {
    enabled: true,
    url: 'https://93.184.216.34/',
    problem: null,
  })
  assert.equal((await client.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url: null })).webhook_url, null)
  const { webhook } = await client.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(webhook, { enabled: false, url: null, problem: null })
})

test('the signing secret comes with the first URL, stays with the next, and goes with the last', async () => {
  const { client } = await service.stranger()
  const secretAfter = async (fields: object): Promise<string | null> =>
    (await client.expect(200, 'PUT', '/v1/settings/notifications', fields)).webhook_secret
  assert.equal(await secretAfter({ webhook_enabled: true }), null)
  const [first, same] = await Promise.all([
    secretAfter({ webhook_url: 'https://93.184.216.34/a' }),
    secretAfter({ webhook_url: 'https://93.184.216.34/b' }),
  ])
  assert.ok(first)
  assert.equal(same, first)
  assert.equal(await secretAfter({ webhook_url: 'https://93.184.216.34/c' }), first)
  assert.equal(await secretAfter({ webhook_secret: 'whsec_mine' }), first, 'a caller cannot choose it')
  assert.equal(await secretAfter({ webhook_url: null }), null)
  const next = await secretAfter({ webhook_url: 'https://93.184.216.34/c' })
  assert.ok(next && next !== first)
})

test('the URL and its secret are unreadable in the database', async () => {
  const { webhook_secret } = await service.admin.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: 'https://93.184.216.34/very-secret',
  })
  const row = await service.deps.db
    .selectFrom('notification_settings')
    .selectAll()
    .where('workspace_id', '=', service.workspaceId)
    .executeTakeFirstOrThrow()
  assert.ok(row.webhook_url_sealed)
  assert.ok(!row.webhook_url_sealed.toString('latin1').includes('very-secret'))
  assert.ok(!row.webhook_secret_sealed?.toString('latin1').includes(webhook_secret.slice(6)))
})

for (const url of [
  'http://93.184.216.34/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://2130706433/',
  'https://intranet/',
  'https://printer.local/',
  'https://user:pass@93.184.216.34/',
  'ftp://93.184.216.34/',
  'not a url',
]) {
  test(`${url} is refused as a webhook URL and nothing changes`, async () => {
    const { client } = await service.stranger()
    const answer = await client.put('/v1/settings/notifications', { webhook_url: url, chat_enabled: true })
    refused(answer, 422, 'url_not_allowed')
    assert.equal((await client.expect(200, 'GET', '/v1/settings/notifications')).chat_enabled, false)
  })
}

test('an address listed in OUTBOUND_ALLOW is taken, its neighbour is not', async () => {
  await service.admin.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url: 'http://127.0.0.1:9911/hook' })
  refused(
    await service.admin.put('/v1/settings/notifications', { webhook_url: 'http://127.0.0.1:9912/' }),
    422,
    'url_not_allowed',
  )
})

test('the settings of two workspaces do not meet', async () => {
  await service.admin.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: '#ours' })
  const { client } = await service.stranger()
  assert.equal((await client.expect(200, 'GET', '/v1/settings/notifications')).chat_channel, '')
})

test('a test is sent to the webhook, signed and marked, and the response is returned and stored', async () => {
  const { client } = await service.stranger()
  const path = '/v1/settings/notifications'
  const nowhere = await client.post(`${path}/test`, { channel: 'webhook' })
  refused(nowhere, 400, 'invalid_request')
  assert.match(nowhere.error.message, /webhook_url/)
  const { webhook_secret } = await client.expect(200, 'PUT', path, { webhook_url: `${receiver.url}/alerts` })
  const { latency_ms, ...answer } = await client.expect(200, 'POST', `${path}/test`, { channel: 'webhook' })
  assert.ok(latency_ms >= 0)
  assert.deepEqual(answer, { delivered: true, status: 200, message: null })
  const delivery = receiver.deliveries.at(-1)
  const body = new Webhook(webhook_secret).verify(delivery?.body ?? '', delivery?.headers ?? {}) as { type: string }
  assert.equal(body.type, 'test')
  const problem = async () => (await client.expect(200, 'GET', '/v1/integrations')).webhook.problem
  receiver.next({ do: 'answer', status: 500 })
  const failed = await client.expect(200, 'POST', `${path}/test`, { channel: 'webhook' })
  assert.deepEqual([failed.delivered, failed.status, failed.message], [false, 500, 'The receiver answered 500.'])
  assert.equal(await problem(), 'The receiver answered 500.')
  await client.expect(200, 'POST', `${path}/test`, { channel: 'webhook' })
  assert.equal(await problem(), null)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/alerts'), [], 'a test is no alert')
})
