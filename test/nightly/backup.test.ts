import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { startBucket } from '../../sandbox/s3.ts'
import { installationMark } from '../../src/backup/locations.ts'
import { backUpToTarget, takeDueBackup } from '../../src/backup/scheduled.ts'
import { findRunningServer, findServerHome } from '../../src/db/embedded.ts'
import { SCHEMA_LOCK } from '../../src/db/migrate.ts'
import { openSnapshot } from '../../src/db/snapshot.ts'
import { migrateQueue } from '../../src/jobs/queue.ts'
import { commands } from '../support/commands.ts'
import { cloneDatabase, createDatabase, withConnection } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { furnish } from '../support/furnished.ts'
import { address, beside, dataDir, run, stop } from '../support/process.ts'
import { testService } from '../support/service.ts'
import { readTableContents } from '../support/table-contents.ts'

const BACKUP_KEY = 'ab'.repeat(32)
const folder = mkdtempSync(join(tmpdir(), 'bellwether-backups-'))
chmodSync(folder, 0o711)
after(() => rmSync(folder, { recursive: true, force: true }))
const bucket = await startBucket()
after(() => bucket[Symbol.asyncDispose]())

const service = await testService({
  env: { BACKUP_KEY, ...bucket.env('daily'), BACKUP_EVERY_HOURS: '24', BACKUP_KEEP: '2' },
})
await furnish(service, { owner: { client: service.admin, workspaceId: service.workspaceId } })
const file = join(folder, 'first.backup')
const from = commands({ ...beside(service), BACKUP_KEY, ...bucket.env('daily'), BACKUP_KEEP: '2' })

let databases = 0
const emptyDatabase = () => createDatabase(`t_${process.pid}_restored_${++databases}`, 'template0')

const query = <T extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<T[]> =>
  withConnection(databaseUrl, async (client) => (await client.query<T>(text)).rows)

