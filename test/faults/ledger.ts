import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { resumeDeliveries } from '../../src/delivery/job.ts'
import { maintainImports } from '../../src/imports/import-uploads.job.ts'
import { DEAD_LETTERS } from '../../src/jobs/queue.ts'
import { discoverAccounts, resumeDiscoveries } from '../../src/research/discovery/discover.job.ts'
import type { World } from './world.ts'

/**
 * The holder of a lease is dead after this number of seconds without a renewal: each is renewed at a third of its time, and a
 * renewal skips a locked row, so that one may be missing.
 */
const UNRENEWED = [
  ['push_ranges', 15, 11],
  ['alert_deliveries', 20, 14.5],
  ['run_candidates', 30, 22],
  ['lookups', 30, 22],
] as const
/** Heartbeat interval of a running job. */
const SILENT_SECONDS = 6.5
/** The sweeps of a schedule run once in this number of checks. */
const SWEEP_EVERY = 8
const SETTLE_MS = 100_000

/**
 * Expires what only dead processes hold: a lease that was not renewed has ended, a job without a heartbeat
 * is lost, a retry is due. What running processes hold is not changed.
 */
async function hasten({ db }: Pick<World, 'db'>): Promise<void> {
  for (const [table, seconds, after] of UNRENEWED) {
    await sql`update ${sql.table(table)} set lease_until = 'epoch'
      where lease_until between now() and now() + make_interval(secs => ${seconds - after})`.execute(db)
  }
  await sql`update pgboss.job set heartbeat_on = 'epoch'
    where state = 'active' and heartbeat_on < now() - make_interval(secs => ${SILENT_SECONDS})`.execute(db)
  // A discovery waits for the leases of candidates to expire, which they just did.
  await sql`update pgboss.job set start_after = now() where start_after > now() and (state = 'retry'
    or (name = ${discoverAccounts.name} and state = 'created'
      and not exists (select from run_candidates where lease_until > now())))`.execute(db)
}

async function sweep({ db, jobs }: Pick<World, 'db' | 'jobs'>): Promise<void> {
  await jobs.enqueue(db, resumeDeliveries, { idle: 5 })
  await jobs.enqueue(db, maintainImports, { idle: 10 })
  await jobs.enqueue(db, resumeDiscoveries, { idle: 15 })
}

/** The remaining work, by name. */
async function open({ db }: Pick<World, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'job ' || name as what from pgboss.job where name <> ${DEAD_LETTERS}
      and (state = 'active' or (state in ('created', 'retry') and start_after <= now() + interval '5 seconds'))
    union all select 'run' from runs where status = 'running'
    union all select 'import' from imports where status = 'running'
    union all select 'push' from push_runs where status = 'running'
    union all select 'alert' from alert_deliveries where state = 'pending'`.execute(db)
  return rows.map(({ what }) => what)
}

/** Advances time until the work has started and none of it is left. Throws with the remaining work when that never happens. */
export async function settled(world: Pick<World, 'db' | 'jobs'>, begun: Promise<unknown>): Promise<void> {
  let left = ['the work has not begun']
  let isBegun = false
  void begun.then(() => {
    isBegun = true
  })
  for (let until = Date.now() + SETTLE_MS, look = 1; Date.now() < until; look++) {
    try {
      await hasten(world)
      if (look % SWEEP_EVERY === 0) await sweep(world)
      left = isBegun ? await open(world) : ['the work has not begun']
    } catch (error) {
      // PostgreSQL may be restarting.
      left = [String(error)]
    }
    if (left.length === 0) return
    await sleep(250)
  }
  throw new Error(`Still to be done after ${SETTLE_MS / 1000} seconds: ${left.join(', ')}.`)
}

const RULES: Record<string, string> = {
  'one event is one detection': `select account_id, signal_id from signal_detections
    where signal_present group by workspace_id, account_id, signal_id having count(*) > 1`,
  'a proof stands once in a detection': `select id from signal_detections
    where (select count(*) <> count(distinct proof ->> 'claim') from jsonb_array_elements(evidence) as proof)`,
  'a person is there once': `select account_id, full_name from people
    group by workspace_id, account_id, lower(full_name), full_name having count(*) > 1`,
  'a domain is one account': `select domain from accounts group by workspace_id, domain having count(*) > 1`,
  'the counts of a push are those of its rows': `select id, sent, failed, skipped from push_runs as run
    where status <> 'running' and (sent + failed + skipped <> total
      or sent <> (select count(*) from push_rows where run_id = run.id and state = 'sent')
      or failed <> (select count(*) from push_rows where run_id = run.id and state = 'failed'))`,
  'no row of a push that is over waits': `select run_id from push_rows where state = 'pending'
    union all select run_id from push_ranges`,
  'the counts of a discovery are those of its candidates': `select id, stats from runs
    where status = 'done' and spec is not null
      and (stats ->> 'candidates')::int + (stats ->> 'existing')::int <> (select count(*) from run_candidates where run_id = runs.id)`,
  'no candidate of a run that is over waits': `select domain from run_candidates as one join runs on runs.id = one.run_id
    where one.state = 'pending' and runs.status = 'done'`,
  'no task of a run that is over waits': `select run_id from run_tasks join runs on runs.id = run_id
    where state = 'pending' and status <> 'running'`,
  'the counts of an import add up': `select id from imports
    where status = 'done' and rows <> created + existing + rejected`,
  'the file of an import that is over is forgotten': `select import_id from import_chunks as chunk
    join imports as one on one.id = chunk.import_id where one.status in ('done', 'failed')`,
  'no alert is lost': `select alert_id, state, message from alert_deliveries where state <> 'sent'`,
  'what is found on an active account is told of': `select detection.id from signal_detections as detection
    join accounts on accounts.id = detection.account_id and accounts.status = 'active'
    join notification_settings as wanted on wanted.workspace_id = detection.workspace_id and webhook_enabled
    where signal_present and not exists (select from alert_items where record_id = detection.id)`,
  'nobody holds a lease for ever': `select 'push' from push_ranges where lease_id is not null
    union all select 'alert' from alert_deliveries where lease_id is not null
    union all select 'lookup' from lookups where lease_until > now() + interval '1 minute'`,
}

/** Invariants of the database whatever was killed, over all workspaces. */
export async function invariants({ db }: Pick<World, 'db'>): Promise<void> {
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await sql.raw(query).execute(db)
    assert.deepEqual(rows, [], rule)
  }
}
