import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Command } from 'commander'
import { secretsCommands } from '../src/cli/secrets.ts'
import { beginRotation } from '../src/setup/rotate-secrets.ts'
import { loadSecrets, prepareNextKey, replaceKeyFile, Secrets } from '../src/shared/secrets.ts'
import { cloneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { testService } from './support/service.ts'

/** The commands run while services run, which read the keys often, so that nothing has to wait for them. */
const KEY = process.env.TEST_SECRETS_KEY as string
const REFRESH_MS = 20
const AT_ONCE = { activationSeconds: 0, settlingSeconds: 0 }

/** Runs `bellwether secrets …` in this process, with its own database connection and copy of the keys. */
async function secretsCommand(env: Record<string, string>, ...args: string[]): Promise<string> {
  let text = ''
  const write = (part: string) => {
    text += part
    return true
  }
  const before = process.env
  process.env = { PATH: before.PATH, ...env }
  try {
    const program = new Command().exitOverride()
    const io = { stdout: { write }, stderr: { write } } as unknown as Parameters<typeof secretsCommands>[1]
    secretsCommands(program, io, AT_ONCE)
    await program.parseAsync(['node', 'bellwether', 'secrets', ...args])
  } finally {
    process.env = before
  }
  return text
}

function keyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-key-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A service with the generated key in its folder, and a destination whose secret it reads. */
async function withGeneratedKey() {
  const DATA_DIR = keyFolder()
  writeFileSync(join(DATA_DIR, 'secrets.key'), `${KEY}\n`, { mode: 0o600 })
  const databaseUrl = await cloneDatabase()
  const start = () => testService({ databaseUrl, env: { DATA_DIR, SECRETS_KEY: '' }, keyRefreshMs: REFRESH_MS })
  const service = await start()
  const destination = { name: 'CRM', url: 'https://93.184.216.34/hook-token' }
  const { secret } = await service.admin.expect(201, 'POST', '/v1/webhook-destinations', destination)
  const env = { DATABASE_URL: databaseUrl, DATA_DIR }
  return { DATA_DIR, env, service, start, secret }
}

const readSecret = async ({ admin }: Awaited<ReturnType<typeof testService>>) => {
  const { status, data } = await admin.get('/v1/webhook-destinations')
  return status === 200 ? data[0].secret : null
}

test('the generated key is replaced while a service runs, which reads the file again', async () => {
  const { DATA_DIR, env, service, start, secret } = await withGeneratedKey()
  const text = await secretsCommand(env, 'rotate')
  assert.match(text, /^\d+ stored secrets were encrypted with the new key\.\nsecrets\.key in DATA_DIR is replaced/)
  const [, kept = ''] = /(secrets\.key\.\w+) keeps it/.exec(text) ?? []
  assert.equal(readFileSync(join(DATA_DIR, kept), 'utf8').trim(), KEY)
  const { check } = loadSecrets(null, DATA_DIR)
  await eventually('the new key in the service', () => service.deps.secrets.check.equals(check))
  assert.equal(await readSecret(service), secret)
  await assert.rejects(secretsCommand({ ...env, SECRETS_KEY: KEY }, 'finish'), /is not the key this database/)
  await service.stop()
  assert.equal(await readSecret(await start()), secret)
})

test('a rotation that ended after the file was replaced is finished by the next run', async () => {
  const { DATA_DIR, env, service, secret } = await withGeneratedKey()
  const { db, secrets } = service.deps
  const next = new Secrets(prepareNextKey(DATA_DIR))
  await beginRotation(db, new Secrets(secrets.master), next, AT_ONCE)
  replaceKeyFile(DATA_DIR, new Date())
  const before = readdirSync(DATA_DIR)
  assert.match(await secretsCommand(env, 'rotate'), /The rotation that was interrupted is finished/)
  assert.deepEqual(readdirSync(DATA_DIR), before)
  await assert.rejects(secretsCommand(env, 'finish'), /There is no rotation to finish/)
  await eventually('the new key in the service', () => service.deps.secrets.check.equals(next.check))
  assert.equal(await readSecret(service), secret)
})

test('a cancelled rotation of the generated key is not continued with its key', async () => {
  const { DATA_DIR, env, service } = await withGeneratedKey()
  const cancelled = prepareNextKey(DATA_DIR)
  await beginRotation(service.deps.db, new Secrets(Buffer.from(KEY, 'hex')), new Secrets(cancelled), AT_ONCE)
  assert.match(await secretsCommand(env, 'cancel'), /The rotation is cancelled/)
  await secretsCommand(env, 'rotate')
  assert.notDeepEqual(loadSecrets(null, DATA_DIR).master, cancelled)
})

test('finish waits until the new key is active, then encrypts every value with it', async () => {
  const { DATA_DIR, env, service } = await withGeneratedKey()
  const next = new Secrets(prepareNextKey(DATA_DIR))
  await beginRotation(service.deps.db, new Secrets(Buffer.from(KEY, 'hex')), next, {
    ...AT_ONCE,
    activationSeconds: 0.5,
  })
  const text = await secretsCommand({ ...env, SECRETS_KEY: next.master.toString('hex') }, 'finish')
  assert.match(text, /^2 stored secrets were encrypted|\n2 stored secrets were encrypted/)
})

test('a key of the environment is rotated between restarts, then only the new one is accepted', async () => {
  const folder = keyFolder()
  const file = join(folder, 'new.key')
  writeFileSync(file, `${'b'.repeat(64)}\n`)
  const service = await testService({ keyRefreshMs: REFRESH_MS })
  const destination = { name: 'CRM', url: 'https://93.184.216.34/hook-token' }
  const { secret } = await service.admin.expect(201, 'POST', '/v1/webhook-destinations', destination)
  const env = { DATABASE_URL: service.databaseUrl, DATA_DIR: folder }
  const [old, next] = [
    { ...env, SECRETS_KEY: KEY },
    { ...env, SECRETS_KEY: 'b'.repeat(64) },
  ]
  await assert.rejects(secretsCommand(old, 'rotate'), /the new key must be one that you keep/)
  assert.match(await secretsCommand(old, 'rotate', '--new-key-file', file), /old and the new SECRETS_KEY now run/)
  await assert.rejects(secretsCommand(old, 'finish'), /This is the old SECRETS_KEY/)
  await assert.rejects(secretsCommand(next, 'cancel'), /This is the new SECRETS_KEY/)
  const again = secretsCommand(next, 'rotate', '--new-key-file', file)
  await assert.rejects(again, /the new one of a rotation that is not finished. Run "bellwether secrets finish"/)
  const restarted = await testService({ databaseUrl: service.databaseUrl, env: { SECRETS_KEY: next.SECRETS_KEY } })
  assert.deepEqual([await readSecret(service), await readSecret(restarted)], [secret, secret])
  assert.match(await secretsCommand(next, 'finish'), /The old SECRETS_KEY is no longer accepted/)
  await assert.rejects(secretsCommand(old, 'cancel'), /is not the key this database/)
  assert.equal(await readSecret(service), secret)
})
