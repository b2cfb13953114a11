import { createServer } from 'node:http'
import autocannon from 'autocannon'
import pg from 'pg'
import { LIST_COLUMNS } from '../src/resources/accounts/store.ts'
import { PERSON_COLUMNS } from '../src/resources/people/store.ts'
import { containing } from '../src/search-text.ts'
import { startBenchService } from './support.ts'

/**
 * List pages over 100,000 accounts and 300,000 people beside a second workspace of the same size, with exact totals,
 * against the limit: node:http + pg running the page query alone as a prepared statement, without count and key.
 */

const SECONDS = 5
const CONCURRENCY = 8
const [SMALL, LARGE] = [100_000, 1_000_000]

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
const pool = new pg.Pool({
  ...connection,
  max: 10,
  types: { getTypeParser: ((oid: number) => (oid === 1184 ? String : pg.types.getTypeParser(oid))) as never },
})

/** Rows as a real workspace has them: skewed scores, a few common tags, two thirds without an email. */
async function fill(workspace: string, accounts: number, people: number, from = 0): Promise<void> {
  await pool.query(
    `insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees, created_at)
     select $1, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex','Müller'])[1 + n % 6] || ' ' || md5(n::text),
       'c' || n || '-' || left(md5(n::text), 6) || '.com', (array['suggested','active','suggested','rejected','new'])[1 + n % 5], 'api',
       (100 * power(random(), 3))::int, case when n % 5 = 0 then array['common'] when n % 1000 = 1 then array['rare','q4'] else '{}'::text[] end,
       (array['Logistics','Software','Retail'])[1 + n % 3], 'Germany', n % 5000, now() - n * interval '1 second'
     from generate_series($2::int, $3::int) as n`,
    [workspace, from + 1, from + accounts],
  )
  if (people === 0) return
  await pool.query(
    `insert into people (workspace_id, id, account_id, identity, full_name, title, job_level, country_code, email, source, created_at)
     select $1, gen_random_uuid(), a.id, 'p' || n, (array['Ann','Bob','Chris','Dana'])[1 + n % 4] || ' ' || md5(n::text), 'VP Sales',
       (array['C-Team','VP','Director','Manager','Staff'])[1 + n % 5], (array['DE','US','FR'])[1 + n % 3],
       case when n % 3 = 0 then 'p' || n || '@x.com' end, 'employee', now() - n * interval '1 second'
     from generate_series(1, $2::int) as n
     join (select id, row_number() over () as at from accounts where workspace_id = $1) as a on a.at = 1 + n % $3::int`,
    [workspace, people, accounts],
  )
}

console.log('filling two workspaces …')
const second = crypto.randomUUID()
await pool.query(`insert into workspaces (id, name) values ($1, 'Second')`, [second])
await fill(workspaceId, SMALL, 3 * SMALL)
await fill(second, SMALL, 3 * SMALL)
const api = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(
    address + path,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  return (await response.json()) as { data: { id: string }; pagination: { total: number } }
}
const list = (await api('/v1/people/lists', { name: 'Bench' })).data.id
await pool.query(
  `insert into people_list_members select workspace_id, $2, id from people where workspace_id = $1 order by id limit 5000`,
  [workspaceId, list],
)
await pool.query('vacuum analyze')
// Otherwise the server goes on writing what was filled in while it is measured.
await pool.query('checkpoint')

const accounts = LIST_COLUMNS.join(', ')
const people = PERSON_COLUMNS.join(', ')
const byScore = 'order by score desc, id desc'
const byAge = 'order by created_at desc, id desc'

