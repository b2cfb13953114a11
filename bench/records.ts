import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { load, processorTimeOf, processorTimeOfDatabase } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { startBenchService } from './support.ts'

/**
 * Reading one record by id and creating one, compared with node:http + pg with the same prepared statements
 * (bench/bare/records.ts). Each in a separate process.
 */

const SECONDS = isQuick ? 2 : 5
const WARM_SECONDS = isQuick ? 1 : 5
/** Twice. With 1 second, the first case of the short form took 282 µs of CPU time a request, and 172 a few seconds later. */
const START_SECONDS = isQuick ? 3 : 5
const ROUNDS = isQuick ? 1 : 3
const ROWS = 10_000
const AIM = 0.7

await using service = await startBenchService()
const { address, key, connection, workspaceId, child } = service
const client = new pg.Client(connection)
await client.connect()
await client.query(
  `insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees)
   select $1, gen_random_uuid(), 'Company ' || n, 'company-' || n || '.com', 'suggested', 'api', n % 100, '{common}', 'Retail', 'Germany', n
   from generate_series(1, $2::int) as n`,
  [workspaceId, ROWS],
)
await client.query(
  `insert into people (workspace_id, id, account_id, identity, full_name, title, job_level, country_code, sources)
   select workspace_id, gen_random_uuid(), id, id::text, 'Ann ' || name, 'VP Sales', 'VP', 'DE', '{employee}' from accounts
   where workspace_id = $1`,
  [workspaceId],
)
await client.query('vacuum analyze')
await client.query('checkpoint')

async function someIds(table: 'accounts' | 'people'): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${table} where workspace_id = $1 order by md5(id::text) limit 500`,
    [workspaceId],
  )
  return rows.map(({ id }) => id)
}

const bare = fork(new URL('bare/records.ts', import.meta.url), {
  env: { ...process.env, BARE: JSON.stringify({ connection, workspaceId }) },
})
const [port] = (await once(bare, 'message')) as [number]
const bareAddress = `http://127.0.0.1:${port}`

let created = 0
const requestsOf = {
  'one account by id': (await someIds('accounts')).map((id) => ({ path: `/v1/accounts/${id}` })),
  'one person by id': (await someIds('people')).map((id) => ({ path: `/v1/people/${id}` })),
  'one account created': [
    {
      method: 'POST' as const,
      path: '/v1/accounts',
      setupRequest: (request: object) => ({
        ...request,
        body: JSON.stringify({ name: `New ${++created}`, domain: `new-${created}.com` }),
      }),
    },
  ],
}

type Cost = { rate: number; process: number; database: number }

type Asked = { requests: object[]; connections: number; seconds: number }

async function cost(url: string, pid: number | undefined, { requests, connections, seconds }: Asked): Promise<Cost> {
  const before = { process: processorTimeOf(pid), database: await processorTimeOfDatabase(client) }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const done = await load({ url, headers, requests, connections, duration: seconds })
  const each = 1000 / done.requests
  return {
    rate: done.rate,
    process: (processorTimeOf(pid) - before.process) * each,
    database: ((await processorTimeOfDatabase(client)) - before.database) * each,
  }
}

// A process that has just started is slower.
for (let n = 0; n < 2; n++) {
  await cost(address, child.pid, { requests: requestsOf['one account by id'], connections: 8, seconds: START_SECONDS })
}
for (const [name, requests] of Object.entries(requestsOf)) {
  for (const connections of [8, 32]) {
    const rounds: { ours: Cost; limit: Cost }[] = []
    // Alternating, so that a slow moment of the machine affects both; the first of each is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const asked = { requests, connections, seconds: round === 0 ? WARM_SECONDS : SECONDS }
      const limit = await cost(bareAddress, bare.pid, asked)
      rounds.push({ limit, ours: await cost(address, child.pid, asked) })
    }
    rounds.shift()
    const of = (side: 'ours' | 'limit', figure: keyof Cost) => median(rounds.map((round) => round[side][figure]))
    report({
      path: `${name}, ${connections} at once`,
      ours: of('ours', 'rate'),
      unit: 'req/s',
      limit: of('limit', 'rate'),
      aim: AIM,
    })
    const costs = (side: 'ours' | 'limit') =>
      `${of(side, 'process').toFixed(0)} µs + ${of(side, 'database').toFixed(0)} µs in PostgreSQL`
    console.log(`  processor time of a request: ${costs('ours')}, limit ${costs('limit')}`)
  }
}

bare.disconnect()
await client.end()
