import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { likePattern } from '../src/engine/text/fold.ts'
import { LIST_COLUMNS } from '../src/resources/accounts/store.ts'
import { PERSON_COLUMNS, PERSON_COMPUTED_SQL } from '../src/resources/people/store.ts'
import type { BareQuery } from './bare/lists.ts'
import { load, watchMemory } from './measure.ts'
import { isQuick, report } from './results.ts'
import { serveBeside, startBenchService } from './support.ts'

/**
 * List pages over 100,000 accounts and 300,000 people, with a second workspace of the same size, with exact totals,
 * compared with the limit: node:http + pg running only the page query as a prepared statement, without count and key. Every
 * page is read from the database; only its total is cached. Also, compared with the same limit, with the default page
 * cache: an unchanged page requested again, and polled with its etag.
 */

const CONCURRENCY = 8
const [SMALL, LARGE] = [isQuick ? 20_000 : 100_000, 1_000_000]
/** Alternating, so that a slow moment of the machine affects both. */
const [TURNS, SECONDS] = isQuick ? [1, 1] : [3, 2]

await using service = await startBenchService({ LIST_PAGES_MB: '0' })
await using keeping = await serveBeside(service, {}, ['--only', 'api'])
const { address, key, connection, workspaceId } = service
const authorization = `Bearer ${key}`
const pool = new pg.Pool({ ...connection, max: 10 })

