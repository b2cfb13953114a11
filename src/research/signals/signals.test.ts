import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../../engine/signals/index.ts'
import { install } from '../../setup/install.ts'

const service = await testService()

test('every workspace has the built-in signals, switched on', async () => {
  const { client } = await service.stranger()
  const signals = await client.expect(200, 'GET', '/v1/signals')
  assert.deepEqual(
    signals.map(({ id, name, description }: Record<string, string>) => ({ id, name, description })),
    BUILTIN_SIGNALS.map(({ id, name, description }) => ({ id, name, description })).sort((a, b) =>
      a.id < b.id ? -1 : 1,
    ),
  )
  assert.ok(signals.every((signal: { enabled: boolean; is_builtin: boolean }) => signal.enabled && signal.is_builtin))
})

test('a new built-in signal of a release exists after the next start; a custom one of the same name stays', async () => {
  const { client, workspaceId } = await service.stranger()
  const { db, secrets, config } = service.deps
  await db.deleteFrom('signals').where('workspace_id', '=', workspaceId).where('id', 'in', ['ipo', 'hiring']).execute()
  const own = await client.expect(201, 'POST', '/v1/signals', { name: 'Hiring', description: 'Hires nurses.' })
  assert.equal(await install(db, secrets, config), null)
  assert.equal((await client.expect(200, 'GET', '/v1/signals/ipo')).is_builtin, true)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/signals/hiring'), own)
})

test('a built-in signal has its own colour, a custom one is grey', async () => {
  const { client } = await service.stranger()
  const own = await client.expect(201, 'POST', '/v1/signals', { name: 'Robots', description: 'Orders robots' })
  const signals: { id: string; color: string }[] = await client.expect(200, 'GET', '/v1/signals')
  for (const { id, color } of signals) assert.equal(color, findBuiltinSignal(id)?.color ?? 'gray', id)
  assert.equal(own.color, 'gray')
})

test('a built-in signal can be switched off and on, but neither changed nor deleted', async () => {
  assert.equal((await service.admin.expect(200, 'PATCH', '/v1/signals/funding', { enabled: false })).enabled, false)
  assert.equal((await service.admin.expect(200, 'GET', '/v1/signals/funding')).enabled, false)
  assert.equal((await service.admin.expect(200, 'PATCH', '/v1/signals/funding', { enabled: true })).enabled, true)
  refused(await service.admin.patch('/v1/signals/funding', { name: 'Money' }), 409, 'builtin_signal')
  refused(await service.admin.delete('/v1/signals/funding'), 409, 'builtin_signal')
})

test('a custom signal gets a readable id, and can be changed and deleted', async () => {
  const created = await service.admin.expect(201, 'POST', '/v1/signals', {
    name: 'Wärehouse Automation!',
    description: 'Orders robots.',
  })
  assert.deepEqual([created.id, created.enabled, created.is_builtin], ['warehouse_automation', true, false])
  const changed = await service.admin.expect(200, 'PATCH', `/v1/signals/${created.id}`, {
    name: 'Robots',
    enabled: false,
  })
  assert.deepEqual([changed.name, changed.description, changed.enabled], ['Robots', 'Orders robots.', false])
  assert.deepEqual(await service.admin.expect(200, 'DELETE', `/v1/signals/${created.id}`), {
    id: created.id,
    deleted: true,
  })
  refused(await service.admin.get(`/v1/signals/${created.id}`), 404, 'not_found')
})

test('a meaningless description is rejected', async () => {
  const { client } = await service.stranger()
  const { id } = await client.expect(201, 'POST', '/v1/signals', { name: 'Robots', description: 'Orders robots' })
  for (const answer of [
    await client.post('/v1/signals', { name: 'Nothing', description: '?!' }),
    await client.patch(`/v1/signals/${id}`, { description: 'any company' }),
    await client.post('/v1/signals/preview', { description: '...', text: 'Acme ordered robots.' }),
  ]) {
    refused(answer, 422, 'unclear_description')
    assert.equal(answer.error.details[0].path, 'description')
  }
})

test('names are unique, and ids are made unique', async () => {
  const first = await service.admin.expect(201, 'POST', '/v1/signals', { name: 'R&D', description: 'Orders robots' })
  refused(await service.admin.post('/v1/signals', { name: 'r&d', description: 'Orders robots' }), 409, 'name_taken')
  const second = await service.admin.expect(201, 'POST', '/v1/signals', { name: 'R D', description: 'Orders robots' })
  assert.deepEqual([first.id, second.id], ['r_d', 'r_d_2'])
  refused(await service.admin.patch(`/v1/signals/${second.id}`, { name: 'R&D' }), 409, 'name_taken')
})

