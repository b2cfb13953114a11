import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from '../../../test/support/client.ts'
import { crmRecords } from '../../../test/support/crm-records.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { applyKnowledge } from './apply.ts'

const service = await testService()

const titles = async (client = service.admin) =>
  (await client.get('/v1/knowledge-base')).data.map(
    ({ title, position }: { title: string; position: number }) => `${title}@${position}`,
  )

async function fresh() {
  const { client } = await service.stranger()
  return client
}

test('a section is created with the type custom at the end of the list', async () => {
  const client = await fresh()
  const first = await client.post('/v1/knowledge-base', { title: 'A', content_md: 'a' })
  assert.equal(first.status, 201)
  const { id, created_at, ...rest } = first.data
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(created_at) > Date.now() - 60_000)
  assert.deepEqual(rest, {
    type: 'custom',
    title: 'A',
    content_md: 'a',
    source_url: null,
    is_ai_generated: false,
    drawn_from: [],
    position: 0,
  })
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'B', content_md: '', type: 'pricing' })
  assert.deepEqual(await titles(client), ['A@0', 'B@1'])
})

test('a section is inserted at its position; positions start at 0 and have no gaps', async () => {
  const client = await fresh()
  const add = (title: string, position?: number) =>
    client.expect(201, 'POST', '/v1/knowledge-base', { title, position, content_md: '' })
  for (const title of ['A', 'B', 'C']) await add(title)
  assert.equal((await add('in between', 1)).position, 1)
  assert.equal((await add('far behind the end', 70)).position, 4)
  assert.deepEqual(await titles(client), ['A@0', 'in between@1', 'B@2', 'C@3', 'far behind the end@4'])
  const [, { id }] = await client.expect(200, 'GET', '/v1/knowledge-base')
  await client.expect(200, 'DELETE', `/v1/knowledge-base/${id}`)
  assert.deepEqual(await titles(client), ['A@0', 'B@1', 'C@2', 'far behind the end@3'])
})

test('a section can be moved to another position', async () => {
  const client = await fresh()
  const ids = new Map<string, string>()
  for (const title of ['A', 'B', 'C', 'D']) {
    ids.set(title, (await client.expect(201, 'POST', '/v1/knowledge-base', { title, content_md: '' })).id)
  }
  const moves: [string, number, number, string][] = [
    ['A', 1, 1, 'B A C D'],
    ['D', 0, 0, 'D B A C'],
    ['B', 1, 1, 'D B A C'],
    ['D', 99, 3, 'B A C D'],
    ['C', 1, 1, 'B C A D'],
  ]
  for (const [title, position, at, order] of moves) {
    const moved = await client.expect(200, 'PATCH', `/v1/knowledge-base/${ids.get(title)}`, { position })
    assert.deepEqual([moved.title, moved.position], [title, at])
    assert.deepEqual(
      await titles(client),
      order.split(' ').map((name, at) => `${name}@${at}`),
    )
  }
})

test('an update changes only the given fields of a section', async () => {
  const client = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'A', content_md: 'a', type: 'icp' })
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'B', content_md: 'b' })
  assert.equal((await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'new' })).content_md, 'new')
  const moved = await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { position: 1 })
  assert.deepEqual([moved.title, moved.content_md, moved.type, moved.position], ['A', 'new', 'icp', 1])
  assert.deepEqual(await titles(client), ['B@0', 'A@1'])
  assert.equal((await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, {})).title, 'A')
})

