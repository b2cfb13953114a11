import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { purgeOlderThan } from '../src/db/purge.ts'
import { purgeAlerts, purgeDeliveries } from '../src/delivery/job.ts'
import { purgeIdempotencyKeys } from '../src/http/idempotency.ts'
import { purgeImports } from '../src/imports/import-uploads.job.ts'
import { definePurge } from '../src/jobs/purge.ts'
import { purgeOldSearches } from '../src/people/search/purge.job.ts'
import { purgeMonitorEvents } from '../src/research/monitor/sweep.ts'
import { purgeOldDocuments } from '../src/research/streams/purge.job.ts'
import { listDueScans } from '../src/resources/accounts/due-store.ts'
import { testService } from './support/service.ts'

const service = await testService()
const { admin, deps, workspaceId } = service
const { db } = deps
const never = new AbortController().signal

/** A workspace with an account, and rows of every kind with a retention time: one per age, in days. */
async function furnish(owner: string, account: string, age: number) {
  const at = sql`now() - make_interval(secs => ${age * 86_400})`
  const id = sql`gen_random_uuid()`
  const [mine, its] = [sql`${owner}::uuid`, sql`${account}::uuid`]
  await sql`insert into monitor_events (workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, run_id, created_at, last_seen_at)
    select ${mine}, ${id}, ${its}, 'https://old.example/', status, 'skipped', false, 1, status, ${id}, ${at}, ${at}
    from unnest(array['unchanged', 'failed', 'new', 'changed']) as status`.execute(db)
  await sql`insert into documents (workspace_id, id, account_id, url, kind, source, text, hash, read_at)
    values (${mine}, ${id}, ${its}, gen_random_uuid()::text, 'page', 'website', 'Words.', '', ${at})`.execute(db)
  await sql`insert into judgements (workspace_id, key, logits, judged_at) values (${mine}, gen_random_uuid()::text, '', ${at})`.execute(
    db,
  )
  await sql`insert into model_readings (workspace_id, key, events, unproven, read_at)
    values (${mine}, gen_random_uuid()::text, '[]', 0, ${at})`.execute(db)
  await sql`with run as (
      insert into runs (workspace_id, id, name, mode, status, finished_at) values (${mine}, ${id}, 'Scan', 'monitor', 'done', ${at}) returning id)
    insert into run_tasks (workspace_id, run_id, signal_id, state) select ${mine}, id, 'funding', 'absent' from run`.execute(
    db,
  )
  await sql`insert into imports (workspace_id, id, kind, status, format, finished_at)
    values (${mine}, ${id}, 'accounts', 'done', 'csv', ${at})`.execute(db)
  await sql`insert into credits_taken (workspace_id, taken_at) values (${mine}, ${at})`.execute(db)
  await sql`insert into deliveries (workspace_id, id, destination_id, webhook_id, attempt, latency_ms, created_at)
    values (${mine}, ${id}, ${id}, 'msg', 1, 1, ${at})`.execute(db)
  await sql`with run as (
      insert into push_runs (workspace_id, id, channel, record_type, status, total, finished_at)
      values (${mine}, ${id}, 'webhook', 'accounts', 'completed', 2, ${at}) returning id)
    insert into push_rows (workspace_id, run_id, record_id, position, state)
    select ${mine}, id, ${id}, n, 'sent' from run, generate_series(1, 2) as n`.execute(db)
  await sql`with told as (
      insert into alerts (workspace_id, id, type, account_id, is_open, created_at)
      select ${mine}, ${id}, 'signal.detected', ${its}, false, ${at} from generate_series(1, 2) returning id)
    insert into alert_deliveries (workspace_id, alert_id, channel, state, finished_at)
    select ${mine}, id, 'chat', case n when 1 then 'pending' else 'sent' end, case n when 1 then null else now() end
    from (select id, row_number() over () as n from told) as numbered`.execute(db)
  await sql`insert into people_searches (workspace_id, id, query, created_at) values (${mine}, ${id}, 'VP', ${at})`.execute(
    db,
  )
  await sql`insert into robots_files (origin, fresh_until) values (${`https://${owner}-${age}.example`}, ${at})`.execute(
    db,
  )
  await sql`insert into role_lookups (workspace_id, account_id, role, looked_at)
    values (${mine}, ${its}, ${`role of ${age}`}, ${at})`.execute(db)
  await sql`insert into lookups (workspace_id, subject, claim, lease_until)
    values (${mine}, ${`of ${age}`}, ${id}, ${at})`.execute(db)
  await sql`insert into idempotency_keys (workspace_id, member_id, key, request_hash, claim, lease_until, created_at)
    select ${mine}, id, ${`of ${age}`}, '', ${id}, now(), ${at} from members where workspace_id = ${mine} limit 1`.execute(
    db,
  )
}

