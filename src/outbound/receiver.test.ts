import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { type Behaviour, startReceiver } from '../../sandbox/receiver.ts'
import { createOutbound } from './client.ts'
import { createWebhookSecret, WebhookSigner } from './signing.ts'

async function setUp(behaviour: Behaviour = { do: 'answer' }) {
  const secret = createWebhookSecret()
  const receiver = await startReceiver({ secrets: [secret], behaviour })
  // One connection, so that calls arrive in order. No circuit breaker, because failures are intended.
  const outbound = createOutbound({
    allow: new Set([receiver.host]),
    log: pino({ level: 'silent' }),
    connections: 1,
    breaker: { failures: Number.POSITIVE_INFINITY },
  })
  const signer = new WebhookSigner([secret])
  const send = (id: string, path = '/', body = `{"id":"${id}"}`, sent = body) =>
    outbound
      .request(receiver.url + path, {
        method: 'POST',
        redirects: 'refuse',
        headers: { ...signer.headers(id, Date.now(), body) },
        body: sent,
      })
      .then(
        ({ status }) => status,
        ({ kind }) => kind as string,
      )
  const stop = async () => {
    await outbound.close()
    await receiver[Symbol.asyncDispose]()
  }
  return { receiver, outbound, send, [Symbol.asyncDispose]: stop }
}

test('the receiver stores deliveries and verifies their signatures', async () => {
  await using set = await setUp()
  assert.equal(await set.send('msg_1'), 200)
  assert.equal(await set.send('msg_2', '/other', '{"a":1}', '{"a":2}'), 200)
  const seen = set.receiver.deliveries.map(({ id, path, body, verified }) => ({ id, path, body, verified }))
  assert.deepEqual(seen, [
    { id: 'msg_1', path: '/', body: '{"id":"msg_1"}', verified: true },
    { id: 'msg_2', path: '/other', body: '{"a":2}', verified: false },
  ])
})

test('the receiver fails as configured: for a path, for the next calls, and from another process', async () => {
  await using set = await setUp()
  const { receiver, send } = set
  receiver.behave({ do: 'answer', status: 410 }, '/gone')
  receiver.next({ do: 'drop' }, { do: 'answer', status: 429, headers: { 'retry-after': '1' } })
  assert.deepEqual(
    [await send('1'), await send('2'), await send('3'), await send('4', '/gone')],
    ['connect', 429, 200, 410],
  )
  const control = `${receiver.url}/_control`
  const put = { method: 'PUT', redirects: 'refuse', body: '{"do":"answer","status":503}' } as const
  await set.outbound.request(`${control}?path=/a`, put)
  assert.deepEqual([await send('5', '/a'), await send('6')], [503, 200])
  const { deliveries } = JSON.parse((await set.outbound.request(control, { redirects: 'refuse' })).text())
  assert.deepEqual(
    deliveries.map(({ id, status }: { id: string; status: number }) => [id, status]),
    [
      ['1', null],
      ['2', 429],
      ['3', 200],
      ['4', 410],
      ['5', 503],
      ['6', 200],
    ],
  )
})

test('random failures are the same for the same seed', async () => {
  const run = async (seed: number) => {
    await using set = await setUp({ do: 'fail_randomly', share: 0.5, seed })
    const answers: (string | number)[] = []
    for (let call = 0; call < 40; call++) answers.push(await set.send(`m${call}`))
    return answers
  }
  const first = await run(1)
  assert.deepEqual(await run(1), first)
  assert.notDeepEqual(await run(2), first)
  assert.deepEqual([...new Set(first)].sort(), [200, 500, 'connect'])
})
