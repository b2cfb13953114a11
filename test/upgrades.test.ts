import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { openOutbound } from '../src/app/service.ts'
import { restoreBackup } from '../src/backup/restore.ts'
import { loadConfig } from '../src/config/config.ts'
import { type ServerConnection, startEmbedded } from '../src/db/embedded.ts'
import { SCHEMA_LOCK } from '../src/db/migrate.ts'
import { openSnapshot } from '../src/db/snapshot.ts'
import { Client } from './support/client.ts'
import { commands } from './support/commands.ts'
import { createDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { address, beside, dataDir, run, startWorker, stop } from './support/process.ts'
import { testService } from './support/service.ts'
import { readContents } from './support/table-contents.ts'
import { fixtureOf, fixtureVersions, RELEASES, UPGRADE_KEY } from './support/upgrades.ts'

/** Loads the data of a released version with its schema, and its secrets key into the data folder. */
async function restoreVersion(version: string, DATA_DIR: string, connection: string | ServerConnection) {
  const config = loadConfig({ DATA_DIR, BACKUP_KEY: UPGRADE_KEY })
  const log = pino({ level: 'silent' })
  await using outbound = openOutbound(config, log)
  await restoreBackup({ config, log, outbound }, connection, fixtureOf(version))
}

/** A database with the data and the schema of a released version. */
async function installationOf(version: string) {
  const databaseUrl = await createDatabase(`t_${process.pid}_${version.replaceAll('.', '_')}`, 'template0')
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir() }
  await restoreVersion(version, env.DATA_DIR, databaseUrl)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  after(() => client.end())
  return { databaseUrl, env, client }
}

type Column = { at: string; name: string; type: string; required: boolean }

const COLUMNS = `select attrelid::regclass::text as at, quote_ident(attname) as name, format_type(atttypid, atttypmod) as type,
    attnotnull and not atthasdef and attidentity = '' as required
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    and relname not in ('kysely_migration', 'kysely_migration_lock', 'migration_checksums')`

/** A checksum of the given columns of each table, whatever the order of the rows. */
async function contents(client: pg.Client, columns: readonly Column[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [at, own] of Map.groupBy(columns, (column) => column.at)) {
    const row = `row(${own.map(({ name }) => name).join(', ')})::text`
    found[at] = await readContents(client, at, row)
  }
  return found
}

