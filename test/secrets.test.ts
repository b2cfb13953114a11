import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { RateLimit } from '../src/http/rate-limit.ts'
import { loadKeyRing } from '../src/setup/key-ring.ts'
import { beginRotation, cancelRotation, finishRotation, reencrypt } from '../src/setup/rotate-secrets.ts'
import { purposeOf, SEALED_COLUMNS } from '../src/shared/sealed-columns.ts'
import { loadSecrets, prepareNextKey, replaceKeyFile, Secrets } from '../src/shared/secrets.ts'
import { testService } from './support/service.ts'

const AT_ONCE = { activationSeconds: 0, settlingSeconds: 0 }
const folder = mkdtempSync(join(tmpdir(), 'bellwether-secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a sealed value opens only with its key and purpose', () => {
  const secrets = new Secrets(Buffer.alloc(32, 1))
  const row = ['alert_rules.teams_url', 'workspace', 'rule-1'] as const
  const sealed = secrets.seal('https://hooks.example.com/token', ...row)
  assert.equal(secrets.open(sealed, ...row), 'https://hooks.example.com/token')
  assert.throws(() => secrets.open(sealed, 'alert_rules.teams_url', 'workspace', 'rule-2'))
  assert.throws(() => secrets.open(sealed, 'webhook_destinations.url', 'workspace', 'rule-1'))
  assert.throws(() => new Secrets(Buffer.alloc(32, 2)).open(sealed, ...row))
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
  assert.throws(() => secrets.open(changed, ...row))
  assert.notDeepEqual(secrets.seal('same', ...row), secrets.seal('same', ...row))
})

test('a value that an earlier version stored can be decrypted', () => {
  const [workspace, row, hash] = ['019a8f3e-7c1b', '019a8f3e-7c1c', Buffer.from('a5ff', 'hex')]
  const purposes = [
    purposeOf('alert_rules.teams_url', [workspace, row]),
    purposeOf('connections.credential', [workspace, 'slack']),
    purposeOf('idempotency_keys.answer', [workspace, row, 'a key']),
    purposeOf('notification_settings.webhook_url', [workspace]),
    purposeOf('oauth_states.verifier', [workspace, hash]),
    purposeOf('webhook_destinations.secret', [workspace, row]),
  ]
  assert.deepEqual(purposes, [
    `alert_rules.teams_url ${workspace} ${row}`,
    `connections.credential ${workspace} slack`,
    `idempotency_keys.answer ${workspace} ${row} a key`,
    `notification_settings.webhook_url ${workspace}`,
    `oauth_states.verifier ${workspace} a5ff`,
    `webhook_destinations.secret ${workspace} ${row}`,
  ])
})

test('a key is generated once, not readable by others, and a damaged one is reported', () => {
  const first = loadSecrets(null, folder)
  assert.deepEqual(loadSecrets(null, folder).check, first.check)
  assert.equal(statSync(join(folder, 'secrets.key')).mode & 0o777, 0o600)
  assert.match(readFileSync(join(folder, 'secrets.key'), 'utf8'), /^[0-9a-f]{64}\n$/)
  writeFileSync(join(folder, 'secrets.key'), 'abc')
  assert.throws(() => loadSecrets(null, folder), { name: 'SetupError', message: /secrets\.key cannot be used/ })
})

test('a window of the rate limit ends after a minute', () => {
  const headers: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => Object.assign(headers, { [name]: value }) }
  const limit = new RateLimit(2)
  const take = (now: number) => limit.take('caller', reply as never, now)
  take(0)
  take(1000)
  assert.throws(() => take(59_000), { code: 'rate_limited', retryAfter: 1 })
  take(60_000)
  assert.equal(headers.ratelimit, '"default";r=1;t=60')
})

test('every encrypted column of the database is known to the rotation', async () => {
  const { deps } = await testService()
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_sealed' and table_name <> 'secret_keys'`.execute(deps.db)
  assert.deepEqual(
    rows.map(({ name }) => name).sort(),
    SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
  )
})

