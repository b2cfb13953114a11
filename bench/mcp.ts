import pg from 'pg'
import { load } from './measure.ts'
import { report } from './results.ts'
import { startBenchService } from './support.ts'

/**
 * `search_accounts` through /mcp compared with the same list through `GET /v1/accounts`, over 10,000 accounts: the overhead of
 * the protocol. Alternating in one run, so that both are measured under the same conditions.
 */

const SECONDS = 5
const ROUNDS = 3
const CONCURRENCY = 8
const ACCOUNTS = 10_000
const TOOL = 'search_accounts'

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
const pool = new pg.Pool({ ...connection, max: 2 })
await pool.query(
  `insert into accounts (workspace_id, id, name, domain, status, source, score, industry, country, employees, created_at)
   select $1, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex'])[1 + n % 5] || ' ' || md5(n::text), 'c' || n || '.com',
     (array['suggested','active','rejected','new'])[1 + n % 4], 'api', (100 * power(random(), 3))::int, 'Logistics', 'Germany', n % 5000,
     now() - n * interval '1 second'
   from generate_series(1, $2::int) as n`,
  [workspaceId, ACCOUNTS],
)
await pool.query('vacuum analyze accounts')
await pool.query('checkpoint')
await pool.end()

const authorization = `Bearer ${key}`
const request = (method: string, params: object) => ({
  method: 'POST' as const,
  headers: {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
})
const search = request('tools/call', { name: TOOL, arguments: {} })
type Answer = { result?: { isError?: boolean; structuredContent: { accounts: unknown[] } } }
const answer = (await (await fetch(`${address}/mcp`, search)).json()) as Answer
if (!answer.result || answer.result.isError) throw new Error(`${TOOL} answers ${JSON.stringify(answer)}`)
// As many as the tool requests.
const { accounts } = answer.result.structuredContent
const list = `/v1/accounts?per_page=${accounts.length}`

async function rate(url: string, options: object): Promise<number> {
  return (await load({ url: address + url, ...options, connections: CONCURRENCY, duration: SECONDS })).rate
}

const best = { http: 0, mcp: 0 }
for (let round = 0; round < ROUNDS; round++) {
  best.http = Math.max(best.http, await rate(list, { headers: { authorization } }))
  best.mcp = Math.max(best.mcp, await rate('/mcp', search))
}
report({ path: `mcp: ${TOOL} against GET /v1/accounts`, ours: best.mcp, unit: 'calls/s', limit: best.http, aim: 0.5 })
