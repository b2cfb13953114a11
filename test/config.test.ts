import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

test('docs/configuration.md is up to date with npm run docs', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('docs/configuration.md has one row for every variable', () => {
  const rows = [...configurationPage().matchAll(/^\| `([A-Z_]+)` +\|/gm)].map((match) => match[1])
  assert.deepEqual(rows.sort(), Object.keys(VARIABLES).sort())
})
