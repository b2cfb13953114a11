import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'svix'
import { refused } from '../../../test/support/client.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { PUSH_JOBS, purgeDeliveries } from '../../delivery/job.ts'
import { createOutbound } from '../../outbound/client.ts'
import { insertDeliveries } from './delivery-store.ts'

const receiver = await testReceiver()
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const { db } = service.deps
const URL_OF_RECEIVER = `${receiver.url}/hook?token=top-secret`

async function fresh() {
  const { client, workspaceId } = await service.stranger()
  const destination = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Main',
    url: URL_OF_RECEIVER,
  })
  return { client, workspaceId, destination }
}

test('a destination is created with a signing secret, and its URL is never shown again', async () => {
  const { client, destination, workspaceId } = await fresh()
  assert.deepEqual(Object.keys(destination).sort(), ['created_at', 'id', 'name', 'secret', 'url_masked'])
  assert.match(destination.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(destination.url_masked, `${receiver.url}/…`)
  const listed = await client.get('/v1/webhook-destinations')
  assert.deepEqual(listed.data, [destination])
  assert.ok(!listed.text.includes('top-secret'))
  const stored = await db
    .selectFrom('webhook_destinations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const bytes = Buffer.concat([stored.url_sealed, stored.secret_sealed]).toString('latin1')
  assert.ok(!bytes.includes('top-secret') && !bytes.includes(destination.secret.slice(8)))
  assert.deepEqual((await client.expect(200, 'GET', '/v1/integrations')).webhook_destinations, { count: 1 })
})

test('a member pushes to a destination and sees what became of it, without its secret', async () => {
  const destination = await service.admin.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Shared',
    url: URL_OF_RECEIVER,
  })
  const { client } = await service.member()
  assert.deepEqual(await client.expect(200, 'GET', '/v1/webhook-destinations'), [{ ...destination, secret: null }])
  const account = await client.expect(201, 'POST', '/v1/accounts', { name: 'Pushed' })
  const push = { destination_id: destination.id, account_ids: [account.id] }
  receiver.next({ do: 'answer', body: 'called at /hook?token=top-secret' })
  assert.equal((await client.expect(200, 'POST', '/v1/accounts/webhook-push', push)).pushed, 1)
  const path = `/v1/webhook-destinations/${destination.id}`
  const [seen] = await client.expect(200, 'GET', `${path}/deliveries`)
  const [whole] = await service.admin.expect(200, 'GET', `${path}/deliveries`)
  assert.deepEqual([seen.record_id, seen.status, seen], [account.id, 200, { ...whole, answer: null }])
  assert.match(whole.answer, /top-secret/)
  const owner = { client: service.admin, workspaceId: service.workspaceId }
  const [ada] = await (await scene(service, { accounts: 1, active: true, owner })).save([{ full_name: 'Ada Pike' }])
  const person = ada?.id as string
  receiver.next({ do: 'answer', body: 'called at /hook?token=top-secret' })
  await client.expect(200, 'POST', '/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [person] })
  for (const [reader, shown] of [
    [client, null],
    [service.admin, 'called at /hook?token=top-secret'],
  ] as const) {
    const { deliveries } = await reader.expect(200, 'GET', `/v1/people/${person}/export`)
    assert.deepEqual(
      deliveries.map(({ answer }: { answer: string }) => answer),
      [shown],
    )
  }
  refused(await client.post(`${path}/rotate-secret`, {}), 403, 'forbidden')
  refused(await client.delete(path), 403, 'forbidden')
})

test('names are unique and have at most 80 characters, as a person counts them', async () => {
  const { client } = await fresh()
  refused(await client.post('/v1/webhook-destinations', { name: ' Main ', url: URL_OF_RECEIVER }), 409, 'name_taken')
  const family = '👨‍👩‍👧‍👦'
  await client.expect(201, 'POST', '/v1/webhook-destinations', { name: family.repeat(80), url: URL_OF_RECEIVER })
  const long = await client.post('/v1/webhook-destinations', {
    name: 'é'.normalize('NFD').repeat(81),
    url: URL_OF_RECEIVER,
  })
  refused(long, 400, 'invalid_request')
  assert.equal(long.error.details[0].path, 'name')
  refused(await client.post('/v1/webhook-destinations', { name: ' ', url: URL_OF_RECEIVER }), 400, 'invalid_request')
})

test('two destinations created at once under one name make one', async () => {
  const { client } = await service.stranger()
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => client.post('/v1/webhook-destinations', { name: 'One', url: URL_OF_RECEIVER })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

for (const url of [
  'http://example.com/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://169.254.169.254/',
  'https://10.0.0.1/',
  'https://a.internal/',
  'https://kubernetes.default.svc/',
  'https://db.default.svc.cluster.local/',
  'https://router.home.arpa/',
  'https://wiki.corpnet/',
  'https://2130706433/',
  'https://0x7f.1/',
  'ftp://example.com/',
  'nonsense',
  'https://user:pw@example.com/',
]) {
  test(`${url} is refused, and the reason reveals nothing about the network`, async () => {
    const { client } = await service.stranger()
    const answer = await client.post('/v1/webhook-destinations', { name: 'Bad', url })
    refused(answer, 422, 'url_not_allowed')
    assert.equal(answer.error.details[0].path, 'url')
    assert.ok(!/127|169|10\.0|::1|private|loopback/.test(answer.error.message))
    assert.deepEqual(await client.expect(200, 'GET', '/v1/webhook-destinations'), [])
  })
}

test('a public name that leads inside is refused at delivery, and the log contains the reason', async () => {
  await using inside = await listening()
  // As 127.0.0.1.nip.io or localtest.me answer; not known when the destination was created.
  const addresses = new Map([['127.0.0.1.nip.io', '127.0.0.1']])
  const lookup = async (name: string) => {
    const address = addresses.get(name)
    if (!address) throw new Error('ENOTFOUND')
    return [{ address, family: 4 }]
  }
  await using outbound = createOutbound({ allow: new Set(), log: service.deps.log, lookup })
  const { outbound: usual } = service.deps
  Object.assign(service.deps, { outbound })
  after(() => Object.assign(service.deps, { outbound: usual }))
  const { client } = await service.stranger()
  const add = (url: string) => client.post('/v1/webhook-destinations', { name: url, url })
  refused(await add(`https://127.0.0.1.nip.io:${inside.port}/`), 422, 'url_not_allowed')
  const { id } = (await add(`https://later.example.com:${inside.port}/hook`)).data
  addresses.set('later.example.com', '127.0.0.1')
  const why = 'The host name does not resolve to the public internet, so nothing was sent.'
  const answer = await client.expect(200, 'POST', `/v1/webhook-destinations/${id}/test`)
  assert.deepEqual([answer.delivered, answer.status, answer.message], [false, null, why])
  const [logged] = await client.expect(200, 'GET', `/v1/webhook-destinations/${id}/deliveries`)
  assert.deepEqual([logged.status, logged.message], [null, why])
  assert.equal(inside.connections(), 0)
  Object.assign(service.deps, { outbound: usual })
})

/** An internal server that no delivery may reach. */
async function listening() {
  let connections = 0
  const server = createServer(() => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a destination is deleted once', async () => {
  const { client, destination } = await fresh()
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/webhook-destinations/${destination.id}`), {
    id: destination.id,
    deleted: true,
  })
  refused(await client.delete(`/v1/webhook-destinations/${destination.id}`), 404, 'not_found')
  refused(await client.post(`/v1/webhook-destinations/${destination.id}/test`), 404, 'not_found')
})

test('the test sends one marked sample that an independent library verifies', async () => {
  const { client, destination } = await fresh()
  const before = receiver.deliveries.length
  const answer = await client.expect(200, 'POST', `/v1/webhook-destinations/${destination.id}/test`)
  assert.deepEqual([answer.delivered, answer.status, answer.message], [true, 200, null])
  const delivery = receiver.deliveries[before]
  assert.ok(delivery)
  new Webhook(destination.secret).verify(delivery.body, delivery.headers)
  const row = JSON.parse(delivery.body)
  assert.deepEqual([row.test, row.record_type, delivery.id], [true, 'account', answer.webhook_id])
  receiver.next({ do: 'answer', status: 500, body: 'x'.repeat(5000) })
  const failed = await client.expect(200, 'POST', `/v1/webhook-destinations/${destination.id}/test`)
  assert.deepEqual([failed.delivered, failed.status, failed.message], [false, 500, 'The receiver answered 500.'])
  const log = await client.get(`/v1/webhook-destinations/${destination.id}/deliveries`)
  assert.deepEqual(
    log.data.map(({ status }: { status: number }) => status),
    [500, 200],
  )
  assert.equal(log.data[0].answer.length, 1000)
  assert.equal(log.body.pagination.total, 2)
})

test('after a rotation both secrets verify until the overlap ends', async () => {
  const { client, destination, workspaceId } = await fresh()
  const rotated = await client.expect(200, 'POST', `/v1/webhook-destinations/${destination.id}/rotate-secret`, {
    overlap_hours: 1,
  })
  assert.notEqual(rotated.secret, destination.secret)
  const verifies = async (secret: string) => {
    const at = receiver.deliveries.length
    await client.expect(200, 'POST', `/v1/webhook-destinations/${destination.id}/test`)
    const { body, headers } = receiver.deliveries[at] as { body: string; headers: Record<string, string> }
    try {
      new Webhook(secret).verify(body, headers)
      return true
    } catch {
      return false
    }
  }
  assert.deepEqual([await verifies(rotated.secret), await verifies(destination.secret)], [true, true])
  await db
    .updateTable('webhook_destinations')
    .set({ former_secret_until: new Date(0) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.deepEqual([await verifies(rotated.secret), await verifies(destination.secret)], [true, false])
})

test('deliveries are forgotten after 30 days, and pushes 90 days after their end', async () => {
  const { client, destination, workspaceId } = await fresh()
  const path = `/v1/webhook-destinations/${destination.id}`
  await client.expect(200, 'POST', `${path}/test`)
  await client.expect(200, 'POST', `${path}/test`)
  const [newest] = (await client.get(`${path}/deliveries`)).data
  await db
    .updateTable('deliveries')
    .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', newest.id)
    .execute()
  const push = { destination_id: destination.id, account_ids: [crypto.randomUUID()] }
  for (const daysAgo of [89, 91]) {
    await client.expect(200, 'POST', '/v1/accounts/webhook-push', push)
    await db
      .updateTable('push_runs')
      .set({ finished_at: new Date(Date.now() - daysAgo * 86_400_000) })
      .where('workspace_id', '=', workspaceId)
      .where('finished_at', '>', new Date(Date.now() - 86_400_000).toISOString())
      .execute()
  }
  await service.run(purgeDeliveries, {})
  assert.equal((await client.get('/v1/push-runs')).body.pagination.total, 1)
  const rows = db.selectFrom('push_rows').select('run_id').where('workspace_id', '=', workspaceId)
  assert.equal((await rows.execute()).length, 1)
  assert.equal((await client.get(`${path}/deliveries`)).body.pagination.total, 1)
})

test('an attempt is shown with its request and whether the record has changed since', async () => {
  const { client, destination, workspaceId } = await fresh()
  const path = `/v1/webhook-destinations/${destination.id}`
  const world = await scene(service, { accounts: [{ name: 'Logged' }], active: true, owner: { client, workspaceId } })
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  const person = ada?.id as string
  const before = receiver.deliveries.length
  await client.expect(200, 'POST', `${path}/test`)
  const push = { destination_id: destination.id, account_ids: world.ids }
  await client.expect(200, 'POST', '/v1/accounts/webhook-push', push)
  receiver.next({ do: 'answer', status: 422, body: 'no such field' })
  const people = { destination_id: destination.id, contact_ids: [person] }
  await client.expect(200, 'POST', '/v1/people/webhook-push', people)

  const log = await client.expect(200, 'GET', `${path}/deliveries`)
  const failed = await client.get(`${path}/deliveries?failed=true`)
  assert.deepEqual([failed.data, failed.body.pagination.total], [[log[0]], 1])
  assert.deepEqual(
    log.map(({ record }: { record: object | null }) => record),
    [{ type: 'person', id: person, name: 'Ada Pike' }, { type: 'account', id: world.ids[0], name: 'Logged' }, null],
  )
  const read = (at: number) => client.expect(200, 'GET', `${path}/deliveries/${log[at].id}`)
  for (const [at, sent] of receiver.deliveries.slice(before).toReversed().entries()) {
    const { request, ...rest } = await read(at)
    assert.deepEqual(rest, log[at])
    assert.deepEqual(request, {
      method: 'POST',
      url: `${receiver.url}/…`,
      headers: ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        value: name === 'webhook-signature' ? 'v1,…' : sent.headers[name],
      })),
      body: sent.body,
      body_is: 'as_sent',
    })
  }
  await client.expect(200, 'PATCH', `/v1/accounts/${world.ids[0]}`, { name: 'Renamed' })
  const { request } = await read(1)
  assert.deepEqual([request.body_is, JSON.parse(request.body).name], ['changed_since', 'Renamed'])
  await db.updateTable('deliveries').set({ body_digest: null }).where('id', '=', log[1].id).execute()
  assert.equal((await read(1)).request.body_is, 'unknown')

  await client.expect(200, 'DELETE', `/v1/people/${person}`)
  const erased = await read(0)
  assert.deepEqual([erased.record, erased.answer, erased.message], [null, null, null])
  assert.deepEqual([erased.request.body, erased.request.body_is], [null, 'gone'])
  const { rows } = await sql`select from deliveries where id = ${log[0].id} and body_digest is not null`.execute(db)
  assert.equal(rows.length, 0, 'a digest of what is erased goes with it')
  refused(await client.get(`${path}/deliveries/${crypto.randomUUID()}`), 404, 'not_found')
})

test('a delivery is sent again as the record is now; all that failed go again as runs, each once', async () => {
  const { client, destination, workspaceId } = await fresh()
  const path = `/v1/webhook-destinations/${destination.id}`
  const accounts = [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]
  const world = await scene(service, { accounts, active: true, owner: { client, workspaceId } })
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  receiver.next(...[422, 422, 422].map((status) => ({ do: 'answer', status }) as const))
  const push = { destination_id: destination.id, account_ids: world.ids }
  assert.equal((await client.expect(200, 'POST', '/v1/accounts/webhook-push', push)).failed, 3)
  receiver.next({ do: 'answer', status: 422 })
  const people = { destination_id: destination.id, contact_ids: [ada?.id] }
  await client.expect(200, 'POST', '/v1/people/webhook-push', people)

  const failed = await client.expect(200, 'GET', `${path}/deliveries?failed=true`)
  const one = failed.find(({ record }: { record: { name: string } }) => record.name === 'One')
  await client.expect(200, 'PATCH', `/v1/accounts/${one.record_id}`, { name: 'One again' })
  const run = await client.expect(200, 'POST', `${path}/deliveries/${one.id}/replay`)
  assert.deepEqual([run.status, run.total, run.sent, run.destination.name], ['completed', 1, 1, 'Main'])
  assert.equal(JSON.parse(receiver.deliveries.at(-1)?.body ?? '').name, 'One again')
  receiver.next({ do: 'answer', status: 422 })
  const refusedAgain = await client.expect(200, 'POST', `${path}/deliveries/${one.id}/replay`)
  assert.deepEqual([refusedAgain.sent, refusedAgain.failed, refusedAgain.error_sample[0].name], [0, 1, 'One again'])
  await client.expect(200, 'POST', `${path}/deliveries/${one.id}/replay`)

  // One has been delivered since; the others are sent once, also with concurrent calls.
  const responses = await Promise.all([client.post(`${path}/replay-failed`), client.post(`${path}/replay-failed`)])
  const runs = responses.flatMap(({ status, data }) => (status === 202 ? data : []))
  assert.deepEqual(
    runs.map(({ record_type, total, status }) => [record_type, total, status]),
    [
      ['accounts', 2, 'running'],
      ['people', 1, 'running'],
    ],
  )
  for (const { id: run_id } of runs) await service.run(PUSH_JOBS.webhook, { workspace_id: workspaceId, run_id })
  for (const { id } of runs) assert.equal((await client.expect(200, 'GET', `/v1/push-runs/${id}`)).failed, 0)
  assert.deepEqual(await client.expect(202, 'POST', `${path}/replay-failed`), [])

  const test = await client.expect(200, 'POST', `${path}/test`)
  const [sample] = await client.expect(200, 'GET', `${path}/deliveries?per_page=1`)
  assert.equal(sample.webhook_id, test.webhook_id)
  refused(await client.post(`${path}/deliveries/${sample.id}/replay`), 409, 'invalid_transition')

  // An attempt under way while the destination is deleted is logged after it.
  await client.expect(200, 'DELETE', path)
  const rest = { status: 422, message: null, answer: null, sent_at: Date.now(), body_digest: '00' }
  const to = { destination_id: destination.id, run_id: one.run_id }
  await insertDeliveries(db, workspaceId, to, [{ ...one, ...rest }])
  const { id: last } = await db
    .selectFrom('deliveries')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  refused(await client.post(`${path}/deliveries/${last}/replay`), 404, 'not_found')
})

test('a destination of another workspace is not there', async () => {
  const { destination } = await fresh()
  const { client } = await service.stranger()
  refused(await client.delete(`/v1/webhook-destinations/${destination.id}`), 404, 'not_found')
  refused(await client.post(`/v1/webhook-destinations/${destination.id}/rotate-secret`, {}), 404, 'not_found')
  refused(await client.get(`/v1/webhook-destinations/${destination.id}/deliveries`), 404, 'not_found')
  refused(await client.post(`/v1/webhook-destinations/${destination.id}/replay-failed`), 404, 'not_found')
  refused(
    await client.post('/v1/accounts/webhook-push', { destination_id: destination.id, account_ids: [] }),
    422,
    'unknown_destination',
  )
})

test('rows of a run that no range holds are found at its end', async () => {
  const { client, destination, workspaceId } = await fresh()
  const { ids: account_ids } = await scene(service, { accounts: 101, owner: { client, workspaceId } })
  const push = { destination_id: destination.id, account_ids }
  const { run_id } = await client.expect(202, 'POST', '/v1/accounts/webhook-push', push)
  await db.deleteFrom('push_ranges').where('run_id', '=', run_id).execute()
  for (const _ of ['finds them', 'sends them'])
    await service.run(PUSH_JOBS.webhook, { workspace_id: workspaceId, run_id })
  const run = await client.expect(200, 'GET', `/v1/push-runs/${run_id}`)
  assert.deepEqual([run.status, run.sent], ['completed', 101])
})