test('a section is deleted once', async () => {
  const client = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'A', content_md: 'a' })
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/knowledge-base/${id}`), { id, deleted: true })
  refused(await client.delete(`/v1/knowledge-base/${id}`), 404, 'not_found')
  assert.deepEqual(await titles(client), [])
})

test('positions have no gaps after concurrent inserts, moves and deletes; the database enforces it', async () => {
  const { client, workspaceId } = await service.stranger()
  const add = (title: string, position?: number) =>
    client.expect(201, 'POST', '/v1/knowledge-base', { title, position, content_md: '' })
  const sections = await Promise.all(Array.from({ length: 20 }, (_, n) => add(`S${n}`)))
  await Promise.all(
    sections.map(({ id }, n) => {
      if (n % 4 === 0) return client.expect(200, 'DELETE', `/v1/knowledge-base/${id}`)
      if (n % 4 === 1) return add(`T${n}`, n)
      return client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { position: (n * 7) % 20 })
    }),
  )
  const positions = (await client.get('/v1/knowledge-base')).data.map(({ position }: { position: number }) => position)
  assert.deepEqual(
    positions,
    Array.from({ length: 20 }, (_, n) => n),
  )
  const twice = service.deps.db.updateTable('knowledge_sections').set({ position: 3 })
  await assert.rejects(twice.where('workspace_id', '=', workspaceId).execute(), /knowledge_sections_position/)
})

test('accounts are assessed once for several edits, after the last of them', async () => {
  const { client, workspaceId, ids } = await scene(service, { accounts: 1 })
  await service.deps.db
    .updateTable('accounts')
    .set({ status: 'active' })
    .where('id', '=', ids[0] as string)
    .execute()
  const scoredAt = async () => (await client.expect(200, 'GET', `/v1/accounts/${ids[0]}/score`)).scored_at
  const apply = (revision: number) => service.run(applyKnowledge, { workspace_id: workspaceId, revision })
  const { id } = await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'A', content_md: 'a' })
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'b' })
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'c' })
  const waiting = async () => {
    const { rows } = await sql`select from pgboss.job where name = ${applyKnowledge.name} and start_after > now()
      and data ->> 'workspace_id' = ${workspaceId}`.execute(service.deps.db)
    return rows.length
  }
  assert.equal(await waiting(), 3, 'a job for each, in the transaction of the edit')
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'c', position: 0, title: 'A' })
  assert.equal(await waiting(), 3, 'what is the case already is no edit')
  await apply(1)
  await apply(2)
  assert.equal(await scoredAt(), null, 'there is a later edit')
  await apply(3)
  const first = await scoredAt()
  assert.ok(first)
  await apply(3)
  assert.equal(await scoredAt(), first)
  // Continuous edits are not delayed forever.
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'd' })
  await client.expect(200, 'DELETE', `/v1/knowledge-base/${id}`)
  await apply(4)
  assert.equal(await scoredAt(), first)
  await sql`update knowledge_revisions set edited_at = now() - interval '1 minute'
    where workspace_id = ${workspaceId}`.execute(service.deps.db)
  await apply(4)
  assert.notEqual(await scoredAt(), first)
})

test('invalid input is rejected with every field, and writes nothing', async () => {
  const client = await fresh()
  const answer = await client.post('/v1/knowledge-base', { title: '', position: -1 })
  refused(answer, 400, 'invalid_request')
  assert.deepEqual(answer.error.details.map(({ path }: { path: string }) => path).sort(), [
    'content_md',
    'position',
    'title',
  ])
  refused(await client.post('/v1/knowledge-base', { title: 5, content_md: 'a' }), 400, 'invalid_request')
  refused(
    await client.post('/v1/knowledge-base', { title: 'A', content_md: 'a', position: 1.5 }),
    400,
    'invalid_request',
  )
  assert.deepEqual(await titles(client), [])
})

test('a section of another workspace is not found', async () => {
  const { id } = await service.admin.expect(201, 'POST', '/v1/knowledge-base', { title: 'mine', content_md: '' })
  const client = await fresh()
  refused(await client.patch(`/v1/knowledge-base/${id}`, { title: 'theirs' }), 404, 'not_found')
  refused(await client.delete(`/v1/knowledge-base/${id}`), 404, 'not_found')
  refused(await client.delete('/v1/knowledge-base/not-an-id'), 404, 'not_found')
  assert.deepEqual(await titles(), ['mine@0'])
})

test('the ideal customer is drafted from the customers with the highest won amount, and from five on', async () => {
  const { client, workspaceId, ids } = await scene(service, { accounts: 7 })
  const { db } = service.deps
  const draft = () => client.expect(200, 'GET', '/v1/knowledge-base/icp-draft')
  const crm = await crmRecords(db, workspaceId)
  const facts = { industry: 'Logistics', country: 'Germany', employees: 420, technologies: ['Zendesk'] }
  await db.updateTable('accounts').set(facts).where('workspace_id', '=', workspaceId).execute()
  for (const id of ids.slice(0, 4)) await crm.relate(id, 'customer', '2025-03-14')
  const few = await draft()
  assert.deepEqual([few.customers, few.content_md], [4, null])
  assert.equal(few.note, '4 accounts are customers by your CRM. A draft needs at least 5.')
  await crm.relate(ids[4] as string, 'customer')
  await crm.relate(ids[5] as string, 'open_deal')
  const enough = await draft()
  assert.equal(enough.note, 'Drafted from your 5 customers.')
  assert.deepEqual(enough.industries, [{ name: 'Logistics', count: 5 }])
  assert.equal(
    enough.content_md,
    '- Company size: 400 to 500 employees\n- Industries: Logistics\n- Countries: Germany\n- Tech stack: Zendesk',
  )
  assert.deepEqual(await titles(client), [], 'nothing is stored')
})