test('a backup is restored into an empty database with every row, and the service continues on it', async () => {
  // The operator's own: "lease_until" is the name of a column of the service.
  await query(
    service.databaseUrl,
    `create table own_notes ("Note" text, lease_until text); insert into own_notes values (E'a\tb', 'soon'), (null, '');
     alter table accounts add column own_mark text; update accounts set own_mark = name;
     create sequence "Own_numbers"; select nextval('"Own_numbers"')`,
  )
  const before = await readTableContents(service.databaseUrl)
  const [waiting] = await query<{ count: string }>(service.databaseUrl, 'select count(*) from pgboss.job')
  assert.notEqual(waiting?.count, '0', 'there are jobs to keep')
  await from.json('backup', file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const clusters = () => (existsSync('/var/lib/bellwether') ? readdirSync('/var/lib/bellwether') : [])
  const [others, temporary] = [clusters(), mkdtempSync(join(folder, 'temporary-'))]
  const checked = await commands({ ...beside(service), BACKUP_KEY, TMPDIR: temporary }).json(
    ...['backup', 'verify', file, '--restore'],
  )
  assert.deepEqual([readdirSync(temporary), clusters()], [[], others], 'the temporary database is removed')
  assert.equal(checked.secrets_key, 'SECRETS_KEY')
  assert.equal(checked.tables.find(({ name }: { name: string }) => name === 'accounts').rows, 3)

  const databaseUrl = await emptyDatabase()
  const into = commands({ ...beside({ databaseUrl }), BACKUP_KEY })
  assert.deepEqual((await into.json('restore', file)).restored_as_text, ['accounts.own_mark', 'own_notes'])
  assert.deepEqual(await readTableContents(databaseUrl), before)
  const schema = `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', sequencename, last_value) from pg_sequences
      where schemaname = 'public' and sequencename <> 'Own_numbers' order by 1`
  assert.deepEqual(await query(databaseUrl, schema), await query(service.databaseUrl, schema))

  const again = await into.cli('restore', file)
  assert.equal(again.code, 1)
  assert.match(again.output, /^A backup is restored into an empty database only, and this one has tables/)

  const restored = await testService({ databaseUrl })
  const names = async ({ admin }: typeof service) =>
    (await admin.expect(200, 'GET', '/v1/accounts')).map(({ name }: { name: string }) => name).sort()
  assert.deepEqual(await names(restored), await names(service))
  await restored.admin.expect(201, 'POST', '/v1/accounts', { name: 'Later', domain: 'later.example' })
})

test('work that a process had when the backup was taken is free after the restore', async () => {
  const databaseUrl = await cloneDatabase()
  const env = { ...beside({ databaseUrl }), BACKUP_KEY }
  await query(
    databaseUrl,
    `insert into pgboss.job (name, state, started_on, heartbeat_on)
     select name, 'active', now(), now() from pgboss.queue where name = 'scan-account';
     insert into worker_processes (id) values (gen_random_uuid())`,
  )
  await commands(env).json('backup', join(folder, 'busy.backup'))
  const target = await emptyDatabase()
  await commands({ ...env, DATABASE_URL: target }).json('restore', join(folder, 'busy.backup'))
  const [job] = await query<{ state: string; processes: string }>(
    target,
    `select state, (select count(*) from worker_processes) as processes from pgboss.job where name = 'scan-account'`,
  )
  assert.deepEqual(job, { state: 'created', processes: '0' })
})

test('a data folder is restored with its generated secrets key', async () => {
  const [one, two] = [dataDir(), dataDir()]
  const first = commands({ DATA_DIR: one, BACKUP_KEY })
  const early = await first.cli('backup', join(folder, 'own.backup'))
  assert.match(early.output, /^There is no database in DATA_DIR .*\. Set DATA_DIR to the full path of the data folder/)
  assert.deepEqual([early.code, existsSync(one)], [1, false])
  const serving = run(['serve'], { env: { DATA_DIR: one } })
  await address(serving)
  await first.json('backup', join(folder, 'own.backup'))
  assert.equal(await stop(serving), 0)
  const second = commands({ DATA_DIR: two, BACKUP_KEY })
  await second.json('restore', join(folder, 'own.backup'))
  assert.equal(readFileSync(join(two, 'secrets.key'), 'utf8'), readFileSync(join(one, 'secrets.key'), 'utf8'))
  assert.deepEqual(await second.json('workspaces', 'list'), await first.json('workspaces', 'list'))

  assert.equal((await second.json('backup', 'verify', join(folder, 'own.backup'))).secrets_key, 'included')
})

test('a backup without the secrets key of its database is refused', async () => {
  const { SECRETS_KEY: _key, ...env } = { ...beside(service), BACKUP_KEY }
  const missing = await commands({ ...env, DATA_DIR: 'data' }).cli('backup', folder)
  assert.match(missing.output, /^The secrets key .*data\/secrets\.key does not exist\. Set DATA_DIR to the full path/)
  mkdirSync(env.DATA_DIR)
  writeFileSync(join(env.DATA_DIR, 'secrets.key'), '44'.repeat(32))
  assert.match((await commands(env).cli('backup', folder)).output, /secrets\.key is not the key of this database/)
  const other = await commands({ ...env, SECRETS_KEY: '44'.repeat(32) }).cli('backup', folder)
  assert.match(other.output, /^SECRETS_KEY is not the key of this database/)
  const unset = await commands(env).json('backup', 'verify', file)
  assert.equal(unset.secrets_key, 'SECRETS_KEY, not set here')
})

test('a backup does not begin while a migration runs or another backup', async () => {
  await withConnection(service.databaseUrl, async (client) => {
    await client.query(`begin; select pg_advisory_xact_lock(${SCHEMA_LOCK})`)
    assert.match((await from.cli('backup', folder)).output, /^A backup or a migration of this database is running/)
  })
  await using _snapshot = await openSnapshot(service.deps.pool)
  assert.match((await from.cli('backup', folder)).output, /^A backup or a migration of this database is running/)
})

test('Ctrl-C stops a backup and removes what it has uploaded', async () => {
  const env = { ...beside(service), BACKUP_KEY, ...bucket.env('stopped') }
  // Of this folder alone: the signal may come before the request, which would leave the failure to a later test.
  bucket.fail('hang', /^PUT \/sandbox\/stopped\//)
  const backingUp = run(['backup'], { env })
  await eventually('the upload has begun', () => bucket.uploads.size === 1)
  assert.equal(await stop(backingUp, 'SIGINT'), 130)
  assert.match(backingUp.output(), /^Stopped\.$/m)
  assert.deepEqual([bucket.uploads.size, bucket.objects.size], [0, 0])
})

test('Ctrl-C stops a verification, a second one does not keep it from removing the temporary database', async () => {
  const temporary = mkdtempSync(join(folder, 'temporary-'))
  const verifying = run(['backup', 'verify', file, '--restore'], {
    env: { ...beside(service), BACKUP_KEY, TMPDIR: temporary },
  })
  const { client, home } = await eventually('the temporary database runs', async () => {
    const [name] = readdirSync(temporary).filter((name) => name.startsWith('bellwether-verify-'))
    const server = name ? findRunningServer(join(temporary, name)) : null
    if (!server || !name) return null
    const client = new pg.Client(server).on('error', () => {})
    const isReady = await client.connect().then(
      () => true,
      () => false,
    )
    return isReady && { client, home: findServerHome(join(temporary, name)) }
  })
  // Holds the restore in a query.
  await client.query(`select pg_advisory_lock(${SCHEMA_LOCK})`)
  verifying.child.kill('SIGINT')
  assert.equal(await stop(verifying, 'SIGINT'), 130)
  const left = readdirSync(temporary).filter((name) => name.startsWith('bellwether-'))
  assert.deepEqual([left, existsSync(home)], [[], false])
})

test('a restore that loses its connection ends with an error and leaves nothing', async () => {
  const databaseUrl = await emptyDatabase()
  const { SECRETS_KEY: _key, ...env } = { ...beside({ databaseUrl }), BACKUP_KEY }
  const own = join(folder, 'own.backup')
  // Without it, the migration of the queue would wait first.
  await migrateQueue({ connection: databaseUrl, config: service.deps.config, log: service.deps.log })
  await withConnection(databaseUrl, async (client) => {
    // Holds the restore in its transaction.
    await client.query(`select pg_advisory_lock(${SCHEMA_LOCK})`)
    const restoring = run(['restore', own], { env })
    const waiting = `from pg_stat_activity where datname = current_database() and application_name = 'bellwether-restore'
      and wait_event_type = 'Lock'`
    await eventually('the restore waits', async () => (await client.query(`select ${waiting}`)).rowCount === 1)
    assert.ok(existsSync(join(env.DATA_DIR, 'secrets.key')))
    await client.query(`select pg_terminate_backend(pid) ${waiting}`)
    assert.equal(await restoring.exited, 1)
    assert.match(restoring.output(), /^The connection to the database was lost: /m)
  })
  assert.ok(!existsSync(join(env.DATA_DIR, 'secrets.key')))
  await commands(env).json('restore', own)
})

test('a damaged, shortened, foreign or later backup is refused and leaves the database empty', async () => {
  const databaseUrl = await emptyDatabase()
  const env = { ...beside({ databaseUrl }), BACKUP_KEY }
  const into = commands(env)
  const bytes = readFileSync(file)
  const changed = Buffer.from(bytes)
  changed[bytes.length - 100] = (changed[bytes.length - 100] as number) ^ 1
  const wrong: [string, Buffer, RegExp][] = [
    ['changed', changed, /^The backup is damaged/],
    ['shortened', bytes.subarray(0, -20), /^The backup is damaged/],
    ['foreign', Buffer.from('PGDMP and more than fifty bytes of another program, to be sure'), /^This is not a backup/],
  ]
  for (const [name, data, message] of wrong) {
    const path = join(folder, `${name}.backup`)
    writeFileSync(path, data)
    for (const words of [['backup', 'verify'], ['restore']]) {
      const { code, output } = await into.cli(...words, path)
      assert.deepEqual([code, message.test(output)], [1, true], `${words} ${name}: ${output}`)
    }
  }
  const otherKey = await commands({ ...env, BACKUP_KEY: 'cd'.repeat(32) }).cli('restore', file)
  assert.match(otherKey.output, /^This backup was made with another BACKUP_KEY/)
  const { BACKUP_KEY: _key, ...keyless } = env
  assert.match((await commands(keyless).cli('restore', file)).output, /^Backups are encrypted. Set BACKUP_KEY/)
  assert.match((await commands(keyless).cli('backup', folder)).output, /^Backups are encrypted. Set BACKUP_KEY/)
  const otherSecrets = await commands({ ...env, SECRETS_KEY: '33'.repeat(32) }).cli('restore', file)
  assert.match(otherSecrets.output, /^SECRETS_KEY is not the key of the installation/)

  const later = await cloneDatabase()
  await query(later, `insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')`)
  await commands({ ...env, DATABASE_URL: later }).json('backup', join(folder, 'later.backup'))
  const refused = await into.cli('restore', join(folder, 'later.backup'))
  assert.match(refused.output, /^A later version made this backup \(9999-of-tomorrow\)/)

  const left = await query(
    databaseUrl,
    `select table_name from information_schema.tables where table_schema = 'public'`,
  )
  assert.deepEqual(left, [])
  await into.json('restore', file)
})

test('a failed backup to a folder leaves no remains of killed ones', async () => {
  const target = join(folder, 'scheduled')
  const mark = installationMark(service.workspaceId)
  const time = '2026-11-18T02:00:00Z'
  mkdirSync(join(target, `bellwether-${mark}-2026-11-18T02-00-00Z.backup`), { recursive: true })
  for (const name of [
    `bellwether-${mark}-left.backup.partial`,
    `bellwether-${mark}-2026-01-01T00-00-00Z.backup.partial`,
  ])
    writeFileSync(join(target, name), '')
  const config = { ...service.deps.config, BACKUP_TARGET: target }
  await assert.rejects(backUpToTarget({ ...service.deps, config, now: () => new Date(time) }), { code: 'EISDIR' })
  assert.deepEqual(readdirSync(target), [
    `bellwether-${mark}-2026-11-18T02-00-00Z.backup`,
    `bellwether-${mark}-left.backup.partial`,
  ])
})

test('scheduled backups go to a bucket, old ones are removed, and a failure needs attention until it is mended', async () => {
  const attention = async () =>
    (await service.admin.expect(200, 'GET', '/v1/attention')).filter(
      ({ kind }: { kind: string }) => kind === 'backup_failed',
    )
  const setAge = (hours: number) =>
    query(service.databaseUrl, `update installation set backed_up_at = now() - interval '${hours} hours'`)
  const mark = installationMark(service.workspaceId)
  const nameOf = (day: string, installation = mark) => `bellwether-${installation}-${day}T00-00-00Z.backup`
  const put = (name: string) => bucket.objects.set(`daily/${name}`, Buffer.from(''))
  const list = () => from.json('backup', 'list')
  bucket.uploads.set('left', { key: `daily/${nameOf('2026-01-01')}`, parts: new Map() })
  bucket.uploads.set('foreign', { key: `daily/${nameOf('2026-01-01', 'f0f0f0f0')}`, parts: new Map() })
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) put(nameOf(day))
  put('notes.txt')

  bucket.fail('denied', /^POST /)
  await service.run(takeDueBackup, {})
  assert.match((await attention())[0].message, /The bucket sandbox responded to POST .*: 403 AccessDenied/)
  assert.deepEqual([...bucket.uploads.keys()], ['foreign'], 'remains are removed before the upload')

  const between = await withConnection(service.databaseUrl, async (client) => {
    await client.query('begin; lock table accounts in access exclusive mode')
    const backingUp = service.run(takeDueBackup, {})
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'lock table%'`
    await eventually('the snapshot waits', async () => (await query(service.databaseUrl, waiting)).length === 1)
    const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
    await client.query('commit')
    await backingUp
    return rows[0]?.now
  })
  const [recorded] = await query(
    service.databaseUrl,
    `select backed_up_at < '${between}' as is_early from installation`,
  )
  assert.deepEqual(recorded, { is_early: true }, 'its age counts from the snapshot')
  const [newest, second, ...older] = await list()
  assert.deepEqual([second.name, older], [nameOf('2026-01-03'), []])
  assert.equal(newest.installation, mark)
  assert.ok(newest.bytes > 10_000)
  assert.ok(bucket.objects.has('daily/notes.txt'), 'other files stay')
  assert.equal((await from.json('backup', 'verify')).location, `s3://sandbox/daily/${newest.name}`)
  assert.match((await service.as(null).get('/metrics')).text, /^bellwether_backup_age_seconds \d/m)
  const count = bucket.requests.length
  await service.run(takeDueBackup, {})
  assert.equal(bucket.requests.length, count, 'it is not due')
  assert.deepEqual(await attention(), [])

  await setAge(25)
  for (const day of ['2026-01-01', '2026-01-02']) put(nameOf(day))
  bucket.fail('denied', /^DELETE /)
  await service.run(takeDueBackup, {})
  const [problem] = await attention()
  assert.match(
    problem.message,
    /The backup was stored, but old ones could not be removed: .* DELETE .*403 AccessDenied/,
  )
  const requests = bucket.requests.length
  await service.run(takeDueBackup, {})
  assert.equal(bucket.requests.length, requests, 'it is not due')
  await setAge(25)
  const { client } = await service.member()
  assert.deepEqual(await client.expect(200, 'GET', '/v1/attention'), [])
  await service.run(takeDueBackup, {})
  assert.deepEqual(await attention(), [])
  await setAge(49)
  assert.match((await attention())[0].message, /^The scheduled backup is overdue/)
  await query(service.databaseUrl, 'update installation set backed_up_at = null')
  assert.deepEqual(await attention(), [], 'the installation is new')
  await query(service.databaseUrl, `update workspaces set created_at = now() - interval '49 hours'`)
  assert.match((await attention())[0].message, /^The scheduled backup is overdue/)
  await assert.rejects(backUpToTarget(service.deps, AbortSignal.abort(new DOMException('late', 'TimeoutError'))))
  assert.match((await attention())[0].message, /^Problem with the last backup: It did not end within 12 hours/)

  // Made while the clock was ahead, and by another installation.
  for (const year of [2098, 2099]) put(nameOf(`${year}-01-01`))
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) put(nameOf(day, 'f0f0f0f0'))
  const { location } = await from.json('backup')
  const own = (await list()).filter(({ installation }: { installation: string }) => installation === mark)
  assert.deepEqual(
    own.map(({ name }: { name: string }) => `s3://sandbox/daily/${name}`),
    [`s3://sandbox/daily/${nameOf('2099-01-01')}`, location],
    'the new backup stays',
  )
  assert.equal((await list()).length, 5)
  const unclear = await from.cli('backup', 'verify')
  assert.match(unclear.output, /^s3:\/\/sandbox\/daily has backups of several installations\. Name one of them: s3:/)

  const wrong = { ...bucket.env('daily'), BACKUP_S3_SECRET_ACCESS_KEY: 'another' }
  const refused = await commands({ ...beside(service), BACKUP_KEY, ...wrong }).cli('backup')
  assert.match(refused.output, /403 SignatureDoesNotMatch/)
  assert.ok(readdirSync(folder).every((name) => !name.endsWith('.partial')))
})
