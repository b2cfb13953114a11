import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkBorders } from '../scripts/check-borders.ts'

test('no source file crosses a border, no folders import each other in a circle, nothing is imported uphill', () => {
  const { crossed, graph } = checkBorders(fileURLToPath(new URL('../src', import.meta.url)))
  assert.deepEqual(crossed, [])
  assert.match(graph, /^\d\d nouns, 0 in cycles; \d+ folders, 0 in cycles; 0 imports uphill\.$/)
})

/** One file, one line, one border: what is said of it names the reason. */
const CROSSINGS: [file: string, line: string, because: RegExp][] = [
  ['engine/detect/index.ts', "import pg from 'pg'", /the engine is pure/],
  ['engine/page/index.ts', "import { readFile } from 'node:fs/promises'", /the engine is pure/],
  ['engine/draft/index.ts', "import { loadConfig } from '../../config.ts'", /the engine is pure/],
  [
    'people/roster/sync.ts',
    "import { openExternal } from '../../engine/open-external.ts'",
    /opened in reading threads/,
  ],
  ['providers/web/own-site.ts', "import { openExternal } from '../../engine/open-external.ts'", /opened in reading/],
  ['resources/accounts/routes.ts', "import { connect } from '../../db/connect.ts'", /a route is a line of a table/],
  ['resources/runs/start.ts', "import { accountRoutes } from '../accounts/routes.ts'", /the routes of another/],
  ['resources/accounts/store.ts', "import { op } from '../../http/operation.ts'", /a store holds SQL and no rules/],
  ['delivery/crm/store.ts', "import { CRM_VENDORS } from '../../providers/crm/registry.ts'", /asks no provider/],
  ['people/lookup-store.ts', "import { find } from './search/find.ts'", /imports nothing above it/],
  ['resources/accounts/store.ts', "export const columns = ['id']", /called a store and holds no SQL/],
  ['resources/accounts/activate.ts', "import { sql } from 'kysely'", /SQL lives in stores/],
  ['research/scan/scan.ts', "db.selectFrom('runs')", /SQL lives in stores/],
  ['delivery/run.ts', 'await sql<number>`select 1`.execute(db)', /SQL lives in stores/],
  ['http/auth.ts', "import type { Key } from '../resources/api-keys/store.ts'", /http serves any resource/],
  ['providers/crm/types.ts', "import type { Crm } from '../../db/crm-tables.ts'", /knows no database/],
  ['research/scan/scan.job.ts', "import { PgBoss } from 'pg-boss'", /knows pg-boss/],
  ['providers/web/fetch-page.ts', "const { request } = await import('undici')", /the only way out/],
  ['providers/news/feed.ts', "const page = await fetch('https://a.example')", /the only way out/],
  ['cli/main.ts', "import { env } from 'node:process'", /the only reader of the environment/],
  ['cli/remote/accounts.ts', "import { print } from '../context.ts'", /loads nothing of the service/],
  [
    'cli/remote/accounts.ts',
    "import { listAccounts } from '../../resources/accounts/store.ts'",
    /loads nothing of the/,
  ],
  ['log.ts', 'export const level = process.env.LOG_LEVEL', /the only reader of the environment/],
  ['http/server.ts', "import { startService } from '../main.ts'", /uphill: http below composition/],
  ['db/connect.ts', "import { ROUTES } from '../all-routes.ts'", /uphill: ground below composition/],
  ['research/ingest.ts', "import { activate } from '../resources/accounts/activate.ts'", /uphill: rooms below verbs/],
  ['deps.ts', "import type { Queue } from './jobs/queue.ts'", /uphill: parts below queue/],
  ['rooms/scan.ts', 'export const x = 1', /lies in no layer/],
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
    'research/ingest.ts': "import { sync } from '../people/sync.ts'",
    'people/sync.ts': "import type { Alert } from '../delivery/alert.ts'",
    'delivery/alert.ts': "import { ingest } from '../research/ingest.ts'",
  })
  assert.deepEqual(crossed, ['delivery <-> people <-> research: folders that import each other in a circle'])
})

test('nouns must not import each other in a circle, not even through their records', () => {
  const crossed = crossedIn({
    'resources/members/change.ts': "import { lock } from '../workspaces/store.ts'",
    'resources/members/store.ts': "import type { Db } from '../../db/connect.ts'",
    'resources/workspaces/create.ts': "import { insert } from '../members/store.ts'",
    'resources/workspaces/store.ts': "import type { Db } from '../../db/connect.ts'",
  })
  assert.deepEqual(crossed, ['resources/members <-> resources/workspaces: folders that import each other in a circle'])
})

test('a verb may call a room, and the room read the records of the same noun', () => {
  const crossed = crossedIn({
    'resources/accounts/activate.ts': "import { scan } from '../../research/scan.ts'",
    'research/scan.ts': "import { getAccount } from '../resources/accounts/store.ts'",
    'resources/accounts/store.ts': "import { sql } from 'kysely'",
  })
  assert.deepEqual(crossed, [])
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
