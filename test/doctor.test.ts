import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { startInternet } from '../sandbox/internet.ts'
import { commands } from './support/commands.ts'
import { cloneDatabase } from './support/databases.ts'
import { beside, dataDir } from './support/process.ts'

type Check = { group: string; id: string; label: string; state: string; message: string }

let hostAheadSeconds = 0
const internet = await startInternet(() => ({
  status: 200,
  headers: { date: new Date(Date.now() + hostAheadSeconds * 1000).toUTCString() },
  body: '',
}))
after(() => internet[Symbol.asyncDispose]())
const network = { ...internet.env, DNS_SERVER: '127.0.0.1:9', PREFLIGHT_HOSTS: 'host.example' }

async function examine(env: Record<string, string>) {
  const { code, output } = await commands({ ...network, ...env }).cli('doctor', '--json')
  const checks = JSON.parse(output) as Check[]
  const stateOf = (id: string) => checks.find((check) => check.id === id)?.state
  const messageOf = (id: string) => checks.find((check) => check.id === id)?.message ?? ''
  return { code, output, checks, stateOf, messageOf }
}

test('doctor groups what it finds, and fails when no worker runs', async () => {
  const databaseUrl = await cloneDatabase()
  const env = { ...network, ...beside({ databaseUrl }), PUBLIC_URL: 'http://bellwether.northwind.example' }
  const { cli } = commands(env)
  const { code, output } = await cli('doctor')
  assert.equal(code, 6)
  for (const group of ['Reachability', 'Configuration', 'Machine', 'Database', 'Work'])
    assert.match(output, new RegExp(`^${group}$`, 'm'))
  assert.match(output, /^ {2}ok +Internet: 1 of 1 hosts responded\.$/m)
  assert.match(output, /^ {2}warn +Public address: PUBLIC_URL has no https/m)
  assert.match(output, /^ {2}ok +Rights: \w+ may create tables and schemas\.$/m)
  assert.match(output, /^ {2}ok +Schema: That of Bellwether \d+\.\d+\.\d+\.$/m)
  assert.match(output, /^ {2}FAILS +Workers: None is running/m)
  assert.match(output, /^ {2}off +Disk: Not used: DATABASE_URL and SECRETS_KEY are set\.$/m)
  assert.match(output, /^ {2}ok +Secrets key: The database accepts it\.$/m)
  assert.match(output, /^ {2}off +Backups: There is none yet, and none is scheduled/m)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('insert into worker_processes (id) values (gen_random_uuid())')
  await client.query('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  const { rows } = await client.query<{ name: string }>(
    "select name from pgboss.queue where name <> 'dead-letters' limit 1",
  )
  await client.query(
    "insert into pgboss.job (name, start_after) values ($1, now() - interval '1 hour'), ('dead-letters', now())",
    [rows[0]?.name],
  )
  await client.end()
  const report = await cli('doctor', '--json')
  const checks = JSON.parse(report.output) as Check[]
  const states = Object.fromEntries(checks.map(({ id, state }) => [id, state]))
  assert.deepEqual(
    [states.schema, states.workers, states.queue, states.dead_letters],
    ['warning', 'works', 'warning', 'warning'],
  )
})

test('an unreachable database, an invalid variable and a slow clock are reported without secrets', async () => {
  hostAheadSeconds = 3600
  const folder = dataDir()
  mkdirSync(folder)
  writeFileSync(join(folder, 'token'), 's3cr3t\n')
  const { code, output, checks, stateOf, messageOf } = await examine({
    DATABASE_URL: 'postgres://bellwether:s3cr3t-word@127.0.0.1:9/bellwether',
    SECRETS_KEY: 'ab'.repeat(32),
    LLM_API_KEY: 's3cr3t-key',
    METRICS_TOKEN_FILE: join(folder, 'token'),
    PORT: 'eighty',
  })
  hostAheadSeconds = 0
  assert.equal(code, 6)
  assert.equal(stateOf('database'), 'failing')
  assert.match(messageOf('database'), /does not respond as expected: .*ECONNREFUSED/)
  assert.deepEqual(
    checks.filter(({ id }) => id === 'variable').map(({ label, state }) => [label, state]),
    [
      ['PORT', 'failing'],
      ['METRICS_TOKEN', 'failing'],
    ],
  )
  assert.match(messageOf('clock'), /^3[56]\d\d s behind host\.example\. Turn time synchronization \(NTP\) on\.$/)
  assert.equal(stateOf('clock'), 'failing')
  assert.doesNotMatch(output, /s3cr3t|abab/)
})

