import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../../test/support/service.ts'
import { findRobotsFiles, saveRobotsFiles } from '../robots-store.ts'
import { purgeMonitorEvents } from './purge.job.ts'

type Event = { reason: string }

const { admin, deps, workspaceId, run } = await testService()
const { db } = deps

test('looks that found nothing new are forgotten in time, the others are kept', async () => {
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Old' })
  const base = {
    workspace_id: workspaceId,
    account_id: id,
    url: 'https://old.example/',
    search_status: 'skipped',
  } as const
  const event = (status: 'unchanged' | 'changed', days: number) => ({
    ...base,
    id: crypto.randomUUID(),
    status,
    meaningful: false,
    confidence: 1,
    reason: `${status} ${days}`,
    created_at: new Date(Date.now() - days * 86_400_000),
  })
  await db
    .insertInto('monitor_events')
    .values([event('unchanged', 91), event('unchanged', 89), event('changed', 400)])
    .execute()
  await run(purgeMonitorEvents, {})
  const left = (await admin.expect(200, 'GET', `/v1/accounts/${id}/monitor-events?all=true`)) as Event[]
  assert.deepEqual(
    left.map(({ reason }) => reason),
    ['unchanged 89', 'changed 400'],
  )
})

test('what robots.txt files say is forgotten when nobody has asked for long', async () => {
  const old = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const row = (origin: string, days: number) => ({
    origin,
    file: null,
    etag: null,
    last_modified: null,
    fresh_until: old(days),
  })
  await saveRobotsFiles(db, [row('https://old.example', 40), row('https://new.example', 20)])
  await run(purgeMonitorEvents, {})
  const left = await findRobotsFiles(db, ['https://old.example', 'https://new.example'])
  assert.deepEqual(
    left.map(({ origin, file }) => [origin, file]),
    [['https://new.example', null]],
  )
})
