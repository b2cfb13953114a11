import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { FULL_COLUMNS, INSERT_ACCOUNTS, LIST_COLUMNS } from '../src/resources/accounts/store.ts'
import { load } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { startBenchService } from './support.ts'

/**
 * What the machine's PostgreSQL answers to pgbench, its own load generator in C: the physical limit of a service in front of it. The
 * statements are those of the requests, PostgreSQL writes the JSON, and nothing is checked, logged or sent over HTTP.
 */

const ACCOUNTS = 20_000
const CLIENTS = 8
const SECONDS = isQuick ? 2 : 5
const ROUNDS = isQuick ? 1 : 3

/** Debian keeps the programs of PostgreSQL out of the PATH. */
const pgbench = [
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'pgbench')),
  ...globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse(),
].find((file) => existsSync(file))

if (!pgbench) console.log('pgbench is not installed. On Debian: apt-get install postgresql-15')
else await measure(pgbench)

async function measure(program: string): Promise<void> {
  await using service = await startBenchService({ LIST_PAGES_MB: '0' })
  const { address, key, connection, workspaceId } = service
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees)
     select $1, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Company ' || n, 'company-' || n || '.com',
       'suggested', 'api', n % 100, '{common}', 'Retail', 'Germany', n
     from generate_series(1, $2::int) as n`,
    [workspaceId, ACCOUNTS],
  )
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()

  const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
  const some = `('00000000-0000-4000-8000-' || lpad(to_hex(:n::int), 12, '0'))::uuid`
  let created = 0
  const cases = [
    {
      name: 'one account by id',
      sql: `\\set n random(1, ${ACCOUNTS})
        select row_to_json(record) from (select ${FULL_COLUMNS.join()} from accounts where workspace_id = '${workspaceId}' and id = ${some}) as record;`,
      requests: Array.from({ length: 500 }, (_, n) => ({ path: `/v1/accounts/${idOf(1 + n * 40)}` })),
    },
    {
      name: 'accounts, page 1',
      sql: `select json_agg(record) from (select ${LIST_COLUMNS.join()} from accounts where workspace_id = '${workspaceId}'
        order by score desc, id desc limit 50) as record;`,
      requests: [{ path: '/v1/accounts' }],
    },
    {
      name: 'one account created',
      sql: INSERT_ACCOUNTS.replaceAll('$1', `'${workspaceId}'`)
        .replaceAll('$2', `'suggested'`)
        .replaceAll('$3', `'api'`)
        .replaceAll(
          '$4',
          `json_build_array(json_build_object('id', gen_random_uuid(), 'name', 'New', 'domain', gen_random_uuid() || '.com', 'tags', '[]'::json))::text`,
        )
        .concat(';'),
      requests: [
        {
          method: 'POST' as const,
          path: '/v1/accounts',
          setupRequest: (request: object) => ({
            ...request,
            body: JSON.stringify({ name: `New ${++created}`, domain: `new-${created}.com` }),
          }),
        },
      ],
    },
  ]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const { name, sql, requests } of cases) {
    const rounds: { ours: number; limit: number }[] = []
    // Alternating, so that a slow moment of the machine affects both; the first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const limit = await transactions(program, connection, sql)
      const { rate } = await load({ url: address, headers, requests, connections: CLIENTS, duration: SECONDS })
      if (round > 0) rounds.push({ limit, ours: rate })
    }
    const of = (side: 'ours' | 'limit') => median(rounds.map((round) => round[side]))
    report({ path: `${name}, next to pgbench`, ours: of('ours'), unit: 'req/s', limit: of('limit'), aim: null })
  }
}

/** Transactions a second of a script. */
async function transactions(
  program: string,
  { user, password, host, port, database }: pg.ConnectionConfig,
  sql: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-pgbench-'))
  const script = join(folder, 'script.sql')
  writeFileSync(script, sql)
  const given = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-T', String(SECONDS), '-f', script]
  try {
    const { stdout } = await promisify(execFile)(program, given, {
      env: {
        PGHOST: host,
        PGPORT: String(port ?? 5432),
        PGUSER: user,
        PGPASSWORD: String(password),
        PGDATABASE: database,
      },
    })
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    const isWhole = /number of failed transactions: 0 /.test(stdout)
    if (!rate || !isWhole) throw new Error(`pgbench: ${stdout}`)
    return Number(rate)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
