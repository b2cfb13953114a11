import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startInternet } from '../sandbox/internet.ts'
import { connect } from '../src/db/connect.ts'
import { oldQuietEvents } from '../src/research/monitor/store.ts'
import { oldPushRuns } from '../src/resources/push-runs/store.ts'
import { oldDeliveries } from '../src/resources/webhook-destinations/delivery-store.ts'
import { createWorkspace } from '../src/setup/create-workspace.ts'
import { fill } from './growth/fill.ts'
import { processorTimeOf } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { startBenchService } from './support.ts'

/**
 * Costs as one workspace grows from 10,000 to a million accounts, with people, findings, documents and monitor checks;
 * the effect on a hundred small workspaces; and whether expired rows are deleted as fast as they are written.
 * Costs are CPU time of the service and of its connections to PostgreSQL, which is the same on a busy machine.
 */

const SIZES = isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
const SMALL = { count: 100, accounts: 1_000 }
const PUSHED = 10_000
const PORT = 39_412
/** A hundred times the rows may cost 50 percent more. */
const AIM = 0.67
/** Of a list after a write: few are measured, so a factor of three is allowed. */
const AIM_AFTER_WRITE = 0.33

if (process.argv[2] === 'outside') await serveOutside()
else await measure()

/** Sites and a receiver, in a separate process. */
async function serveOutside(): Promise<void> {
  const page = (host: string) =>
    `<html><head><title>${host}</title></head><body><main>${`<p>${host} makes gauges for the water industry.</p>`.repeat(20)}</main></body></html>`
  const internet = await startInternet(
    ({ url: { host, pathname } }) =>
      pathname === '/' ? { status: 200, headers: { 'content-type': 'text/html' }, body: page(host) } : { status: 404 },
    { keep: false },
  )
  createServer((request, response) => void request.resume().on('end', () => response.end())).listen(
    PORT,
    '127.0.0.1',
    () => process.send?.(internet.env),
  )
}

async function measure(): Promise<void> {
  const outside = fork(import.meta.filename, ['outside'])
  try {
    const [env] = (await once(outside, 'message')) as [Record<string, string>]
    await using service = await startBenchService({
      ...env,
      OUTBOUND_ALLOW: `127.0.0.1:${PORT}`,
      CRAWL_DELAY_MS: '0',
      SOURCES: 'website',
      LIST_PAGES_MB: '0',
    })
    await run(service)
  } finally {
    outside.kill()
  }
}

type Service = Awaited<ReturnType<typeof startBenchService>>
type Owner = { id: string; key: string }
type Answer = { status: number; body: { data: never; pagination: { total: number } } }

