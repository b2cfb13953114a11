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
}

for (const [name, values] of Object.entries(WRONG)) {
  test(`an invalid ${name} is reported in one line with its name and the accepted values`, () => {
    for (const value of values) {
      assert.throws(() => loadConfig({ [name]: value }), {
        name: 'SetupError',
        message: `${name} must be ${VARIABLES[name as keyof typeof VARIABLES].expected}.`,
      })
    }
  })
}

test('docs/configuration.md is up to date with npm run docs', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('docs/configuration.md has one row for every variable', () => {
  const rows = [...configurationPage().matchAll(/^\| `([A-Z_]+)` +\|/gm)].map((match) => match[1])
  assert.deepEqual(rows.sort(), Object.keys(VARIABLES).sort())
})
