import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkBorders } from '../scripts/check-borders.ts'

test('the source crosses no border, has no import circle, imports nothing uphill and exports no name twice', () => {
  const { crossed, figures } = checkBorders(fileURLToPath(new URL('../src', import.meta.url)))
  assert.deepEqual(crossed, [])
  assert.match(figures.join(' '), /twice: 0\. .* 0 among \d+ folders, 0 among \d+ files\. Imports uphill: 0\.$/)
})

/** One file, one line, one border: what is said of it names the reason. */
const CROSSINGS: [file: string, line: string, because: RegExp][] = [
  ['engine/detect/index.ts', "import pg from 'pg'", /the engine is pure/],
  ['engine/page/index.ts', "import { readFile } from 'node:fs/promises'", /the engine is pure/],
  ['engine/draft/index.ts', "import { loadConfig } from '../../config/config.ts'", /the engine is pure/],
  ['people/roster/sync.ts', "import { parseList } from '../../engine/json/parse-list.ts'", /opened in parser threads/],
  [
    'providers/web/own-site.ts',
    "import { parseList } from '../../engine/json/parse-list.ts'",
    /opened in parser threads/,
  ],
  ['resources/accounts/routes.ts', "import { connect } from '../../db/connect.ts'", /a route is a line of a table/],
  ['resources/runs/start.ts', "import { accountRoutes } from '../accounts/routes.ts'", /only app\/routes.ts collects/],
  ['resources/accounts/store.ts', "import { op } from '../../http/operation.ts'", /a store holds SQL and no rules/],
  ['delivery/crm/store.ts', "import { CRM_VENDORS } from '../../providers/crm/registry.ts'", /calls no provider/],
  ['people/lookup-store.ts', "import { find } from './search/find.ts'", /imports nothing above it/],
  ['resources/accounts/store.ts', "export const columns = ['id']", /called a store and holds no SQL/],
  ['research/accounts/activate.ts', "import { sql } from 'kysely'", /SQL lives in stores/],
  ['research/scan/scan.ts', "db.selectFrom('runs')", /SQL lives in stores/],
  ['delivery/push.ts', 'await sql<number>`select 1`.execute(db)', /SQL lives in stores/],
  ['http/auth.ts', "import type { Key } from '../resources/api-keys/store.ts'", /http serves any resource/],
  ['providers/crm/types.ts', "import type { Crm } from '../../db/crm-tables.ts'", /does not use the database/],
  ['research/scan/scan.ts', "import { PgBoss } from 'pg-boss'", /imports pg-boss/],
  [
    'providers/web/fetch-page.ts',
    "const { request } = await import('undici')",
    /only outbound\/ opens network connections/,
  ],
  [
    'providers/news/feed.ts',
    "const page = await fetch('https://a.example')",
    /only outbound\/ opens network connections/,
  ],
  ['cli/main.ts', "import { env } from 'node:process'", /the only reader of the environment/],
  ['cli/remote/accounts.ts', "import { print } from '../context.ts'", /loads nothing of the service/],
  [
    'cli/remote/accounts.ts',
    "import { listAccounts } from '../../resources/accounts/store.ts'",
    /loads nothing of the/,
  ],
  ['app/log.ts', 'export const level = process.env.LOG_LEVEL', /the only reader of the environment/],
  ['http/server.ts', "import { startService } from '../app/service.ts'", /uphill: http below app/],
  ['db/connect.ts', "import { API_ROUTES } from '../app/routes.ts'", /uphill: database and network below app/],
  ['resources/accounts/create.ts', "import { scan } from '../../research/scan/scan.ts'", /resources below research/],
  ['people/moves/record.ts', "import { ingest } from '../../research/ingest.ts'", /uphill: people below research/],
  ['delivery/push.ts', "import { recordMoves } from '../people/moves/record.ts'", /uphill: delivery below people/],
  ['deps/deps.ts', "import type { Queue } from '../jobs/queue.ts'", /uphill: dependencies below jobs/],
  ['rooms/scan.ts', 'export const x = 1', /is in no layer/],
]

for (const [file, line, because] of CROSSINGS) {
  test(`${file} must not hold: ${line}`, () => {
    const crossed = crossedIn({ [file]: line })
    assert.ok(
      crossed.some((one) => because.test(one)),
      crossed.join('\n'),
    )
  })
}

test('folders must not import each other in a circle, types included', () => {
  const crossed = crossedIn({
    'research/ingest.ts': "import { scan } from './scan/scan.ts'",
    'research/scan/scan.ts': "import type { Ingested } from '../context.ts'",
    'research/context.ts': 'export type Ingested = { id: string }',
  })
  assert.deepEqual(crossed, ['research <-> research/scan: folders that import each other in a circle'])
})

test('files must not import each other in a circle, types included', () => {
  const crossed = crossedIn({
    'people/save.ts': "import { scopesOf } from './erasure-scopes.ts'",
    'people/erasure-scopes.ts': "import type { Saved } from './save.ts'",
  })
  assert.deepEqual(crossed, ['people/erasure-scopes.ts <-> people/save.ts: files that import each other in a circle'])
})

test('an exported name must not occur twice, except in vendors of one shape', () => {
  const crossed = crossedIn({
    'people/save.ts': 'export const LIMIT = 1',
    'people/erasure-scopes.ts': 'export type LIMIT = 2',
    'providers/crm/hubspot/api.ts': 'export function open() {}',
    'providers/crm/salesforce/api.ts': 'export async function open() {}',
  })
  assert.deepEqual(crossed, ['LIMIT is exported more than once: people/erasure-scopes.ts, people/save.ts'])
})

function crossedIn(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'bellwether-borders-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true })
      writeFileSync(join(root, file), `${text}\n`)
    }
    return checkBorders(root).crossed
  } finally {
    rmSync(root, { recursive: true })
  }
}
