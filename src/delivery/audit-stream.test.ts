import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'svix'
import { createGate } from '../../sandbox/waiters.ts'
import { type Client, refused } from '../../test/support/client.ts'
import { testReceiver } from '../../test/support/receiver.ts'
import { testService } from '../../test/support/service.ts'
import { oldEntries } from '../audit/store.ts'
import { streamAudit } from './audit-stream.ts'

const gate = createGate()
gate.open()
const receiver = await testReceiver({ gate })
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host, PUSH_RETRY_SECONDS: '60' } })
const { db } = service.deps

// biome-ignore lint/suspicious/noExplicitAny: responses are untyped in tests, see client.ts
type Entry = any
const log = (client: Client): Promise<Entry[]> => client.expect(200, 'GET', '/v1/audit?per_page=100')

const add = (client: Client, name: string) =>
  client.expect(201, 'POST', '/v1/webhook-destinations', { name, url: `${receiver.url}/${name}` })
const sendTo = (client: Client, destination_id: string | null) =>
  client.expect(200, 'PUT', '/v1/settings/audit', { destination_id })
const change = (client: Client) => client.expect(201, 'POST', '/v1/people/lists', { name: crypto.randomUUID() })

/** Runs the job when every stream is due, and returns what was received: the destination and its entries. */
async function send() {
  await sql`update audit_streams set next_at = now() - interval '1 second'`.execute(db)
  const before = receiver.deliveries.length
  await service.run(streamAudit, {})
  const received = receiver.deliveries.slice(before).filter(({ status }) => status === 200)
  return received.flatMap(({ path, body }) =>
    JSON.parse(body).data.entries.map(({ action }: Entry) => `${path.slice(1)} ${action}`),
  )
}

test('entries are sent to a destination, signed and in order, and again until they are received', async () => {
  const { client } = await service.stranger()
  const url = `${receiver.url}/audit?token=top-secret`
  const { id, secret } = await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'SIEM', url })
  refused(await client.put('/v1/settings/audit', { destination_id: crypto.randomUUID() }), 422, 'unknown_destination')
  await client.expect(200, 'PUT', '/v1/settings/audit', { destination_id: id })
  await client.expect(201, 'POST', '/v1/people/lists', { name: 'A' })
  receiver.next({ do: 'answer', status: 503 })
  await service.run(streamAudit, {})
  const waiting = await client.expect(200, 'GET', '/v1/settings/audit')
  assert.deepEqual([waiting.waiting > 0, waiting.problem], [true, 'The receiver answered 503.'])
  await sql`update audit_streams set next_at = now() - interval '1 second'`.execute(db)
  const before = receiver.deliveries.length
  await service.run(streamAudit, {})
  const [request] = receiver.deliveries.slice(before)
  assert.ok(request)
  new Webhook(secret).verify(request.body, request.headers)
  const payload = JSON.parse(request.body)
  assert.equal(payload.type, 'audit.recorded')
  assert.deepEqual(
    payload.data.entries.map(({ action }: Entry) => action),
    ['setAuditSettings', 'createPeopleList'],
  )
  assert.ok(!JSON.stringify(await log(client)).includes('top-secret'))
  const { waiting: left, problem, retention_days } = await client.expect(200, 'GET', '/v1/settings/audit')
  assert.deepEqual([left, problem, retention_days], [0, null, 400])
})

test('another destination continues where the last one ended, and a stream ends with the entry that turns it off', async () => {
  const { client, workspaceId } = await service.stranger()
  const [first, second] = [await add(client, 'first'), await add(client, 'second')]
  await sendTo(client, first.id)
  assert.deepEqual(await send(), ['first setAuditSettings'])
  await change(client)
  await sendTo(client, second.id)
  assert.deepEqual(await send(), ['second createPeopleList', 'second setAuditSettings'])
  await change(client)
  await sendTo(client, null)
  await change(client)
  const [, off] = await log(client)
  assert.deepEqual(off.changes, [{ field: 'destination_id', before: second.id, after: null }])
  receiver.next({ do: 'answer', status: 503 })
  await send()
  assert.deepEqual(await send(), ['second createPeopleList', 'second setAuditSettings'])
  const streams = () => sql`select from audit_streams where workspace_id = ${workspaceId}`.execute(db)
  assert.deepEqual([await send(), (await streams()).rows], [[], []])
  // The end of a stream is tried as often as a push.
  await sendTo(client, first.id)
  await sendTo(client, null)
  for (const _ of [1, 2]) {
    receiver.next({ do: 'answer', status: 503 })
    await send()
  }
  assert.deepEqual((await streams()).rows, [])
})