/** The ages of the remaining rows of each kind in a workspace, in whole days. */
async function left(owner: string) {
  const kinds = {
    quiet: sql`select created_at as at from monitor_events where workspace_id = ${owner} and status in ('unchanged', 'failed')`,
    news: sql`select created_at as at from monitor_events where workspace_id = ${owner} and status in ('new', 'changed')`,
    documents: sql`select read_at as at from documents where workspace_id = ${owner}`,
    judgements: sql`select judged_at as at from judgements where workspace_id = ${owner}`,
    models: sql`select read_at as at from model_readings where workspace_id = ${owner}`,
    runs: sql`select finished_at as at from runs join run_tasks on run_id = runs.id where runs.workspace_id = ${owner}`,
    imports: sql`select finished_at as at from imports where workspace_id = ${owner}`,
    credits: sql`select taken_at as at from credits_taken where workspace_id = ${owner}`,
    deliveries: sql`select created_at as at from deliveries where workspace_id = ${owner}`,
    pushes: sql`select finished_at as at from push_runs join push_rows on run_id = push_runs.id where push_runs.workspace_id = ${owner}`,
    alerts: sql`select created_at as at from alerts where workspace_id = ${owner}`,
    searches: sql`select created_at as at from people_searches where workspace_id = ${owner}`,
    robots: sql`select fresh_until as at from robots_files where origin like ${`%${owner}%`}`,
    roles: sql`select looked_at as at from role_lookups where workspace_id = ${owner}`,
    lookups: sql`select lease_until as at from lookups where workspace_id = ${owner}`,
    answers: sql`select created_at as at from idempotency_keys where workspace_id = ${owner}`,
  }
  const ages = Object.entries(kinds).map(async ([kind, rows]) => {
    const { rows: found } = await sql<{ age: number }>`
      select floor(extract(epoch from now() - at) / 86400)::int as age from (${rows}) as kept order by 1`.execute(db)
    return [kind, found.map(({ age }) => age).join(' ')]
  })
  return Object.fromEntries(await Promise.all(ages))
}

const JOBS = [
  purgeMonitorEvents,
  purgeOldDocuments,
  purgeImports,
  purgeDeliveries,
  purgeAlerts,
  purgeOldSearches,
  purgeIdempotencyKeys,
]

