import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { distributeOn } from '../src/app/open-database.ts'
import { connect } from '../src/db/connect.ts'
import { COORDINATOR_TABLES, DISTRIBUTED, distributeNewTable } from '../src/db/distribution.ts'
import { accountTotal } from '../src/db/list-versions.ts'
import { newId } from '../src/shared/ids.ts'
import { cloneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { beside, run } from './support/process.ts'

const databaseUrl = await cloneDatabase()
const db = new pg.Client(databaseUrl)
await db.connect()
after(() => db.end())

const read = async (text: string, values: unknown[] = []) => (await db.query(text, values)).rows
const env = beside({ databaseUrl })

const again = () => distributeOn(databaseUrl, pino({ level: 'silent' }))

/** Runs a command to its end. */
async function command(...args: string[]) {
  const running = run(args, { env })
  const code = await running.exited
  return { code, output: running.output() }
}

test('every table with a workspace is listed as distributed, with a key that begins with the workspace', async () => {
  const tables = await read(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'workspace_id'
    where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  const unlisted = tables
    .map(({ name }) => name)
    .filter((name) => !DISTRIBUTED.has(name) && !COORDINATOR_TABLES.includes(name))
  assert.deepEqual(unlisted, [], 'list these tables in src/db/distribution.ts')
  const known = await read(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const names = new Set(known.map(({ name }) => name))
  assert.deepEqual(
    [...DISTRIBUTED.keys()].filter((name) => !names.has(name)),
    [],
  )
})

test('a database without the Citus extension is not distributed, and says what to do', async () => {
  const { code, output } = await command('distribute')
  assert.equal(code, 1)
  assert.match(output, /no Citus extension\. Run "create extension citus"/)
})

test('all tables are distributed once, with foreign keys that Citus accepts', async () => {
  await db.query(readFileSync(new URL('distribution/citus.sql', import.meta.url), 'utf8'))
  const before = await read(
    `select conname from pg_constraint where contype = 'f' and conrelid::regclass::text <> 'installation'`,
  )
  const first = await command('distribute', '--json')
  assert.equal(first.code, 0, first.output)
  const { distributed } = JSON.parse(first.output.trim().split('\n').at(-1) as string)
  assert.deepEqual(distributed.toSorted(), [...DISTRIBUTED.keys()].toSorted())
  assert.deepEqual(await again(), [])
  const after = await read(`select conname from pg_constraint where contype = 'f'`)
  assert.deepEqual(after.map(({ conname }) => conname).toSorted(), before.map(({ conname }) => conname).toSorted())
})

test('a start refuses while a listed table is not distributed, until "distribute" runs again', async () => {
  await db.query(`delete from pg_dist_partition where logicalrelid = 'alert_items'::regclass`)
  const refused = await command('serve', '--only', 'worker')
  assert.equal(refused.code, 1)
  assert.match(
    refused.output,
    /distributed, but not its table alert_items\. Stop all processes and run "bellwether distribute"/,
  )
  assert.deepEqual(await again(), ['alert_items'])
})

test('a migration distributes the table that it adds', async () => {
  await db.query(`delete from pg_dist_partition where logicalrelid = 'alert_items'::regclass`)
  const { db: migrated } = connect(databaseUrl, { size: 1, prepare: false, log: pino({ level: 'silent' }) })
  const key = 'alert_items_workspace_id_alert_id_fkey'
  await db.query(`alter table alert_items drop constraint ${key}`)
  await distributeNewTable(migrated, 'alert_items')
  await db.query(`alter table alert_items add constraint ${key} foreign key (workspace_id, alert_id)
    references alerts (workspace_id, id) on delete cascade`)
  await migrated.destroy()
  assert.deepEqual(await again(), [])
})

test('while the service is connected, nothing is distributed', async () => {
  await db.query(`delete from pg_dist_partition where logicalrelid = 'alert_items'::regclass`)
  const service = new pg.Client({ connectionString: databaseUrl, application_name: 'bellwether' })
  await service.connect()
  await assert.rejects(again, /Stop them all/)
  await service.end()
  // PostgreSQL ends the session of a closed connection a moment later.
  await eventually('the session has ended', async () => {
    const sessions = await read(
      `select from pg_stat_activity where datname = current_database() and application_name like 'bellwether%'`,
    )
    return sessions.length === 0
  })
  assert.deepEqual(await again(), ['alert_items'])
})

test('triggers of a shard write the shards next to it', async () => {
  await db.query('select make_shards()')
  const shards = new Map(
    (await read(`select logicalrelid::text as name, logicalrelid || '_' || shardid as shard from pg_dist_shard`)).map(
      ({ name, shard }) => [name, shard],
    ),
  )
  const on = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => shards.get(name) as string)
  const local = (text: string, values: unknown[] = []) => read(on(text), values)
  const [workspace, member, account, person, signal] = Array.from({ length: 5 }, newId)
  await local('insert into {workspaces} (id, name) values ($1, $2)', [workspace, 'Harrow'])
  assert.deepEqual(await local('select seq::int from {audit_heads} where workspace_id = $1', [workspace]), [{ seq: 0 }])
  await local(
    `insert into {members} (workspace_id, id, name, email, role, visibility) values ($1, $2, 'Kim', 'kim@harrow.example', 'admin', 'all')`,
    [workspace, member],
  )
  await local(
    `insert into {accounts} (workspace_id, id, name, domain, status, source, owner_id) values ($1, $2, 'Acme', 'acme.com', 'active', 'api', $3)`,
    [workspace, account, member],
  )
  const version = async () =>
    (
      await local('select sum(version)::float8 as sum from {list_versions} where workspace_id = $1 and list = $2', [
        workspace,
        'accounts',
      ])
    )[0]?.sum
  const first = await version()
  assert.ok(first > 0)
  const total = async (sum: string) =>
    (await local(`select ${sum} as total from {list_versions} where workspace_id = $1`, [workspace]))[0]?.total
  assert.deepEqual([await total(accountTotal()), await total(accountTotal('active'))], ['1', '1'])

  await local(
    `insert into {work_items} (workspace_id, id, account_id, state, account_status, owner_id) values ($1, $2, $3, 'open', 'active', $4)`,
    [workspace, newId(), account, member],
  )
  await local(
    `insert into {erasure_scopes} (workspace_id, company, account_id, name) values ($1, 'acme.com', $2, 'Acme')`,
    [workspace, account],
  )
  await local(`update {accounts} set domain = 'acme.org', status = 'rejected' where workspace_id = $1`, [workspace])
  assert.ok((await version()) > first)
  assert.deepEqual([await total(accountTotal('active')), await total(accountTotal('rejected'))], ['0', '1'])
  assert.deepEqual(await local('select company from {erasure_scopes} order by company'), [
    { company: 'acme.com' },
    { company: 'acme.org' },
  ])
  assert.deepEqual(await local('select account_status from {work_items}'), [{ account_status: 'rejected' }])

  await local(
    `insert into {people} (workspace_id, id, account_id, full_name, identity, sources, owner_id) values ($1, $2, $3, 'Ada Byron', 'ada', array['employee'], $4)`,
    [workspace, person, account, member],
  )
  await local(
    `insert into {signals} (workspace_id, id, name, description, is_builtin) values ($1, $2, 'Expansion', '', false)`,
    [workspace, signal],
  )
  await local(
    `insert into {documents} (workspace_id, id, account_id, url, kind, source, text, hash) values ($1, $2, $3, 'https://wire.example/1', 'article', 'news', '', '\\x00')`,
    [workspace, newId(), account],
  )
  const evidence = JSON.stringify([{ source_url: 'https://wire.example/1' }, { source_url: 'https://blog.acme.org/x' }])
  await local(
    `insert into {signal_detections} (workspace_id, id, account_id, signal_id, signal_present, alpha, icp_fit, evidence, detected_at)
      values ($1, $2, $3, $4, true, 1, 1, $5, now())`,
    [workspace, newId(), account, signal, evidence],
  )
  assert.deepEqual(await local('select source_names from {signal_detections}'), [{ source_names: ['news', 'website'] }])

  await local(`delete from {members} where workspace_id = $1`, [workspace])
  assert.deepEqual(await local('select owner_id from {accounts} union all select owner_id from {people}'), [
    { owner_id: null },
    { owner_id: null },
  ])
  await local(`insert into {people_suppressions} (workspace_id, hash) values ($1, '\\x01')`, [workspace])
  assert.ok((await local('select erasures::float8 from {workspaces}'))[0]?.erasures > 0)

  for (const action of ['signIn', 'endSession'])
    await local(
      `insert into {audit_entries} (workspace_id, id, actor, action, target_type, outcome, at, personal)
      values ($1, $2, 'system', $3, 'session', 'ok', now(), $4)`,
      [workspace, newId(), action, JSON.stringify({ person_id: person })],
    )
  const entries = await local('select seq::int, prev_hash, hash from {audit_entries} order by seq')
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    [1, 2],
  )
  assert.deepEqual(entries[1]?.prev_hash, entries[0]?.hash)
  await assert.rejects(local('delete from {audit_entries}'), /cannot be changed or deleted/)
  await assert.rejects(local('update {audit_heads} set seq = 0'), /cannot be moved or deleted/)
  await local('delete from {people}')
  assert.deepEqual(await local('select distinct personal from {audit_entries}'), [{ personal: null }])
  for (const table of ['list_versions', 'erasure_scopes', 'audit_entries'])
    assert.deepEqual(await read(`select from ${table} where workspace_id = $1`, [workspace]), [], table)
})
