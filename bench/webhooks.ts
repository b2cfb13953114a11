import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { Pool } from 'undici'
import { processorTimeOf, processorTimeOfDatabase, watchMemory } from './measure.ts'
import { isQuick, report } from './results.ts'
import { serveBeside, startBenchService, stop } from './support.ts'

/**
 * Rows per second of a background push compared with a bare undici loop that POSTs the same bodies to the same receiver with the
 * same concurrency, memory and time to accept a push of 100,000 rows, and the rows it writes. API and worker
 * are separate processes, as in large installations; then the memory of one process with both roles.
 */

const COMPARED = isQuick ? 8_000 : 20_000
const ROUNDS = isQuick ? 2 : 3
const LARGE = 100_000
/** Two jobs share a run, each with this number of rows in flight. */
const PUSH_CONCURRENCY = 32
const CONCURRENCY = 2 * PUSH_CONCURRENCY

if (process.argv[2] === 'receive') {
  // In a separate process, so that it does not compete with the measured code for one core.
  let count = 0
  createServer((request, response) => {
    if (request.method === 'GET') return void response.end(String(count))
    request.resume().on('end', () => {
      count++
      response.end()
    })
  }).listen(Number(process.argv[3]), '127.0.0.1', () => process.send?.('ready'))
} else {
  await measure()
}

async function measure(): Promise<void> {
  const port = 39_411
  const receiver = fork(import.meta.filename, ['receive', String(port)])
  await once(receiver, 'message')
  try {
    const env = { OUTBOUND_ALLOW: `127.0.0.1:${port}`, PUSH_CONCURRENCY: String(PUSH_CONCURRENCY) }
    await using service = await startBenchService(env, ['--only', 'api'])
    const worker = await serveBeside(service, env, ['--only', 'worker'])
    const { address, key, connection, workspaceId, child } = service
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(
      `insert into accounts (workspace_id, id, name, domain, status, source) select $1, gen_random_uuid(), 'Company ' || n, 'c' || n || '.com', 'suggested', 'api'
       from generate_series(1, $2::int) as n`,
      [workspaceId, LARGE],
    )
    await client.query('analyze accounts')
    const { rows } = await client.query<{ id: string }>('select id from accounts where workspace_id = $1', [
      workspaceId,
    ])
    const ids = rows.map(({ id }) => id)
    const call = async (path: string, body?: object, to = address) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(
        to + path,
        body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
      )
      return ((await response.json()) as { data: Record<string, never> }).data as Record<string, string & number>
    }
    const destination = await call('/v1/webhook-destinations', { name: 'Bench', url: `http://127.0.0.1:${port}/hook` })

    const apiPeak = watchMemory(child.pid)
    const workerPeak = watchMemory(worker.child.pid)

    /** CPU time in milliseconds so far. */
    const spent = async () => ({
      worker: processorTimeOf(worker.child.pid),
      database: await processorTimeOfDatabase(client),
      receiver: processorTimeOf(receiver.pid),
    })

    type Pushed = { rate: number; accepted: number; cost: { worker: number; database: number; receiver: number } }

    /**
     * Pushes and waits; returns rows per second from acceptance to completion, the CPU time of a row in microseconds, and the time
     * of acceptance.
     */
    async function push(account_ids: string[], to = address): Promise<Pushed> {
      const began = performance.now()
      const { run_id } = await call('/v1/accounts/webhook-push', { destination_id: destination.id, account_ids }, to)
      const accepted = performance.now() - began
      const before = await spent()
      for (;;) {
        const run = await call(`/v1/push-runs/${run_id}`)
        if (run.status !== 'running') {
          if (run.sent !== account_ids.length) throw new Error(JSON.stringify(run))
          const rate = (account_ids.length * 1000) / (performance.now() - began - accepted)
          const after = await spent()
          const of = (part: keyof typeof after) => ((after[part] - before[part]) * 1000) / account_ids.length
          return { rate, accepted, cost: { worker: of('worker'), database: of('database'), receiver: of('receiver') } }
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }

    /** Rows inserted and updated so far. */
    async function written(): Promise<number> {
      const { rows } = await client.query<{ count: number }>(
        `select sum(n_tup_ins + n_tup_upd)::int as count from pg_stat_user_tables where relname in ('push_runs', 'push_ranges', 'push_rows', 'deliveries')`,
      )
      return rows[0]?.count ?? 0
    }

    async function bare(): Promise<number> {
      const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY })
      const row = {
        id: ids[0],
        record_type: 'account',
        name: 'Company 1',
        domain: 'c1.com',
        status: 'suggested',
        score: 0,
        tags: '',
        created_at: new Date().toISOString(),
        is_hot: false,
        qualified: false,
      }
      const nulls = Object.fromEntries(
        'employees industry location country owner_id network_url short_description logo_url last_signal_at why_now signal_id signal_headline signal_detected_at signal_source_url'
          .split(' ')
          .map((name) => [name, null]),
      )
      const began = performance.now()
      let left = COMPARED
      await Promise.all(
        Array.from({ length: CONCURRENCY }, async () => {
          while (left-- > 0) {
            const body = JSON.stringify({ ...row, ...nulls })
            const answer = await pool.request({
              path: '/hook',
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body,
            })
            await answer.body.dump()
          }
        }),
      )
      await pool.close()
      return (COMPARED * 1000) / (performance.now() - began)
    }

    await push(ids.slice(0, 2_000))
    const rounds: { limit: number; ours: Pushed }[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ limit: await bare(), ours: await push(ids.slice(0, COMPARED)) })
    const best = Math.max(...rounds.map(({ ours }) => ours.rate))
    const limit = Math.max(...rounds.map(({ limit }) => limit))
    report({ path: 'webhook push', ours: best, unit: 'rows/s', limit, aim: 0.6 })
    for (const { ours } of rounds) {
      const { worker, database, receiver } = ours.cost
      console.log(
        `  processor time of a row: ${worker.toFixed(0)} µs in the worker, ${database.toFixed(0)} in PostgreSQL, ${receiver.toFixed(0)} in the receiver`,
      )
    }
    const before = await written()
    const large = await push(ids)
    report({ path: 'webhook push: 100,000 ids accepted', ours: large.accepted / 1000, unit: 's', atMost: 2 })
    report({ path: 'webhook push: memory at 100,000 ids, worker', ours: workerPeak(), unit: 'MB', atMost: 250 })
    report({ path: 'webhook push: memory at 100,000 ids, api', ours: apiPeak(), unit: 'MB', atMost: 250 })
    // The statistics of the server are updated with a delay.
    let after = await written()
    for (let last = -1; after !== last; after = await written()) {
      last = after
      await new Promise((resolve) => setTimeout(resolve, 1_500))
    }
    report({ path: 'webhook push: writes a row', ours: (after - before) / LARGE, unit: 'rows', atMost: 3.1 })
    await stop(worker.child)
    if (!isQuick) {
      const both = await serveBeside(service, env, [])
      const bothPeak = watchMemory(both.child.pid)
      await push(ids, both.address)
      report({ path: 'webhook push: memory at 100,000 ids, one process', ours: bothPeak(), unit: 'MB', atMost: null })
      await stop(both.child)
    }
    await client.end()
  } finally {
    receiver.kill()
  }
}
