import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { compare } from '../../scripts/seal-migrations.ts'
import { createDatabase } from '../../test/support/databases.ts'
import { openRanges } from '../resources/push-runs/work-store.ts'
import { connect, type Db } from './connect.ts'
import { accountTotal } from './list-versions.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = new URL('migrations/', import.meta.url)

let databases = 0

/** A new database with the migrations up to this one. */
async function databaseAt(migration: string) {
  const url = await createDatabase(`t_${process.pid}_at_${migration.slice(0, 4)}_${++databases}`, 'template0')
  const { db, pool } = connect(url, { size: 2, prepare: false, log: pino({ level: 'silent' }) })
  after(() => pool.end())
  const known = readdirSync(MIGRATIONS).map(async (file) => [file.slice(0, -3), await import(`${MIGRATIONS}${file}`)])
  const provider = { getMigrations: async () => Object.fromEntries(await Promise.all(known)) }
  const { error } = await new Migrator({ db, provider }).migrateTo(migration)
  assert.equal(error, undefined)
  return db
}

test('a push that runs during an update of the service continues after it', async () => {
  const db = await databaseAt('0032-list-versions')
  const [workspace, run] = [crypto.randomUUID(), crypto.randomUUID()]
  await sql`insert into workspaces (id, name) values (${workspace}, 'Pushing')`.execute(db)
  await sql`insert into push_runs (workspace_id, id, channel, record_type, status, total)
    values (${workspace}, ${run}, 'webhook', 'accounts', 'running', 350)`.execute(db)
  // Per hundred rows: all sent, two to be retried later, all pending and leased by a worker.
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
  // The service computes the same ranges, so it finds no other row.
  await openRanges(db, workspace, run)
  assert.deepEqual(await ranges(), kept)
})

test('stored links become web links, countries of a workforce get names, and other schemes are rejected afterwards', async () => {
  const db = await databaseAt('0044-model-readings')
  const workspace = crypto.randomUUID()
  await sql`insert into workspaces (id, name) values (${workspace}, 'Linked')`.execute(db)
  const links = {
    'https://www.linkedin.com/company/a': 'https://www.linkedin.com/company/a',
    'HTTP://b.example': 'HTTP://b.example',
    'linkedin.com/company/c': 'https://linkedin.com/company/c',
    'javascript:alert(1)': null,
    'data:text/html,x': null,
    unknown: null,
  }
  for (const link of Object.keys(links))
    await sql`insert into accounts (workspace_id, id, name, status, source, network_url, workforce_by_country)
      values (${workspace}, gen_random_uuid(), ${link}, 'active', 'api', ${link}, '{"DE": 3, "GB": 1, "Nowhere": 2}')`.execute(
      db,
    )
  await migrate(db)
  const { rows } = await sql<{ name: string; network_url: string | null; workforce_by_country: object }>`
    select name, network_url, workforce_by_country from accounts`.execute(db)
  assert.deepEqual(Object.fromEntries(rows.map(({ name, network_url }) => [name, network_url])), links)
  assert.deepEqual(rows[0]?.workforce_by_country, { Germany: 3, 'United Kingdom': 1, Nowhere: 2 })
  await assert.rejects(sql`update accounts set logo_url = 'javascript:alert(1)'`.execute(db), /accounts_logo_url_web/)
})