test('the key is rotated while a process with the old one runs, then only the new one is accepted', async () => {
  const { deps, admin } = await testService()
  const { db, secrets } = deps
  const destination = { name: 'CRM', url: 'https://93.184.216.34/hook-token' }
  const { id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', destination)
  const readSecret = async () =>
    (await admin.expect(200, 'GET', '/v1/webhook-destinations')).find((one: { id: string }) => one.id === id).secret
  const signing = await readSecret()
  assert.match(signing, /^whsec_/)
  const suppression = secrets.suppressionKey
  const numbers = async () => {
    const { rows } = await sql<{ number: number }>`
      select distinct get_byte(url_sealed, 0) as number from webhook_destinations`.execute(db)
    return rows.map(({ number }) => number)
  }
  const dataKeys = async () => {
    const rows = await db
      .selectFrom('secret_keys')
      .select('name')
      .where('name', 'like', 'data-%')
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }
  const old = new Secrets(secrets.master)
  const next = new Secrets(Buffer.alloc(32, 9))

  // A key that is not active yet encrypts nothing, but every process can already read it.
  await beginRotation(db, secrets, next, { ...AT_ONCE, activationSeconds: 3600 })
  await loadKeyRing(db, secrets)
  assert.equal(secrets.current, 1)
  await assert.rejects(() => beginRotation(db, secrets, new Secrets(Buffer.alloc(32, 8)), AT_ONCE), {
    message: /A rotation to another SECRETS_KEY is not finished/,
  })
  await db.updateTable('secret_keys').set({ active_at: sql`now()` }).where('name', '=', 'data-2').execute()
  await beginRotation(db, secrets, next, AT_ONCE)
  await reencrypt(db, secrets)
  assert.deepEqual(await numbers(), [2])
  assert.equal(await readSecret(), signing)

  await loadKeyRing(db, next)
  assert.equal(next.current, 2)
  assert.deepEqual(next.suppressionKey, suppression)
  const { id: later } = await admin.expect(201, 'POST', '/v1/webhook-destinations', { ...destination, name: 'Later' })
  const sealed = await db
    .selectFrom('webhook_destinations')
    .select('url_sealed')
    .where('id', '=', later)
    .executeTakeFirstOrThrow()
  const { workspace_id } = await db.selectFrom('webhook_destinations').select('workspace_id').executeTakeFirstOrThrow()
  assert.equal(next.open(sealed.url_sealed, 'webhook_destinations.url', workspace_id, later), destination.url)

  await assert.rejects(() => finishRotation(db, old), { message: /^This is the old SECRETS_KEY/ })
  await finishRotation(db, next)
  await assert.rejects(() => finishRotation(db, next), { message: /^There is no rotation to finish/ })
  await assert.rejects(() => loadKeyRing(db, old), { name: 'SetupError', message: /is not the key this database/ })
  await loadKeyRing(db, next)
  // A process that runs on has the keys.
  assert.equal(await readSecret(), signing)
  // A cancelled rotation changes nothing, and the key of an interrupted one is not lost.
  const lost = new Secrets(Buffer.alloc(32, 11))
  await beginRotation(db, next, lost, AT_ONCE)
  await assert.rejects(() => cancelRotation(db, lost), { message: /^This is the new SECRETS_KEY/ })
  await cancelRotation(db, next)
  await assert.rejects(() => loadKeyRing(db, lost), { message: /is not the key this database/ })
  await loadKeyRing(db, next)
  // Again, from the new key, when no process uses the one before it.
  const third = new Secrets(Buffer.alloc(32, 10))
  await assert.rejects(() => beginRotation(db, next, third, { ...AT_ONCE, settlingSeconds: 3600 }), {
    message: /^Some processes may still encrypt with the key before the present one/,
  })
  assert.deepEqual(await dataKeys(), ['data-2', 'data-3'])
  await beginRotation(db, next, third, AT_ONCE)
  await reencrypt(db, next)
  await finishRotation(db, third)
  await loadKeyRing(db, third)
  assert.deepEqual([third.current, await numbers()], [4, [4]])
  assert.deepEqual(third.suppressionKey, suppression)
})

test('the new key of an interrupted rotation is used again, until it replaces the generated key', () => {
  const home = mkdtempSync(join(folder, 'rotated-'))
  const before = loadSecrets(null, home).check
  const next = prepareNextKey(home)
  assert.deepEqual(prepareNextKey(home), next)
  assert.deepEqual(loadSecrets(null, home).check, before)
  const old = readFileSync(join(home, 'secrets.key'), 'utf8')
  const kept = replaceKeyFile(home, new Date('2026-11-18T09:30:00.000Z'))
  assert.equal(kept, join(home, 'secrets.key.20261118T093000Z'))
  assert.deepEqual([readFileSync(kept, 'utf8'), statSync(kept).mode & 0o777], [old, 0o600])
  assert.deepEqual(loadSecrets(null, home).master, next)
  assert.notDeepEqual(prepareNextKey(home), next)
})

test('a damaged value does not stop a rotation, and is reported', async () => {
  const { deps, admin, workspaceId } = await testService()
  const { db, secrets } = deps
  const destination = { name: 'Damaged', url: 'https://93.184.216.34/hook-token' }
  const { id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', destination)
  await admin.expect(201, 'POST', '/v1/webhook-destinations', { ...destination, name: 'Whole' })
  const damaged = { url_sealed: Buffer.alloc(40, 1), former_secret_sealed: Buffer.alloc(0) }
  await db.updateTable('webhook_destinations').set(damaged).where('id', '=', id).execute()
  const next = new Secrets(Buffer.alloc(32, 9))
  await beginRotation(db, secrets, next, AT_ONCE)
  const { count, unreadable } = await reencrypt(db, secrets)
  assert.equal(count, 3)
  assert.deepEqual(unreadable, [
    `webhook_destinations.url_sealed ${workspaceId} ${id}`,
    `webhook_destinations.former_secret_sealed ${workspaceId} ${id}`,
  ])
  await finishRotation(db, next)
  assert.deepEqual(await reencrypt(db, next), { count: 0, unreadable })
})