/** Realistic rows: skewed scores, a few common tags, two thirds without an email. */
async function fill(workspace: string, accounts: number, people: number, from = 0): Promise<void> {
  await pool.query(
    `insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees, created_at)
     select $1, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex','Müller'])[1 + n % 6] || ' ' || md5(n::text),
       'c' || n || '-' || left(md5(n::text), 6) || '.com', (array['suggested','active','suggested','rejected','new'])[1 + n % 5], 'api',
       (100 * power(random(), 3))::int, case when n % 5 = 0 then array['common'] when n % 1000 = 1 then array['rare','q4'] else '{}'::text[] end,
       case when n % 1000 = 2 then 'Mining' else (array['Logistics','Software','Retail'])[1 + n % 3] end,
       'Germany', n % 5000, now() - n * interval '1 second'
     from generate_series($2::int, $3::int) as n`,
    [workspace, from + 1, from + accounts],
  )
  if (people === 0) return
  await pool.query(
    `insert into people (workspace_id, id, account_id, identity, full_name, title, job_level, country_code, email, sources, created_at)
     select $1, gen_random_uuid(), a.id, 'p' || n, (array['Ann','Bob','Chris','Dana'])[1 + n % 4] || ' ' || md5(n::text), 'VP Sales',
       (array['C-Team','VP','Director','Manager','Staff'])[1 + n % 5], (array['DE','US','FR'])[1 + n % 3],
       case when n % 3 = 0 then 'p' || n || '@x.com' end, '{employee}', now() - n * interval '1 second'
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
const made = await fetch(`${address}/v1/people/lists`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Bench' }),
})
const list = ((await made.json()) as { data: { id: string } }).data.id
await pool.query(
  `insert into people_list_members select workspace_id, $2, id from people where workspace_id = $1 order by id limit 5000`,
  [workspaceId, list],
)
await pool.query('vacuum analyze')
// Otherwise the server would still write the inserted rows during the measurement.
await pool.query('checkpoint')

type Case = { name: string; path: string; sql: string; values?: unknown[]; unchanged?: 'asked' | 'polled' }
const ACCOUNTS = LIST_COLUMNS.join(', ')
const PEOPLE = [
  ...PERSON_COLUMNS.map((column) => `people.${column}`),
  ...Object.entries(PERSON_COMPUTED_SQL).map(([name, sql]) => `${sql} as ${name}`),
].join(', ')

function accounts(name: string, query: string, where = '', values: unknown[] = []): Case {
  const offset = /page=(\d+)/.exec(query)?.[1]
  const sql = `select ${ACCOUNTS} from accounts where workspace_id = $1 ${where} order by score desc, id desc limit 50`
  const skipped = offset ? ` offset ${50 * (Number(offset) - 1)}` : ''
  return { name: `accounts, ${name}`, path: `/v1/accounts${query}`, sql: sql + skipped, values }
}

function people(name: string, query: string, where = '', values: unknown[] = []): Case {
  const sql = `select ${PEOPLE} from people where workspace_id = $1 ${where} order by created_at desc, id desc limit 50`
  return { name: `people, ${name}`, path: `/v1/people${query}`, sql, values }
}

const CASES: Case[] = [
  accounts('page 1', ''),
  accounts('page 200', '?page=200'),
  accounts('min_score', '?min_score=40', 'and score >= 40'),
  accounts('status', '?status=active', `and status = 'active'`),
  accounts('country', '?country=germany', `and search_fold(country) = 'germany'`),
  accounts('common tag', '?tag=common', `and tags @> array['common']`),
  accounts('rare tag', '?tag=rare', `and tags @> array['rare']`),
  accounts('common industry', '?industry=retail', 'and search_fold(industry) like $2', [likePattern('retail')]),
  accounts('rare industry', '?industry=mining', 'and search_fold(industry) like $2', [likePattern('mining')]),
  accounts('search', '?search=m%C3%BCller%20ab', 'and search_text like $2', [likePattern('müller ab')]),
  people('page 1', ''),
  people('has_email', '?has_email=true', 'and email is not null'),
  people(
    'list_id',
    `?list_id=${list}`,
    'and id in (select person_id from people_list_members as saved where saved.workspace_id = $1 and saved.list_id = $2)',
    [list],
  ),
  people('search', '?search=dana%20ab', 'and search_text like $2', [likePattern('dana ab')]),
  { ...accounts('page 1, unchanged', ''), unchanged: 'asked' },
  { ...people('page 1, unchanged', ''), unchanged: 'asked' },
  { ...accounts('page 1, unchanged, by etag', ''), unchanged: 'polled' },
  { ...people('page 1, unchanged, by etag', ''), unchanged: 'polled' },
]

const bare = fork(new URL('bare/lists.ts', import.meta.url), {
  env: { ...process.env, BARE: JSON.stringify(connection) },
})
const [port] = (await once(bare, 'message')) as [number]
const bareUrl = `http://127.0.0.1:${port}/`

const ask = (url: string, headers: Record<string, string> = {}, duration = SECONDS) =>
  load({ url, headers, connections: CONCURRENCY, duration })

async function takeUp({ name, sql: text, values = [] }: Case): Promise<void> {
  bare.send({ name, text, values: [workspaceId, ...values] } satisfies BareQuery)
  await once(bare, 'message')
}

async function measure(one: Case): Promise<void> {
  await takeUp(one)
  const url = (one.unchanged ? keeping.address : address) + one.path
  const first = await fetch(url, { headers: { authorization } })
  const { pagination } = (await first.json()) as { pagination: { total: number } }
  const etag = first.headers.get('etag')
  const headers = { authorization, ...(one.unchanged === 'polled' && etag ? { 'if-none-match': etag } : {}) }
  const rates = { ours: 0, limit: 0, p99: 0 }
  for (let turn = 0; turn < TURNS; turn++) {
    rates.limit += (await ask(bareUrl)).rate / TURNS
    const ours = await ask(url, headers)
    rates.ours += ours.rate / TURNS
    rates.p99 = Math.max(rates.p99, ours.p99)
  }
  report({ path: one.name, ours: rates.ours, unit: 'req/s', limit: rates.limit, aim: 0.7 })
  console.log(`${' '.repeat(44)} of ${pagination.total}, p99 ${rates.p99} ms`)
}

// First, in a fresh process: a heap that has grown under load shrinks late.
async function exportAll(): Promise<void> {
  const peak = watchMemory(service.child.pid)
  const began = performance.now()
  const csv = await fetch(`${address}/v1/accounts`, { headers: { authorization, accept: 'text/csv' } })
  let bytes = 0
  for await (const chunk of csv.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  const ours = peak()
  console.log(`${SMALL} accounts as CSV: ${(bytes / 1e6).toFixed(1)} MB in ${Math.round(performance.now() - began)} ms`)
  report({ path: 'accounts as CSV, memory', ours, unit: 'MB', atMost: 250 })
}

async function grow(): Promise<void> {
  const page = `${address}/v1/accounts`
  const small = await ask(page, { authorization }, 5)
  console.log(`filling up to ${LARGE} accounts …`)
  await fill(workspaceId, LARGE - SMALL, 0, SMALL)
  await pool.query('vacuum analyze accounts')
  await pool.query('checkpoint')
  await (await fetch(page, { headers: { authorization } })).text()
  const large = await ask(page, { authorization }, 5)
  console.log(`page 1 at ${SMALL}: ${small.rate.toFixed(0)} req/s, at ${LARGE}: ${large.rate.toFixed(0)} req/s`)
  report({ path: 'accounts, page 1, cost at ten times', ours: small.rate / large.rate, unit: 'times', atMost: 1.5 })
}

if (!isQuick) await exportAll()
// A process that has just started is slower.
await takeUp(CASES[0] as Case)
for (const url of [bareUrl, `${address}/v1/accounts`, `${keeping.address}/v1/accounts`]) {
  await ask(url, { authorization }, 3)
}
for (const one of CASES) await measure(one)
if (!isQuick) await grow()

bare.disconnect()
await pool.end()
