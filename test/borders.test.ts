import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { crossedBorders } from '../scripts/check-borders.ts'

test('no source file crosses a border', () => {
  assert.deepEqual(crossedBorders(fileURLToPath(new URL('../src', import.meta.url))), [])
})

const CROSSINGS: Record<string, string> = {
  'engine/detect.ts': "import { sql } from 'kysely'",
  'engine/page.ts': "import { connect } from '../db/connect.ts'",
  'resources/accounts/routes.ts': "import { sql } from 'kysely'",
  'resources/accounts/store.ts': "import { op } from '../../http/operation.ts'",
  'resources/people/find.ts': "import { accountRoutes } from '../accounts/routes.ts'",
  'db/connect.ts': "import { ROUTES } from '../resources/routes.ts'",
  'resources/accounts/scan.job.ts': "import { PgBoss } from 'pg-boss'",
  'providers/web/fetch.ts': "const { request } = await import('undici')",
  'http/server.ts': "import { startService } from '../main.ts'",
  'log.ts': 'export const level = process.env.LOG_LEVEL',
}

for (const [file, line] of Object.entries(CROSSINGS)) {
  test(`${file} must not hold: ${line}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'bellwether-borders-'))
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), `${line}\n`)
    assert.equal(crossedBorders(root).length, 1)
  })
}
