import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { RateLimit } from '../src/http/rate-limit.ts'
import { loadSecrets, Secrets } from '../src/shared/secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a sealed value opens only with its key and purpose', () => {
  const secrets = new Secrets(Buffer.alloc(32, 1))
  const sealed = secrets.seal('https://hooks.example.com/token', 'table.column row-1')
  assert.equal(secrets.open(sealed, 'table.column row-1'), 'https://hooks.example.com/token')
  assert.throws(() => secrets.open(sealed, 'table.column row-2'))
  assert.throws(() => new Secrets(Buffer.alloc(32, 2)).open(sealed, 'table.column row-1'))
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
  assert.throws(() => secrets.open(changed, 'table.column row-1'))
  assert.notDeepEqual(secrets.seal('same', 'p'), secrets.seal('same', 'p'))
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
