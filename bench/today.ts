import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Kysely, PostgresDialect, type RawBuilder } from 'kysely'
import pg from 'pg'
import type { Database } from '../src/db/schema.ts'
import { countItems, selectPage } from '../src/resources/work-items/store.ts'
import type { BareQuery } from './bare/lists.ts'
import { load } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { startBenchService } from './support.ts'

/**
 * Page 1 of the work queue over 100,000 accounts with 50,000 open items and 300,000 people, compared with the limit: node:http
 * + pg running only the page query as a prepared statement, without count and key. Also the time PostgreSQL spends on the page
 * and its total.
 */

const CONCURRENCY = 8
const ACCOUNTS = isQuick ? 20_000 : 100_000
const [TURNS, SECONDS] = isQuick ? [1, 1] : [3, 3]
const MEMBERS = 10

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
const authorization = `Bearer ${key}`
const pool = new pg.Pool({ ...connection, max: 4 })
const { rows: mine } = await pool.query<{ id: string }>('select id from members where workspace_id = $1', [workspaceId])
const memberId = mine[0]?.id ?? ''

console.log(`filling ${ACCOUNTS.toLocaleString('en')} accounts, half of them with an open item …`)
await pool.query(
  `insert into members (workspace_id, id, name, email, role, visibility)
   select $1, gen_random_uuid(), 'Member ' || n, 'm' || n || '@x.example', 'member', 'all' from generate_series(2, $2::int) as n`,
  [workspaceId, MEMBERS],
)
// Ten members own four fifths of the accounts, and the rest has no owner.
await pool.query(
  `insert into accounts (workspace_id, id, name, domain, status, source, score, icp_fit, owner_id)
   select $1, gen_random_uuid(), 'Company ' || n, 'c' || n || '.com', case when n % 10 = 0 then 'suggested' else 'active' end,
     'api', n % 100, n % 100, case when n % 5 > 0 then m.id end
   from generate_series(1, $2::int) as n
   join (select id, row_number() over (order by id) as at from members where workspace_id = $1) as m on m.at = 1 + (n / 5) % $3::int`,
  [workspaceId, ACCOUNTS, MEMBERS],
)
await pool.query(
  `insert into people (workspace_id, id, account_id, identity, full_name, title, email, sources)
   select $1, gen_random_uuid(), a.id, 'p' || n, 'Person ' || n, 'VP Sales', 'p' || n || '@x.com', '{employee}'
   from (select id from accounts where workspace_id = $1) as a, generate_series(1, 3) as n`,
  [workspaceId],
)
const evidence = JSON.stringify([
  {
    claim: 'Raises $20 million',
    quote:
      'The company announced today that it has closed its Series B of $20 million to build a second plant in Rotterdam.',
    details: null,
    source_url: 'https://news.example/article',
    published_date: '2026-11-01',
    judged_by: 'f3a91c2b7d04',
  },
])
// Without statistics, the person of each account is found by reading all people.
await pool.query('analyze')
const factors = JSON.stringify([{ name: 'event', points: 60, why: 'Raises $20 million, today' }])
await pool.query(
  `with found as (
     insert into signal_detections (workspace_id, account_id, id, signal_id, signal_present, alpha, icp_fit, detected_at, headline,
       drafted_message_md, evidence, confidence)
     select workspace_id, id, gen_random_uuid(), 'funding', true, 60, 50, current_date, name || ' raised a round',
       'Hi, congratulations on the round.', $2::jsonb, 0.9
     from (select *, row_number() over (order by id) as at from accounts where workspace_id = $1) as a,
       generate_series(1, 2) where at % 2 = 0 returning account_id, id
   ), items as (
     insert into work_items (workspace_id, id, account_id, owner_id, account_status, act_now, factors, lead_id, person_id)
     select distinct on (a.id) $1::uuid, gen_random_uuid(), a.id, a.owner_id, a.status, 100 * random(), $3::jsonb, found.id,
       (select p.id from people as p where p.workspace_id = $1 and p.account_id = a.id limit 1)
     from found join accounts as a on a.workspace_id = $1 and a.id = found.account_id returning id, account_id
   )
   insert into work_item_events (workspace_id, record_id, kind, work_item_id)
   select $1, found.id, 'detection', items.id from found join items using (account_id)`,
  [workspaceId, evidence, factors],
)
await pool.query('vacuum analyze')
await pool.query('checkpoint')

const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
const reader = { viewer: { workspace_id: workspaceId, scoped_to: null }, member_id: memberId, sees_suggestions: true }
const filter = { view: 'queue', state: 'open', page: 1, per_page: 25 } as const
const text = (query: RawBuilder<unknown>) => query.compile(db)

/** The median time PostgreSQL needs to plan and run a statement, in milliseconds. */
async function databaseTime(query: RawBuilder<unknown>): Promise<number> {
  const { sql, parameters } = text(query)
  const times: number[] = []
  for (let n = 0; n < 20; n++) {
    const { rows } = await pool.query(`explain (analyze, timing off, format json) ${sql}`, [...parameters])
    const [plan] = rows[0]['QUERY PLAN']
    times.push(plan['Planning Time'] + plan['Execution Time'])
  }
  return median(times)
}

const page = await databaseTime(selectPage(reader, filter))
const total = await databaseTime(countItems(reader, filter))
console.log(`PostgreSQL: ${page.toFixed(1)} ms for the page, ${total.toFixed(1)} ms for the total`)
report({ path: 'Today, page 1, time of PostgreSQL', ours: page + total, unit: 'ms', atMost: 20 })

const bare = fork(new URL('bare/lists.ts', import.meta.url), {
  env: { ...process.env, BARE: JSON.stringify(connection) },
})
const [port] = (await once(bare, 'message')) as [number]
const { sql, parameters } = text(selectPage(reader, filter))
bare.send({ name: 'today', text: sql, values: [...parameters] } satisfies BareQuery)
await once(bare, 'message')
const urls = { limit: `http://127.0.0.1:${port}/`, ours: `${address}/v1/work-items` }
const ask = (url: string, duration: number) =>
  load({ url, headers: { authorization }, connections: CONCURRENCY, duration })
for (const url of Object.values(urls)) await ask(url, 2)
const rates = { ours: 0, limit: 0 }
for (let turn = 0; turn < TURNS; turn++)
  for (const which of ['limit', 'ours'] as const) rates[which] += (await ask(urls[which], SECONDS)).rate / TURNS
report({ path: 'Today, page 1', ours: rates.ours, unit: 'req/s', limit: rates.limit, aim: 0.5 })

bare.disconnect()
await pool.end()