async function run({ address, key, connection, workspaceId, child }: Service): Promise<void> {
  await using closing = new AsyncDisposableStack()
  const client = new pg.Client(connection)
  await client.connect()
  closing.defer(() => client.end())
  const { db } = connect(connection, { size: 2, prepare: true, log: pino({ level: 'silent' }) })
  closing.defer(() => db.destroy())
  const big: Owner = { id: workspaceId, key }
  // Queries of the benchmark are not counted.
  const looking = new pg.Pool({ ...connection, max: 4, idleTimeoutMillis: 0 })
  closing.defer(() => looking.end())
  const pids = await Promise.all([client, looking, looking, looking, looking].map(pidOf))
  const own = new Set(pids)
  const postmaster = execFileSync('ps', ['-p', String(pids[0]), '-o', 'ppid='], { encoding: 'utf8' }).trim()

  async function call(owner: Owner, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${owner.key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(
      `${address}/v1${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

  /** CPU time of the service, under 0, and of each of its connections, in milliseconds. */
  function spent(): Map<number, number> {
    const processes = execFileSync('ps', ['--ppid', postmaster, '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    const connections = processes.filter((line) => line.includes('[local]')).map((line) => Number.parseInt(line, 10))
    return new Map([
      [0, processorTimeOf(child.pid)],
      ...connections.filter((pid) => !own.has(pid)).map((pid) => [pid, processorTimeOf(pid)] as const),
    ])
  }

  /** Repeats an action, some concurrently; returns the CPU time of one, and prints its two parts. */
  async function cost(name: string, times: number, act: (n: number) => Promise<unknown>, lanes = 4): Promise<number> {
    const before = spent()
    let next = 0
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (next < times) await act(next++)
      }),
    )
    // A connection that has closed meanwhile has no figure.
    const each = [...spent()].map(([pid, ms]) => (ms - (before.get(pid) ?? 0)) / times)
    const [ours = 0, ...others] = each
    const database = others.reduce((sum, ms) => sum + ms, 0)
    console.log(`  ${name.padEnd(26)} service ${ours.toFixed(2)} ms, PostgreSQL ${database.toFixed(2)} ms`)
    return ours + database
  }

  async function ended(owner: Owner, table: 'runs' | 'push_runs', id: string): Promise<void> {
    for (;;) {
      const { rows } = await looking.query(`select status, failure from ${table} where workspace_id = $1 and id = $2`, [
        owner.id,
        id,
      ])
      if (rows[0].status === 'failed') throw new Error(rows[0].failure)
      if (rows[0].status !== 'running') return
      await sleep(20)
    }
  }
  let made = 0
  const newAccount = () => ({ name: `New ${++made}`, domain: `new-${made}.bench.example` })
  const destinations = new Map<string, string>()
  async function push(owner: Owner, ids: string[]): Promise<{ accepted: number; delivered: () => Promise<unknown> }> {
    let destination_id = destinations.get(owner.id)
    if (!destination_id) {
      const made = await call(owner, '/webhook-destinations', { name: 'Bench', url: `http://127.0.0.1:${PORT}/` })
      destination_id = (made.body.data as { id: string }).id
      destinations.set(owner.id, destination_id)
    }
    const began = performance.now()
    const { data } = (await call(owner, '/accounts/webhook-push', { destination_id, account_ids: ids })).body as {
      data: { run_id: string }
    }
    return { accepted: performance.now() - began, delivered: () => ended(owner, 'push_runs', data.run_id) }
  }
  const idsOf = async (owner: Owner, limit: number) => {
    const { rows } = await client.query<{ id: string }>('select id from accounts where workspace_id = $1 limit $2', [
      owner.id,
      limit,
    ])
    return rows.map(({ id }) => id)
  }
  const scan = async (owner: Owner, id: string) => {
    const { data } = (await call(owner, `/accounts/${id}/scan`, {})).body as { data: { run_id: string } }
    return data.run_id
  }

  console.log(`filling ${SMALL.count} workspaces of ${SMALL.accounts} accounts …`)
  const small: Owner[] = []
  for (let n = 0; n < SMALL.count; n++) {
    const admin = { name: 'Bench', email: 'bench@small.example' }
    const created = await db.transaction().execute((db) => createWorkspace(db, { name: `Small ${n}`, admin }))
    small.push({ id: created.workspace.id, key: created.key })
  }
  await fill(
    client,
    small.map(({ id }) => id),
    0,
    SMALL.accounts,
  )

  /** A caller with sequential requests: requests per second, and the p99 latency. */
  async function caller(act: (owner: Owner) => Promise<unknown>, seconds = 4) {
    const took: number[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const owner = small[took.length % 90] as Owner
      const began = performance.now()
      await act(owner)
      took.push(performance.now() - began)
    }
    const sorted = took.toSorted((a, b) => a - b)
    return { rate: 1000 / median(took), p50: median(took), p99: sorted[Math.floor(took.length * 0.99)] as number }
  }
  const listing = (owner: Owner) => call(owner, '/accounts')
  const creating = (owner: Owner) => call(owner, '/accounts', newAccount())

  const CALLS = [['list', listing] as const, ['create', creating] as const]

  type Costs = Record<string, number>
  const costs = new Map<number, Costs>()
  let filled = 0
  for (const size of SIZES) {
    const began = performance.now()
    await fill(client, [big.id], filled, size)
    filled = size
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    console.log(`${size} accounts, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const ids = await idsOf(big, PUSHED)
    const at: Costs = {}
    for (const path of ['/accounts', '/accounts?status=active']) await cost('warming up', 500, () => call(big, path))
    at['list, page 1'] = await cost('list, page 1', 500, () => call(big, '/accounts'))
    at['list, filtered'] = await cost('list, filtered', 500, () => call(big, '/accounts?status=active'))
    at['create one'] = await cost('create one', 300, () => call(big, '/accounts', newAccount()))
    at['list after a write'] = await cost(
      'list after a write',
      20,
      async () => {
        await call(big, '/accounts', newAccount())
        await call(big, '/accounts')
      },
      1,
    )
    const batch = () => Array.from({ length: 500 }, newAccount)
    at['create 500'] = await cost('create 500', 6, () => call(big, '/accounts', batch()), 1)
    const sites = (await call(big, '/accounts', Array.from({ length: 40 }, newAccount))).body.data as { id: string }[]
    at.scan = await cost('scan', sites.length, async (n) => ended(big, 'runs', await scan(big, sites[n]?.id as string)))
    let accepted = 0
    const start = performance.now()
    const pushAll = async () => {
      const run = await push(big, ids)
      accepted = run.accepted
      await run.delivered()
    }
    at['push a row'] = (await cost('push 10,000', 1, pushAll, 1)) / ids.length
    at.pushRate = (ids.length * 1000) / (performance.now() - start)
    console.log(`  accepted after ${accepted.toFixed(0)} ms`)
    costs.set(size, at)
  }

  const [least, most] = [SIZES[0] as number, SIZES.at(-1) as number]
  const [few, many] = [costs.get(least) as Costs, costs.get(most) as Costs]
  for (const [name, ms] of Object.entries(few)) {
    if (name === 'pushRate') continue
    const aim = name === 'list after a write' ? AIM_AFTER_WRITE : AIM
    const unit = 'a core second'
    report({ path: `${name}, at ${most} / ${least}`, ours: 1000 / (many[name] as number), unit, limit: 1000 / ms, aim })
  }
  await neighbours()
  await retention(many.pushRate as number)

  /** A caller of a small workspace, alone and while another workspace, small or large, is under load. */
  async function neighbours(): Promise<void> {
    const noisy = small[95] as Owner
    const rates = {
      list: { small: [] as number[], big: [] as number[] },
      create: { small: [] as number[], big: [] as number[] },
    }
    const slowest = { list: 0, create: 0 }
    for (const [what, act] of CALLS) {
      const { p50, p99 } = await caller(act)
      console.log(`small alone: ${what} p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`)
    }
    for (let round = 0; round < 3; round++) {
      for (const [size, owner] of [
        ['small', noisy],
        ['big', big],
      ] as const) {
        const load = loadBy(owner)
        for (const [what, act] of CALLS) {
          const { rate, p99 } = await caller(act, 2)
          rates[what][size].push(rate)
          if (size === 'big') slowest[what] = Math.max(slowest[what], p99)
        }
        await load[Symbol.asyncDispose]()
      }
    }
    for (const what of ['list', 'create'] as const) {
      const [ours, limit] = [median(rates[what].big), median(rates[what].small)]
      report({ path: `small ${what} beside a busy big one / a busy small one`, ours, unit: 'req/s', limit, aim: AIM })
      report({ path: `small ${what} beside a busy big one, p99`, ours: slowest[what], unit: 'ms', atMost: null })
    }

    // Background work: three pushes with the maximum number of rows, and two thousand scans.
    const rows = await idsOf(big, isQuick ? 20_000 : 25_000)
    const runs = await Promise.all([rows, rows, rows].map((ids) => push(big, ids)))
    const waiting = await idsOf(big, 3_000)
    let next = 0
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < 2_000) await scan(big, waiting[next++] as string)
      }),
    )
    const quiet = small[97] as Owner
    const ids = await idsOf(quiet, 150)
    let began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    await (await push(quiet, ids)).delivered()
    report({ path: 'small push behind three of the big one', ours: seconds(), unit: 's', atMost: 20 })
    const site = (await call(quiet, '/accounts', newAccount())).body.data as { id: string }
    began = performance.now()
    await ended(quiet, 'runs', await scan(quiet, site.id))
    report({ path: 'small scan behind 2,000 of the big one', ours: seconds(), unit: 's', atMost: 20 })
    const { rows: left } = await client.query(
      `select count(*)::int as n from runs where status = 'running' and workspace_id = $1`,
      [big.id],
    )
    console.log(`  ${left[0].n} scans of the big one were still waiting`)
    await Promise.all(runs.map(({ delivered }) => delivered()))
  }

  /** Lists and creates on several connections concurrently, until it is disposed. */
  function loadBy(owner: Owner): AsyncDisposable {
    let isOver = false
    const lanes = [listing, listing, listing, listing, creating].map(async (act) => {
      while (!isOver) await act(owner)
    })
    return {
      async [Symbol.asyncDispose]() {
        isOver = true
        await Promise.all(lanes)
      },
    }
  }

  /** Rows deleted per second compared with rows written: deliveries and push rows as a push writes them, monitor checks by the fastest statement. */
  async function retention(pushRate: number): Promise<void> {
    const never = new AbortController().signal
    const old = isQuick ? 100_000 : 500_000
    await client.query(
      `insert into deliveries (workspace_id, id, destination_id, run_id, record_id, webhook_id, attempt, status, latency_ms, body_digest, sent_at, created_at)
       select $1, gen_random_uuid(), $1, $1, gen_random_uuid(), md5(n::text), 1, 200, 5, sha256(n::text::bytea), now(), now() - interval '40 days' + (n / 200) * interval '1 second'
       from generate_series(1, $2::int) as n`,
      [big.id, old],
    )
    await client.query(
      `with run as (insert into push_runs (workspace_id, id, channel, record_type, status, total, finished_at)
         select $1, gen_random_uuid(), 'webhook', 'accounts', 'completed', 1000, now() - interval '100 days' + n * interval '1 second'
         from generate_series(1, $2::int) as n returning id)
       insert into push_rows (workspace_id, run_id, record_id, position, state) select $1, run.id, gen_random_uuid(), n, 'sent'
       from run, generate_series(1, 1000) as n`,
      [big.id, old / 1000],
    )
    let began = performance.now()
    await client.query(
      `insert into monitor_events (workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, created_at)
       select $1, gen_random_uuid(), a.id, 'https://c.example/', 'unchanged', 'skipped', false, 1, 'Nothing new.', now() - interval '100 days' + (n / 200) * interval '1 second'
       from (select id, row_number() over () as n from accounts where workspace_id = $1 limit $2) as a`,
      [big.id, Math.min(old, filled)],
    )
    const looksRate = (Math.min(old, filled) * 1000) / (performance.now() - began)
    await client.query('checkpoint')
    for (const [what, purge, limit] of [
      ['deliveries', oldDeliveries(30), pushRate],
      ['push rows', oldPushRuns(90), pushRate],
      ['looks', oldQuietEvents(90), looksRate],
    ] as const) {
      began = performance.now()
      const { count } = await purge(db, never)
      const ours = (count * 1000) / (performance.now() - began)
      report({ path: `${what} deleted / written`, ours, unit: 'rows/s', limit, aim: 1 })
    }
  }
}

async function pidOf(on: pg.Client | pg.Pool): Promise<number> {
  const { rows } = await on.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.1)')
  return rows[0]?.pid as number
}