test('a data folder that others can read or write is a failure, and a service that does not run is none', async () => {
  const folder = dataDir()
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'secrets.key'), 'ab'.repeat(32), { mode: 0o644 })
  const { stateOf, messageOf, output } = await examine({ DATA_DIR: folder })
  assert.equal(stateOf('key_files'), 'failing')
  assert.match(messageOf('key_files'), /run "chmod 600 .*secrets\.key"/)
  assert.deepEqual(
    [stateOf('data_folder'), stateOf('disk'), stateOf('database'), stateOf('secrets_key'), stateOf('workers')],
    ['works', 'works', 'off', 'works', undefined],
  )
  assert.doesNotMatch(output, /abab/)
})

test('variables that need others, and a file that is missing, are reported with all other checks', async () => {
  const { code, checks, stateOf } = await examine({
    DATA_DIR: dataDir(),
    BACKUP_EVERY_HOURS: '24',
    BACKUP_KEY: 'ab'.repeat(32),
    SMTP_URL: 'smtp://mail.example',
    OUTBOUND_CA: '/nowhere/ca.pem',
  })
  assert.equal(code, 6)
  const wrong = checks.filter(({ id }) => id === 'variable')
  assert.deepEqual(
    wrong.map(({ label, state }) => [label, state]),
    [
      ['MAIL_FROM', 'failing'],
      ['BACKUP_TARGET', 'failing'],
      ['OUTBOUND_CA', 'failing'],
    ],
  )
  assert.match(wrong[2]?.message ?? '', /ENOENT.*The service does not start with it\.$/)
  assert.equal(stateOf('disk'), 'works')
})

test('a key that the database does not accept, a damaged one and a missing one are failures', async () => {
  const env = beside({ databaseUrl: await cloneDatabase() })
  const other = await examine({ ...env, SECRETS_KEY: 'cd'.repeat(32) })
  assert.equal(other.stateOf('database_key'), 'failing')
  assert.match(other.messageOf('database_key'), /^The database does not accept it/)
  assert.doesNotMatch(other.output, /cdcd/)
  const { SECRETS_KEY: _, ...withoutKey } = env
  const missing = await examine(withoutKey)
  assert.match(missing.messageOf('database_key'), /^There is no secrets key here/)
  mkdirSync(env.DATA_DIR, { mode: 0o700 })
  writeFileSync(join(env.DATA_DIR, 'secrets.key'), 'ab'.repeat(20), { mode: 0o600 })
  const damaged = await examine(withoutKey)
  assert.deepEqual([damaged.stateOf('secrets_key'), damaged.stateOf('database_key')], ['failing', 'failing'])
  assert.match(damaged.messageOf('secrets_key'), /does not contain 64 hex digits/)
})

test('backups that are scheduled are recent, missing, overdue or failed', async () => {
  const databaseUrl = await cloneDatabase()
  const env = {
    ...beside({ databaseUrl }),
    BACKUP_TARGET: '/backups',
    BACKUP_KEY: 'ab'.repeat(32),
    BACKUP_EVERY_HOURS: '24',
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const found: (string | undefined)[] = []
  for (const change of [
    'backed_up_at = null',
    "backed_up_at = now() - interval '5 hours'",
    "backed_up_at = now() - interval '50 hours'",
    "backup_failed_at = now(), backup_error = 'No space is left.'",
  ]) {
    await client.query(`update installation set ${change}`)
    const { stateOf, messageOf } = await examine(env)
    found.push(`${stateOf('backups')}: ${messageOf('backups')}`)
  }
  await client.end()
  assert.deepEqual(found, [
    'warning: There is none yet: a worker makes it within ten minutes.',
    'works: The last one is 5 hours old.',
    'failing: The last one is 50 hours old: it is overdue.',
    'failing: The last one is 50 hours old, and the last attempt had a problem: No space is left.',
  ])
})

test('the own group may write to the data folder, another one may not, and the disk is that of the database', async () => {
  const folder = dataDir()
  mkdirSync(folder)
  writeFileSync(join(folder, 'postgres.location'), '/var/lib/bellwether/elsewhere')
  chownSync(folder, process.getuid?.() ?? 0, process.getegid?.() ?? 0)
  chmodSync(folder, 0o2775)
  const own = await examine({ DATA_DIR: folder })
  assert.equal(own.stateOf('data_folder'), 'works')
  assert.match(own.messageOf('disk'), /free for \/var\/lib\/bellwether\/elsewhere\.$/)
  if (process.getuid?.() !== 0) return
  chownSync(folder, 0, 4711)
  chmodSync(folder, 0o775)
  assert.equal((await examine({ DATA_DIR: folder })).stateOf('data_folder'), 'failing')
})

test('a schema of a later version is a failure', async () => {
  const databaseUrl = await cloneDatabase()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query("insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')")
  await client.end()
  const { stateOf, messageOf } = await examine(beside({ databaseUrl }))
  assert.equal(stateOf('schema'), 'failing')
  assert.match(messageOf('schema'), /^A later version has changed this database \(9999-of-tomorrow\)/)
})