test('two signals created concurrently with one name are one', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      service.admin.post('/v1/signals', { name: 'At once', description: 'Orders robots' }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

test('a signal has the number of detections in the last 30 days, and a new description deletes its detections', async () => {
  const { client, workspaceId, ids } = await scene(service, { accounts: 2 })
  const { id } = await client.expect(201, 'POST', '/v1/signals', { name: 'Robots', description: 'Orders robots' })
  const counted = async () =>
    Object.fromEntries(
      (await client.expect(200, 'GET', '/v1/signals')).map((one: { id: string; findings_30d: number }) => [
        one.id,
        one.findings_30d,
      ]),
    )
  assert.ok(Object.values(await counted()).every((count) => count === 0))
  const { db } = service.deps
  const EVIDENCE = JSON.stringify([{ claim: 'It did.', source_url: 'https://acme.example/', published_date: null }])
  for (const [account_id, signal_id, age] of [
    [ids[0], id, 1],
    [ids[1], id, 29],
    [ids[1], id, 31],
    [ids[0], 'funding', 3],
  ] as const) {
    await sql`insert into signal_detections (workspace_id, id, account_id, signal_id, signal_present, alpha, icp_fit, detected_at,
        headline, narrative, why_reach_out_md, drafted_message_md, evidence, key_facts, personas, sources, confidence)
      values (${workspaceId}, ${crypto.randomUUID()}, ${account_id}, ${signal_id}, true, 1, 1, current_date - ${age}::int,
        '', '', '', '', ${EVIDENCE}, '{}', '{}', '{}', 1)`.execute(db)
  }
  const { client: stranger } = await service.stranger()
  assert.equal((await stranger.expect(200, 'GET', '/v1/signals/funding')).findings_30d, 0)
  const counts = await counted()
  assert.deepEqual([counts[id], counts.funding, counts.layoffs], [2, 1, 0])
  assert.equal((await client.expect(200, 'GET', `/v1/signals/${id}`)).findings_30d, 2)
  const [one] = await client.expect(200, 'GET', `/v1/accounts/${ids[0]}/signals`)
  await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/signals/${one.id}/feedback`, { verdict: 'wrong' })
  assert.equal((await counted())[one.signal_id], counts[one.signal_id] - 1, 'what was wrong was not found')
  const changed = await client.expect(200, 'PATCH', `/v1/signals/${id}`, { description: 'Orders forklifts' })
  assert.equal(changed.findings_30d, 0, 'what was found under another description proves nothing')
})

test('a signal of another workspace is not found', async () => {
  await service.admin.expect(201, 'POST', '/v1/signals', { name: 'Ours', description: 'Orders robots' })
  const { client } = await service.stranger()
  refused(await client.patch('/v1/signals/ours', { enabled: false }), 404, 'not_found')
  refused(await client.delete('/v1/signals/ours'), 404, 'not_found')
  refused(await client.get('/v1/signals/..%2Fmembers'), 404, 'not_found')
})

test('a run that starts while its signal or its account is being deleted is rejected with the reason', async () => {
  const { client, workspaceId, ids } = await scene(service, { accounts: 1 })
  const { db } = service.deps
  const { id } = await client.expect(201, 'POST', '/v1/signals', { name: 'Robots', description: 'Orders robots' })
  /** Calls while a row is being deleted; the deletion ends only after the call waits for it. */
  const during = <T>(table: 'signals' | 'accounts', row: string, call: () => Promise<T>) =>
    db
      .transaction()
      .execute(async (trx) => {
        await trx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('id', '=', row).execute()
        const answer = call()
        await eventually('it waits', async () => {
          const { rows } =
            await sql`select from pg_locks join pg_database on pg_database.oid = database or database is null
            where not granted and datname = current_database()`.execute(db)
          return rows.length > 0
        })
        return { answer }
      })
      .then(({ answer }) => answer)
  const start = () => client.post('/v1/runs', { signals: { any_of: [id] } })
  const scan = () => client.post(`/v1/accounts/${ids[0]}/scan`)
  refused(await during('signals', id, start), 422, 'unknown_signal')
  refused(await during('accounts', ids[0] as string, scan), 404, 'not_found')
  const [other] = (await scene(service, { accounts: 1, owner: { client, workspaceId } })).ids
  const started = await during('signals', 'layoffs', () => client.post(`/v1/accounts/${other}/scan`))
  assert.equal(started.data.status, 'running', started.text)
})