test('expired rows are deleted in every workspace, and nothing else', async () => {
  const other = await service.stranger()
  const owners = [
    { owner: workspaceId, client: admin },
    { owner: other.workspaceId, client: other.client },
  ]
  for (const { owner, client } of owners) {
    const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Old' })
    for (const age of [0.5, 29.5, 30.5, 89.5, 90.5, 399.5, 400.5]) await furnish(owner, id, age)
  }
  // The current period is reported by day, however long it is.
  await sql`update subscriptions set period_start = now() - interval '500 days' where workspace_id = ${workspaceId}`.execute(
    db,
  )
  for (const job of JOBS) await service.run(job, {})
  const kept = {
    quiet: '0 0 29 29 30 30 89 89',
    news: '0 0 29 29 30 30 89 89 90 90 399 399',
    documents: '0 29 30 89 90 399',
    judgements: '0 29 30 89 90 399',
    models: '0 29 30 89 90 399',
    runs: '0 29 30 89 90 399',
    imports: '0 29 30 89 90 399',
    credits: '0 29 30 89 90 399',
    deliveries: '0 29',
    pushes: '0 0 29 29 30 30 89 89',
    // Pending deliveries are kept.
    alerts: '0 0 29 29 30 30 89 89 90 399 400',
    searches: '0 29 30 89 90 399',
    robots: '0 29',
    roles: '0 29 30 89 90 399',
    lookups: '0',
    answers: '0',
  }
  assert.deepEqual(await left(other.workspaceId), kept)
  assert.deepEqual(await left(workspaceId), { ...kept, credits: '0 29 30 89 90 399 400' })
  // Again, with nothing to delete.
  for (const job of JOBS) await service.run(job, {})
  assert.deepEqual(await left(other.workspaceId), kept)
})

test('expired rows are deleted in batches until the deadline, and the next purge continues', async () => {
  const { workspaceId: owner } = await service.stranger()
  await sql`insert into judgements (workspace_id, key, logits, judged_at)
    select ${owner}::uuid, n::text, '', now() - interval '10 years' + (n / 3) * interval '1 minute'
    from generate_series(1, 1000) as n`.execute(db)
  const where = sql`workspace_id = ${owner}`
  const purge = purgeOlderThan({ table: 'judgements', time: 'judged_at', days: 400, where, batch: 100 })
  let asked = 0
  const afterTwo = {
    get aborted() {
      return ++asked > 2
    },
  } as AbortSignal
  const first = await purge(db, afterTwo)
  // A batch includes the rows with the same timestamp as its last row.
  assert.ok(!first.isDone && first.count >= 200 && first.count <= 206, JSON.stringify(first))
  assert.deepEqual(await purge(db, never), { count: 1000 - first.count, isDone: true })
})

test('a purge that exceeds its time enqueues another job, and a stopped one is returned to the queue', async () => {
  const enqueued: string[] = []
  const jobs = { enqueue: async (_db: unknown, { name }: { name: string }) => void enqueued.push(name) }
  const parts = { ...deps, jobs: jobs as never }
  const steps = { first: async () => ({ count: 1, isDone: false }), second: async () => ({ count: 0, isDone: true }) }
  const job = definePurge('purge-probe', 0, () => steps)
  const context = { signal: never, attempt: 0, progressed: async () => {} }
  await job.run(parts, {}, context)
  assert.deepEqual(enqueued, ['purge-probe'])
  const stopping = AbortSignal.abort(new Error('stopping'))
  await assert.rejects(job.run(parts, {}, { ...context, signal: stopping }), /stopping/)
  await definePurge('purge-probe', 0, () => ({ second: steps.second })).run(parts, {}, context)
  assert.equal(enqueued.length, 1)
})

test('every table has its retention documented', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const manual = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## What grows$(.*?)^## /ms.exec(manual) ?? []
  const missing = rows.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))
  assert.deepEqual(missing, [])
})

test('rescans of a small workspace alternate with those of a large one', async () => {
  const [large, small] = [await service.stranger(), await service.stranger()]
  for (const [{ workspaceId: owner }, count] of [[large, 30] as const, [small, 2] as const]) {
    await sql`insert into accounts (workspace_id, id, name, status, source)
      select ${owner}::uuid, gen_random_uuid(), 'Due ' || n, 'active', 'api' from generate_series(1, ${count}::int) as n`.execute(
      db,
    )
  }
  const due = await listDueScans(db, 7, 6)
  assert.equal(due.filter(({ workspace_id }) => workspace_id === small.workspaceId).length, 2)
  assert.equal(due.length, 6)
})
