import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configurationPage } from '../scripts/write-configuration.ts'
import { loadConfig } from '../src/config/config.ts'
import { VARIABLES } from '../src/config/variables.ts'

test('an empty environment gives the defaults, frozen', () => {
  const config = loadConfig({})
  assert.deepEqual(
    [config.PORT, config.HOST, config.DATABASE_URL, config.RATE_LIMIT_PER_MINUTE],
    [3000, '127.0.0.1', null, 6000],
  )
  assert.ok(Object.isFrozen(config))
})

const WRONG: Record<string, string[]> = {
  PORT: ['http', '-1', '65536', '3.5'],
  DATABASE_URL: ['mysql://x', 'localhost'],
  LOG_LEVEL: ['loud'],
  RATE_LIMIT_PER_MINUTE: ['0', 'many'],
  BELLWETHER_API_KEY: ['short', 'has spaces in it'],
  SECRETS_KEY: ['abc', '00'],
  OUTBOUND_ALLOW: ['localhost', 'http://x:1'],
  SMTP_URL: ['mail.example', 'http://mail.example', 'smtp://', 'smtp://a:%zz@mail.example', 'smtp://mail.example/?x'],
  MAIL_FROM: ['Bellwether', 'a@b', 'A <a@b.example>, B <b@b.example>', 'A\r\nBcc: <a@b.example>'],
  SMTP_TLS: ['yes'],
  BACKUP_TARGET: [
    's3://',
    'S3://bucket/folder',
    'gs://bucket',
    'https://host.example/x',
    '/mnt/x.backup',
    's3://b/x.backup',
  ],
}

for (const [name, values] of Object.entries(WRONG)) {
  test(`an invalid ${name} is reported in one line with its name and the accepted values`, () => {
    for (const value of values) {
      assert.throws(() => loadConfig({ MAIL_FROM: 'a@b.example', [name]: value }), {
        name: 'SetupError',
        message: `${name} must be ${VARIABLES[name as keyof typeof VARIABLES].expected}.`,
      })
    }
  })
}

test('a secret is read from the file that NAME_FILE names, and only a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-config-'))
  const file = join(folder, 'secret')
  writeFileSync(file, 'bw_from-a-file\n')
  const config = loadConfig({ BELLWETHER_API_KEY_FILE: file, PORT: '8080', PORT_FILE: file })
  assert.equal(config.BELLWETHER_API_KEY, 'bw_from-a-file')
  assert.deepEqual(
    [...config.given],
    [
      ['PORT', '8080'],
      ['BELLWETHER_API_KEY', null],
    ],
  )
  for (const [env, message] of [
    [{ BELLWETHER_API_KEY: 'bw_another-key' }, /^BELLWETHER_API_KEY and BELLWETHER_API_KEY_FILE are both set/],
    [{ BELLWETHER_API_KEY_FILE: join(folder, 'none') }, /^BELLWETHER_API_KEY_FILE names a file that cannot be used/],
  ] as const) {
    assert.throws(() => loadConfig({ BELLWETHER_API_KEY_FILE: file, ...env }), { name: 'SetupError', message })
  }
  writeFileSync(file, 'short\n')
  assert.throws(() => loadConfig({ BELLWETHER_API_KEY_FILE: file }), {
    message: /^BELLWETHER_API_KEY must be 8 to 200/,
  })
  rmSync(folder, { recursive: true })
})

test('the sender of mail is an address with or without a name, and belongs to a mail server', () => {
  const SMTP_URL = 'smtp://user:p%40ss@mail.example:587'
  const sender = (MAIL_FROM: string) => loadConfig({ SMTP_URL, MAIL_FROM }).MAIL_FROM
  assert.deepEqual(sender('alerts@b.example'), { name: '', address: 'alerts@b.example' })
  assert.deepEqual(sender('Northwind Alerts <alerts@b.example>'), {
    name: 'Northwind Alerts',
    address: 'alerts@b.example',
  })
  assert.throws(() => loadConfig({ SMTP_URL }), { message: 'MAIL_FROM must be set, because SMTP_URL is.' })
})

test('each mistake in a sign-in provider is one line that says what to write', () => {
  const good = {
    id: 'keycloak',
    name: 'Keycloak',
    issuer: 'https://sso.example.com/realms/main',
    client_id: 'bellwether',
    groups: [{ group: 'sales' }],
  }
  const PUBLIC_URL = 'https://bellwether.example.com'
  const read = (...providers: object[]) =>
    loadConfig({ PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify(providers) }).OIDC_PROVIDERS
  assert.deepEqual(read(good)[0]?.groups, [{ group: 'sales', workspace: null, role: 'member', visibility: 'all' }])
  const shared = 'https://login.microsoftonline.com/Common/v2.0'
  for (const [fields, line] of [
    [{ id: 'Key Cloak' }, '.id must be a short name of a-z, 0-9 and -.'],
    [{ client_id: undefined }, '.client_id is missing; write the client id that the provider issued.'],
    [
      { issuer: 'sso.example.com' },
      '.issuer must be the URL before /.well-known/openid-configuration, without a query.',
    ],
    [
      { issuer: `${good.issuer}/.well-known/openid-configuration` },
      '.issuer must be the URL before /.well-known/openid-configuration, without a query.',
    ],
    [{ issuer: shared }, '.issuer must name your tenant: https://login.microsoftonline.com/<tenant id>/v2.0.'],
    [{ scopes: 'email' }, '.scopes must be scopes separated by spaces, with openid.'],
    [{ groups: [{ group: 'a', role: 'owner' }] }, '.groups[0].role must be admin or member.'],
    [{ default: {} }, '.allowed_domains is missing; with default, everyone at the provider could sign in without it.'],
    [
      { trust_email: true },
      '.allowed_domains is missing; with trust_email, write the domains whose addresses you assign.',
    ],
    [
      { parameters: { redirect_uri: 'https://evil.example' } },
      '.parameters must be texts by name, without the parameters that the sign-in sets itself.',
    ],
  ] as const) {
    assert.throws(() => read({ ...good, ...fields }), { name: 'SetupError', message: `OIDC_PROVIDERS[0]${line}` })
  }
  assert.throws(() => read(good, good), { message: /^OIDC_PROVIDERS\[1\]\.id must differ from the others/ })
  assert.throws(
    () => read({ ...good, secret: 'x', name: '' }),
    (error: Error) => error.message.split('\n').length === 2,
  )
  assert.throws(() => loadConfig({ OIDC_PROVIDERS: JSON.stringify([good]) }), {
    name: 'SetupError',
    message: 'PUBLIC_URL must be set to the address that people open, because OIDC_PROVIDERS is.',
  })
  assert.throws(() => loadConfig({ OIDC_PROVIDERS: '{' }), { message: /^OIDC_PROVIDERS must be a JSON list/ })
})

test('docs/configuration.md is up to date with npm run docs', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('docs/configuration.md has one row for every variable', () => {
  const rows = [...configurationPage().matchAll(/^\| `([A-Z0-9_]+)` +\|/gm)].map((match) => match[1])
  assert.deepEqual(rows.sort(), Object.keys(VARIABLES).sort())
})