test('people keep every origin: the roster, and searches that matched them', async () => {
  const db = await databaseAt('0044-model-readings')
  const [workspace, account, search] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await sql`insert into workspaces (id, name) values (${workspace}, 'Searching')`.execute(db)
  await sql`insert into accounts (workspace_id, id, name, source, status)
    values (${workspace}, ${account}, 'North', 'api', 'active')`.execute(db)
  await sql`insert into people_searches (workspace_id, id, query) values (${workspace}, ${search}, 'CFO')`.execute(db)
  for (const [name, source, tier] of [
    ['Hit', 'employee', null],
    ['Hit of a purged search', 'employee', 2],
    ['Beyond', 'waterfall', 1],
    ['Roster', 'employee', null],
  ] as const)
    await sql`insert into people (workspace_id, id, account_id, identity, full_name, source, icp_tier)
      values (${workspace}, gen_random_uuid(), ${account}, ${name}, ${name}, ${source}, ${tier})`.execute(db)
  await sql`insert into people_search_hits (workspace_id, search_id, person_id, tier)
    select workspace_id, ${search}, id, 1 from people where full_name = 'Hit'`.execute(db)
  assert.ok((await migrate(db)).includes('0047-people-sources'))
  const people = db.selectFrom('people').select(['full_name', 'sources', 'source']).orderBy('full_name')
  assert.deepEqual(
    (await people.execute()).map(({ full_name, sources, source }) => [full_name, sources, source]),
    [
      ['Beyond', ['waterfall'], 'waterfall'],
      ['Hit', ['employee', 'waterfall'], 'waterfall'],
      ['Hit of a purged search', ['employee', 'waterfall'], 'waterfall'],
      ['Roster', ['employee'], 'employee'],
    ],
  )
})

