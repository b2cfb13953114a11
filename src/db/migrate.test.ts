import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { createDatabase } from '../../test/support/databases.ts'
import { openRanges } from '../resources/push-runs/work-store.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = new URL('migrations/', import.meta.url)

/** A new database, as a version left it that knew migrations up to this one. */
async function databaseAt(migration: string) {
  const url = await createDatabase(`t_${process.pid}_at_${migration.slice(0, 4)}`, 'template0')
  const { db, pool } = connect(url, { size: 2, prepare: false, log: pino({ level: 'silent' }) })
  after(() => pool.end())
  const known = readdirSync(MIGRATIONS).map(async (file) => [file.slice(0, -3), await import(`${MIGRATIONS}${file}`)])
  const provider = { getMigrations: async () => Object.fromEntries(await Promise.all(known)) }
  const { error } = await new Migrator({ db, provider }).migrateTo(migration)
  assert.equal(error, undefined)
  return db
}

test('a push that runs while the service is updated goes on where it was', async () => {
  const db = await databaseAt('0032-list-versions')
  const [workspace, run] = [crypto.randomUUID(), crypto.randomUUID()]
  await sql`insert into workspaces (id, name) values (${workspace}, 'Pushing')`.execute(db)
  await sql`insert into push_runs (workspace_id, id, channel, record_type, status, total)
    values (${workspace}, ${run}, 'webhook', 'accounts', 'running', 350)`.execute(db)
  // Of each hundred: all sent, two to be sent again later, all still to be sent and held by a worker.
  await sql`insert into push_rows (workspace_id, run_id, record_id, position, state, next_attempt_at, lease_id, lease_until)
    select ${workspace}, ${run}, gen_random_uuid(), n, case when n > 200 or n in (101, 200) then 'pending' else 'sent' end,
      timestamptz '2026-01-01T00:00Z' + n * interval '1 minute',
      case when n > 200 then gen_random_uuid() end, case when n > 200 then now() + interval '1 minute' end
    from generate_series(1, 350) as n`.execute(db)
  assert.ok((await migrate(db)).includes('0033-push-ranges'))

  const minutes = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString()
  const ranges = () =>
    db
      .selectFrom('push_ranges')
      .select(['run_id', 'first_position', 'last_position', 'due_at', 'lease_id'])
      .orderBy('first_position')
      .execute()
  const kept = [
    { run_id: run, first_position: 101, last_position: 200, due_at: minutes(101), lease_id: null },
    { run_id: run, first_position: 201, last_position: 300, due_at: minutes(201), lease_id: null },
    { run_id: run, first_position: 301, last_position: 400, due_at: minutes(301), lease_id: null },
  ]
  assert.deepEqual(await ranges(), kept)
  // The service counts ranges alike: it finds no row beside those.
  await openRanges(db, workspace, run)
  assert.deepEqual(await ranges(), kept)
})