for (const version of fixtureVersions()) {
  test(`an installation of ${version} is migrated with all its data, and a failed migration changes nothing`, async () => {
    const { databaseUrl, env, client } = await installationOf(version)
    const { cli } = commands(env)
    const { rows: columns } = await client.query<Column>(COLUMNS)
    const before = await contents(client, columns)
    const check = async () => {
      // The log of the previous command may arrive late.
      const [line = ''] = /^\{"pending".*$/m.exec((await cli('migrate', '--check', '--json')).output) ?? []
      return JSON.parse(line).pending as string[]
    }
    const pending = await check()
    assert.ok(pending.includes('0071-backups'))
    assert.equal((await cli('migrate', '--check')).code, 1)

    await client.query('alter table installation add column backed_up_at text')
    const failed = await cli('migrate')
    assert.deepEqual([failed.code, /backed_up_at.* already exists/.test(failed.output)], [1, true], failed.output)
    await client.query('alter table installation drop column backed_up_at')
    assert.deepEqual(await check(), pending, 'none of them was applied')
    assert.deepEqual((await client.query(COLUMNS)).rows, columns)
    assert.deepEqual(await contents(client, columns), before)

    const pool = new pg.Pool({ connectionString: databaseUrl })
    const snapshot = await openSnapshot(pool)
    const migrating = run(['migrate'], { env })
    await migrating.sees(/a backup of the database is running/)
    await client.query(`set statement_timeout = '60s'; lock table accounts, installation in row exclusive mode`)
    await snapshot[Symbol.asyncDispose]()
    await pool.end()
    assert.equal(await migrating.exited, 0, migrating.output())
    assert.deepEqual([await check(), (await cli('migrate', '--check')).code], [[], 0])
    assert.deepEqual(await contents(client, columns), before)

    // As if only the migration of the job queue were pending.
    await client.query(`drop schema pgboss cascade; select pg_advisory_lock(${SCHEMA_LOCK})`)
    const migratingQueue = run(['migrate'], { env })
    await migratingQueue.sees(/a backup of the database is running; the migration of the job queue begins/)
    assert.equal((await client.query(`select to_regclass('pgboss.job') as job`)).rows[0].job, null)
    await client.query(`select pg_advisory_unlock(${SCHEMA_LOCK})`)
    assert.equal(await migratingQueue.exited, 0, migratingQueue.output())

    const { rows: now } = await client.query<Column>(COLUMNS)
    const same = new Set(now.map(({ at, name, type }) => `${at}.${name} ${type}`))
    const old = new Set(columns.map(({ at, name }) => `${at}.${name}`))
    const tables = new Set(columns.map(({ at }) => at))
    assert.deepEqual(
      columns.filter(({ at, name, type }) => !same.has(`${at}.${name} ${type}`)),
      [],
      `a process of ${version} that still runs reads these columns`,
    )
    assert.deepEqual(
      now.filter(({ at, name, required }) => required && tables.has(at) && !old.has(`${at}.${name}`)),
      [],
      `a process of ${version} that still runs inserts rows without these columns`,
    )

    const SECRETS_KEY = readFileSync(join(env.DATA_DIR, 'secrets.key'), 'utf8').trim()
    const service = await testService({ databaseUrl, env: { SECRETS_KEY } })
    const { client: admin } = await service.member({ role: 'admin' })
    assert.ok((await admin.expect(200, 'GET', '/v1/accounts')).length >= 12)
    assert.ok((await admin.expect(200, 'GET', '/v1/detections')).length > 0)
    const [destination] = await admin.expect(200, 'GET', '/v1/webhook-destinations')
    assert.equal(destination.name, 'To the receiver')
  })

  test(`a start on a data folder of ${version} migrates it`, async () => {
    const DATA_DIR = dataDir()
    const server = await startEmbedded({
      dataDir: DATA_DIR,
      log: pino({ level: 'silent' }),
      settings: { fsync: 'off' },
    })
    await restoreVersion(version, DATA_DIR, server.connection)
    await server.stop()
    // Its jobs reach no site.
    const serving = run(['serve'], { env: { DATA_DIR, OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9,*:80=127.0.0.1:9' } })
    const url = await address(serving)
    assert.match(serving.output(), /0071-backups/)
    const { json } = commands({ DATA_DIR })
    const [member] = await json('members', 'list')
    const { key } = await json('keys', 'create', 'After the upgrade', '--member', member.id)
    assert.ok((await new Client(url, key).expect(200, 'GET', '/v1/accounts')).length >= 12)
    assert.equal(await stop(serving), 0)
  })
}

test('each released version has a fixture', () => {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
  const [newest = '', ...earlier] = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(
    ([, version = '']) => version,
  )
  // The newest one may be about to be released.
  const released = newest in RELEASES ? [newest, ...earlier] : earlier
  assert.deepEqual(fixtureVersions().sort(), released.sort())
})

test('a worker continues after a newer version has migrated the database, and then does not start again', async () => {
  const service = await testService()
  const env = beside(service)
  const worker = await startWorker(env)
  const client = new pg.Client(service.databaseUrl)
  await client.connect()
  await client.query(
    `alter table accounts add column of_tomorrow text default 'x' not null;
     alter table runs add column of_tomorrow text;
     create table of_tomorrow (id uuid);
     insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')`,
  )
  await client.end()
  const { admin } = service
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Acme', domain: 'acme.example' })
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  const { run_id } = await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  await eventually('the old worker ends the scan', async () =>
    ['completed', 'failed'].includes((await admin.expect(200, 'GET', `/v1/runs/${run_id}`)).status),
  )
  assert.equal(worker.child.exitCode, null)
  const next = await commands(env).cli('migrate')
  assert.match(next.output, /^A later version has changed this database \(9999-of-tomorrow\)/)
})
