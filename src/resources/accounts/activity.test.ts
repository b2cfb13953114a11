import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

test('detections are listed newest first, with their evidence', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  const base = { workspace_id: workspaceId, account_id: id, alpha: 80, icp_fit: 50, detected_at: '2026-11-10' }
  const proof = { claim: 'A raised money.', quote: 'A raised money.', details: null, judged_by: 'linear' }
  const evidence = [{ ...proof, source_url: 'https://a.com/news', published_date: '2026-11-09' }]
  await db
    .insertInto('signal_detections')
    .values([
      {
        ...base,
        id: crypto.randomUUID(),
        signal_id: 'funding',
        signal_present: true,
        headline: 'Money',
        evidence: JSON.stringify(evidence),
        created_at: '2026-11-10T10:00:00Z',
      },
      {
        ...base,
        id: crypto.randomUUID(),
        signal_id: 'ipo',
        signal_present: false,
        alpha: 0,
        created_at: '2026-11-11T10:00:00Z',
      },
    ])
    .execute()
  const detections = await client.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  assert.deepEqual(
    detections.map(({ signal_id }: { signal_id: string }) => signal_id),
    ['ipo', 'funding'],
  )
  assert.deepEqual(detections[1].evidence, evidence)
  assert.equal(detections[1].detected_at, '2026-11-10')
})

test('the database refuses a present signal without evidence', async () => {
  const { add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  const lie = db.insertInto('signal_detections').values({
    workspace_id: workspaceId,
    id: crypto.randomUUID(),
    account_id: id,
    signal_id: 'ipo',
    signal_present: true,
    alpha: 90,
    icp_fit: 9,
    detected_at: '2026-11-10',
  })
  await assert.rejects(lie.execute(), /check constraint/)
})

test('monitor events are paged by 25, newest first', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  const events = Array.from({ length: 30 }, (_, n) => ({
    ...{
      workspace_id: workspaceId,
      account_id: id,
      id: crypto.randomUUID(),
      url: `https://a.com/${n}`,
      status: 'changed' as const,
    },
    ...{
      search_status: 'searched' as const,
      meaningful: true,
      confidence: 0.5,
      reason: 'text changed',
      created_at: new Date(Date.UTC(2026, 0, n + 1)),
    },
  }))
  await db.insertInto('monitor_events').values(events).execute()
  const first = await client.get(`/v1/accounts/${id}/monitor-events`)
  assert.deepEqual(first.body.pagination, { total: 30, page: 1, per_page: 25, has_more: true })
  assert.equal(first.data[0].url, 'https://a.com/29')
  const second = await client.get(`/v1/accounts/${id}/monitor-events?page=2`)
  assert.deepEqual([second.data.length, second.body.pagination.has_more], [5, false])
  assert.equal((await client.get(`/v1/accounts/${id}/monitor-events?per_page=500`)).body.pagination.per_page, 100)
})

test('the score is explained by its components', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  assert.deepEqual(await client.expect(200, 'GET', `/v1/accounts/${id}/score`), {
    account_id: id,
    score: 0,
    scored_at: null,
    components: [],
  })
  const components = [{ name: 'funding', points: 40, because: 'raised last week' }]
  await db
    .updateTable('accounts')
    .set({ score: 40, score_components: JSON.stringify(components), scored_at: new Date() })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const explained = await client.expect(200, 'GET', `/v1/accounts/${id}/score`)
  assert.deepEqual([explained.score, explained.components], [40, components])
})