test('a stream that is turned off while it sends ends with the entry of that change', async () => {
  const { client, workspaceId } = await service.stranger()
  await sendTo(client, (await add(client, 'ending')).id)
  gate.close()
  const sent = send()
  await gate.untilHeld(1)
  await sendTo(client, null)
  await change(client)
  gate.open()
  assert.deepEqual(await sent, ['ending setAuditSettings', 'ending setAuditSettings'])
  assert.deepEqual((await sql`select from audit_streams where workspace_id = ${workspaceId}`.execute(db)).rows, [])
  await change(client)
  assert.deepEqual(await send(), [])
})

test('turning a stream off sends what waits at once, and tries again as often as a push', async () => {
  const { client, workspaceId } = await service.stranger()
  await sendTo(client, (await add(client, 'waiting')).id)
  await sql`update audit_streams set failures = 9, next_at = now() + interval '1 hour'
    where workspace_id = ${workspaceId}`.execute(db)
  await sendTo(client, null)
  receiver.next({ do: 'answer', status: 503 })
  await service.run(streamAudit, {})
  assert.deepEqual(await send(), ['waiting setAuditSettings', 'waiting setAuditSettings'])
})

test('the destination of the stream cannot be deleted before the stream is turned off', async () => {
  const { client, workspaceId } = await service.stranger()
  const { id } = await add(client, 'deleted')
  await sendTo(client, id)
  refused(await client.delete(`/v1/webhook-destinations/${id}`), 409, 'invalid_transition')
  await sendTo(client, null)
  await client.expect(200, 'DELETE', `/v1/webhook-destinations/${id}`)
  assert.deepEqual((await sql`select from audit_streams where workspace_id = ${workspaceId}`.execute(db)).rows, [])
  assert.deepEqual(await send(), [])
  await sendTo(client, (await add(client, 'last')).id)
  await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
})

test('a destination that cannot be used does not stop the streams of other workspaces', async () => {
  const [broken, intact] = [await service.stranger(), await service.stranger()]
  for (const { client } of [broken, intact]) await sendTo(client, (await add(client, 'each')).id)
  await sql`update webhook_destinations set secret_sealed = decode('00', 'hex')
    where workspace_id = ${broken.workspaceId}`.execute(db)
  await sql`update audit_streams set next_at = now() - interval '1 hour' where workspace_id = ${broken.workspaceId}`.execute(
    db,
  )
  await service.run(streamAudit, {})
  const problems = [broken, intact].map(async ({ client }) => {
    const { waiting, problem } = await client.expect(200, 'GET', '/v1/settings/audit')
    return [waiting, problem]
  })
  const problem = 'The entries could not be sent. The log of the service has the reason.'
  assert.deepEqual(await Promise.all(problems), [
    [1, problem],
    [0, null],
  ])
  await sql`delete from audit_streams`.execute(db)
})

test('retention keeps entries that were not received for 30 more days', async () => {
  const { client, workspaceId } = await service.stranger()
  await sendTo(client, (await add(client, 'late')).id)
  const age = (days: number) =>
    db.transaction().execute(async (db) => {
      await sql`set local session_replication_role = replica`.execute(db)
      await sql`update audit_entries set at = now() - make_interval(days => ${days})
        where workspace_id = ${workspaceId}`.execute(db)
    })
  const purge = async () => {
    await oldEntries(10)(db, new AbortController().signal)
    return (await log(client)).length
  }
  // The entry of the destination is older than the stream.
  await age(39)
  assert.equal(await purge(), 1)
  await age(41)
  assert.equal(await purge(), 0)
})