type Case = { name: string; path: string; sql: string; values?: unknown[]; aim?: number }
const CASES: Case[] = [
  {
    name: 'accounts, page 1',
    path: '/v1/accounts',
    sql: `select ${accounts} from accounts where workspace_id = $1 ${byScore} limit 50`,
    aim: 0.7,
  },
  {
    name: 'accounts, page 200',
    path: '/v1/accounts?page=200',
    sql: `select ${accounts} from accounts where workspace_id = $1 ${byScore} limit 50 offset 9950`,
    aim: 0.7,
  },
  {
    name: 'accounts, min_score',
    path: '/v1/accounts?min_score=40',
    sql: `select ${accounts} from accounts where workspace_id = $1 and score >= 40 ${byScore} limit 50`,
    aim: 0.7,
  },
  {
    name: 'accounts, status',
    path: '/v1/accounts?status=active',
    sql: `select ${accounts} from accounts where workspace_id = $1 and status = 'active' ${byScore} limit 50`,
    aim: 0.7,
  },
  {
    name: 'accounts, common tag',
    path: '/v1/accounts?tag=common',
    sql: `select ${accounts} from accounts where workspace_id = $1 and tags @> array['common'] ${byScore} limit 50`,
    aim: 0.7,
  },
  {
    name: 'accounts, rare tag',
    path: '/v1/accounts?tag=rare',
    sql: `select ${accounts} from accounts where workspace_id = $1 and tags @> array['rare'] ${byScore} limit 50`,
    aim: 0.7,
  },
  {
    name: 'accounts, search',
    path: '/v1/accounts?search=m%C3%BCller%20ab',
    sql: `select ${accounts} from accounts where workspace_id = $1 and search_text like $2 ${byScore} limit 50`,
    values: [containing('müller ab')],
  },
  {
    name: 'people, page 1',
    path: '/v1/people',
    sql: `select ${people} from people where workspace_id = $1 ${byAge} limit 50`,
    aim: 0.7,
  },
  {
    name: 'people, has_email',
    path: '/v1/people?has_email=true',
    sql: `select ${people} from people where workspace_id = $1 and email is not null ${byAge} limit 50`,
    aim: 0.7,
  },
  {
    name: 'people, list_id',
    path: `/v1/people?list_id=${list}`,
    sql: `select ${people} from people where workspace_id = $1 and id in (select person_id from people_list_members as saved where saved.workspace_id = $1 and saved.list_id = $2) ${byAge} limit 50`,
    values: [list],
    aim: 0.7,
  },
  {
    name: 'people, search',
    path: '/v1/people?search=dana%20ab',
    sql: `select ${people} from people where workspace_id = $1 and search_text like $2 ${byAge} limit 50`,
    values: [containing('dana ab')],
  },
]

let current: Case = CASES[0] as Case
const bare = createServer(async (_request, response) => {
  const { sql, values = [] } = current
  const { rows } = await pool.query({ name: current.name, text: sql, values: [workspaceId, ...values] })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ data: rows }))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => bare.once('listening', resolve))
const bareUrl = `http://127.0.0.1:${(bare.address() as { port: number }).port}/`

async function load(url: string, headers: Record<string, string> = {}) {
  const result = await autocannon({ url, headers, connections: CONCURRENCY, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

async function measure(one: Case) {
  current = one
  const { pagination } = await api(one.path)
  const limit = await load(bareUrl)
  const ours = await load(address + one.path, { authorization: `Bearer ${key}` })
  const aim = one.aim ? `aim ${one.aim.toFixed(2)}` : 'aim p99 < 60 ms'
  console.log(
    `${one.name.padEnd(22)} total ${String(pagination.total).padStart(7)}   limit ${limit.rate.toFixed(0).padStart(5)}   ours ${ours.rate.toFixed(0).padStart(5)} req/s   ratio ${(ours.rate / limit.rate).toFixed(2)}   p99 ${ours.p99} ms   ${aim}`,
  )
  return ours
}

// First, in a process that has done nothing else: a heap that has grown under load shrinks late.
console.log('exporting 100,000 accounts as CSV …')
let peak = 0
const watch = setInterval(async () => {
  const status = await import('node:fs').then(({ readFileSync }) =>
    readFileSync(`/proc/${service.child.pid}/status`, 'utf8'),
  )
  peak = Math.max(peak, Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0))
}, 50)
const began = performance.now()
const csv = await fetch(`${address}/v1/accounts`, { headers: { authorization: `Bearer ${key}`, accept: 'text/csv' } })
let bytes = 0
for await (const chunk of csv.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
clearInterval(watch)
console.log(
  `${(bytes / 1e6).toFixed(1)} MB in ${((performance.now() - began) / 1000).toFixed(1)} s, process at most ${(peak / 1024).toFixed(0)} MB   aim 250 MB`,
)

for (const one of CASES) await measure(one)

console.log(`\nfilling up to ${LARGE} accounts …`)
const small = await load(`${address}/v1/accounts`, { authorization: `Bearer ${key}` })
await fill(workspaceId, LARGE - SMALL, 0, SMALL)
await pool.query('vacuum analyze accounts')
await pool.query('checkpoint')
await api('/v1/accounts')
const large = await load(`${address}/v1/accounts`, { authorization: `Bearer ${key}` })
console.log(
  `page 1 at ${SMALL}: ${small.rate.toFixed(0)} req/s, at ${LARGE}: ${large.rate.toFixed(0)} req/s   cost ratio ${(small.rate / large.rate).toFixed(2)}   aim 1.50`,
)

bare.close()
await pool.end()
