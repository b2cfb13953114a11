import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

test('detections are listed by the latest event first, then absent signals', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  const proof = { claim: 'A raised money.', quote: 'A raised money.', details: null, judged_by: 'f3a91c2b7d04' }
  const evidence = [{ ...proof, source_url: 'https://a.com/news', published_date: '2026-11-09' }]
  // In the order of their discovery.
  const rows = [
    ['expansion', '2026-11-12', true],
    ['ipo', '2026-11-14', false],
    ['funding', '2026-10-02', true],
    ['hiring', '2026-11-03', true],
    ['layoffs', '2026-11-15', false],
    ['partnership', '2026-11-03', true],
  ] as const
  await db
    .insertInto('signal_detections')
    .values(
      rows.map(([signal_id, detected_at, signal_present], at) => ({
        workspace_id: workspaceId,
        account_id: id,
        id: crypto.randomUUID(),
        signal_id,
        detected_at,
        signal_present,
        alpha: signal_present ? 80 : 0,
        icp_fit: 50,
        ...(signal_present ? { headline: 'Money', evidence: JSON.stringify(evidence) } : {}),
        created_at: `2026-11-15T10:00:0${at}Z`,
      })),
    )
    .execute()
  const list = (query = '') => client.expect(200, 'GET', `/v1/accounts/${id}/signals${query}`)
  const names = async (query?: string) =>
    (await list(query)).map(({ signal_id }: { signal_id: string }) => signal_id) as string[]
  const found = ['expansion', 'partnership', 'hiring', 'funding']
  assert.deepEqual(await names(), [...found, 'layoffs', 'ipo'])
  assert.deepEqual(await names('?present=true'), found)
  assert.deepEqual(await names('?present=false'), ['layoffs', 'ipo'])
  refused(await client.get(`/v1/accounts/${id}/signals?present=perhaps`), 400, 'invalid_request')
  const [first] = await list()
  assert.deepEqual([first.evidence, first.detected_at], [evidence, '2026-11-12'])
})

test('the database rejects a present signal without evidence', async () => {
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
      run_id: crypto.randomUUID(),
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