/** The whole schema, one line per object; the order of columns is ignored. */
async function schemaOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
        pg_get_expr(adbin, adrelid)) as line
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = pg_class.oid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r'
      union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
      union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
      union all select pg_get_functiondef(pg_proc.oid) from pg_proc join pg_language on pg_language.oid = prolang
      where pronamespace = 'public'::regnamespace and prokind = 'f' and lanname <> 'c'
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    ) as schema order by line`.execute(db)
  return rows.map(({ line }) => line)
}

test('a database whose migrations were edited and inserted after it applied them is repaired', async () => {
  const fresh = await databaseAt('0044-model-readings')
  await migrate(fresh)
  const db = await databaseAt('0043-people-who-move')
  const older = [
    // Inserted later.
    'alter table documents drop column language, drop column published_by',
    `delete from kysely_migration where name = '0039-read-documents'`,
    // Edited later.
    'alter table api_keys rename constraint api_keys_member to api_keys_workspace_id_member_id_fkey',
    'alter table idempotency_keys drop column claim',
    'alter table people drop column given_email',
    'alter table runs alter column touched_at set default now(), alter column touched_at set not null',
    'drop table run_candidates',
    'alter table push_runs rename column surplus to malformed',
    'drop index documents_newest, accounts_country, documents_published, accounts_scored, accounts_name_alone',
    'alter table imports drop column taken_up',
    'drop index signal_detections_feed, stream_items_published',
    'create index signal_detections_feed on signal_detections (workspace_id, created_at desc, id desc) where is_shown',
    'create index stream_items_published on stream_items (published_date desc, id desc)',
    `create or replace function raise_list_version() returns trigger language plpgsql as
      $$ begin return null; end $$`,
    `create or replace function company_key(name text) returns text language plpgsql immutable strict parallel safe as
      $$ begin return 'earlier'; end $$`,
    `create or replace function move_sentence(full_name text, move person_moves) returns text language sql stable
      parallel safe as $$ select 'earlier' $$`,
    'alter table technology_looks drop column signs',
  ]
  for (const statement of older) await sql.raw(statement).execute(db)
  const [workspace, account] = [crypto.randomUUID(), crypto.randomUUID()]
  await sql`insert into workspaces (id, name) values (${workspace}, 'Earlier')`.execute(db)
  await sql`insert into accounts (workspace_id, id, name, status, source)
    values (${workspace}, ${account}, 'Halden A/S', 'active', 'import')`.execute(db)
  await sql`insert into technology_looks (workspace_id, account_id, domain, pages)
    values (${workspace}, ${account}, 'halden.example', '{}')`.execute(db)
  await sql`insert into stream_items (stream, key, company, url, kind, text, published_date, is_whole)
    values ('wire', '1', 'Halden A/S', 'https://wire.example/1', 'article', 'Halden', '2026-01-01', true)`.execute(db)

  assert.ok((await migrate(db)).includes('0039-read-documents'))
  assert.deepEqual(await schemaOf(db), await schemaOf(fresh))
  const { rows } = await sql`select company_key from stream_items`.execute(db)
  assert.deepEqual(rows, [{ company_key: 'halden' }])
  const looks = await sql`select signs from technology_looks`.execute(db)
  assert.deepEqual(looks.rows, [{ signs: [] }])
  assert.deepEqual(await migrate(db), [])
})

test('the accounts of an earlier version are counted', async () => {
  const db = await databaseAt('0079-distribution')
  const [first, second, empty] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  for (const id of [first, second, empty])
    await sql`insert into workspaces (id, name) values (${id}, 'Earlier')`.execute(db)
  const add = (workspace: string, status: string, isHot: boolean, count: number) =>
    sql`insert into accounts (workspace_id, id, name, status, is_hot, source)
      select ${workspace}, gen_random_uuid(), 'Acme', ${status}, ${isHot}, 'api' from generate_series(1, ${count})`.execute(
      db,
    )
  await add(first, 'active', true, 3)
  await add(first, 'active', false, 2)
  await add(first, 'new', true, 4)
  await add(second, 'rejected', false, 5)
  // As after a restore from a version without list versions.
  await sql`delete from list_versions where workspace_id = ${second}`.execute(db)
  await migrate(db)
  await add(first, 'active', true, 1)
  await sql`delete from accounts where workspace_id = ${second}`.execute(db)
  await sql`update accounts set status = 'unqualified' where status = 'new'`.execute(db)

  const totals = await sql<Record<string, number>>`
    select workspace_id, ${sql.raw(accountTotal())} as all, ${sql.raw(accountTotal('active'))} as active,
      ${sql.raw(accountTotal('unqualified', true))} as unqualified, ${sql.raw(accountTotal(undefined, false))} as cold
    from list_versions group by workspace_id`.execute(db)
  assert.deepEqual(
    new Map(totals.rows.map(({ workspace_id, ...counts }) => [workspace_id, counts])),
    new Map<unknown, object>([
      [first, { all: 10, active: 6, unqualified: 4, cold: 2 }],
      [second, { all: 0, active: 0, unqualified: 0, cold: 0 }],
    ]),
  )
})

test('a database whose migrations differ from those of this version is not changed', async () => {
  const db = await databaseAt('0042-hiring')
  await migrate(db)
  await sql`update migration_checksums set checksum = 'another' where name = '0040-streams'`.execute(db)
  await assert.rejects(
    migrate(db),
    /The migration 0040-streams of this version is not the one that this database applied\./,
  )
  await sql`delete from migration_checksums where name in ('0039-read-documents', '0040-streams')`.execute(db)
  await sql`delete from kysely_migration where name = '0039-read-documents'`.execute(db)
  await assert.rejects(migrate(db), /by a version that did not have the migration 0039-read-documents/)
})

test('a listed migration may not change, and a new one has to follow the listed ones', () => {
  const listed = [
    { file: 'migrations/0001-a.ts', checksum: '1' },
    { file: 'migrations/0003-c.ts', checksum: '3' },
  ]
  const last = { file: 'migrations/0004-d.ts', checksum: '4' }
  assert.deepEqual(compare(listed, [...listed, last]), { added: [last], problems: [] })
  const files = [
    { file: 'migrations/0001-a.ts', checksum: 'edited' },
    { file: 'migrations/0002-b.ts', checksum: '2' },
  ]
  assert.deepEqual(compare(listed, files).problems, [
    'migrations/0001-a.ts was changed: restore it, and write a new migration.',
    'migrations/0003-c.ts was removed: restore it, and write a new migration.',
    'migrations/0002-b.ts comes before migrations/0003-c.ts, which is listed already: give it a later number.',
  ])
})
