import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../src/db/embedded.ts'
import { residentOf } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { KEY, makeFolder, serve, stop } from './support.ts'

/**
 * Costs of an idle service: transactions per second, memory of a separate process for each role,
 * and the latency of the first request after an idle time compared with the others.
 */

/** Jobs that run every minute are a burst of some thirty: a short count may include one of them. */
const SECONDS = isQuick ? 15 : 60
/**
 * Until jobs of the start have ended and idle connections were closed. An idle connection reports its last transactions to PostgreSQL's
 * statistics after ten seconds: with less, the some 400 of the start are counted.
 */
const SETTLE_MS = isQuick ? 12_000 : 45_000
const REQUESTS = isQuick ? 3_000 : 10_000

const folder = makeFolder()
const server = await startEmbedded({ dataDir: join(folder, 'data'), log: pino({ level: 'silent' }) })
const { user, password, host, database } = server.connection
const url = `postgresql://${user}:${password}@${encodeURIComponent(host ?? '')}/${database}`
// In another database, so that the counting queries are not counted.
const counting = new pg.Client({ ...server.connection, database: 'template1' })
await counting.connect()

type Part = Awaited<ReturnType<typeof serve>>
const parts: Part[] = []

try {
  if (!isQuick) {
    const both = await start([])
    await settled()
    report({ path: 'idle, one process: transactions', ours: await transactions(), unit: 'a second', atMost: 5 })
    report({ path: 'memory at rest, one process', ours: residentOf(both.child.pid), unit: 'MB', atMost: null })
    await stop(both.child)
  }
  const api = await start(['--only', 'api'])
  report({ path: 'memory after the start, api alone', ours: residentOf(api.child.pid), unit: 'MB', atMost: 120 })
  const worker = await start(['--only', 'worker'])
  await settled()
  report({ path: 'idle, api and worker apart: transactions', ours: await transactions(), unit: 'a second', atMost: 5 })
  report({ path: 'memory at rest, worker alone', ours: residentOf(worker.child.pid), unit: 'MB', atMost: null })
  await stop(worker.child)
  await ask(api, REQUESTS)
  report({
    path: `memory after ${REQUESTS} requests, api alone`,
    ours: residentOf(api.child.pid),
    unit: 'MB',
    atMost: 120,
  })
  await settled()
  const first = await answerTime(api)
  const warm: number[] = []
  for (let n = 0; n < 50; n++) warm.push(await answerTime(api))
  report({ path: 'first answer after a quiet time', ours: first, unit: 'ms', atMost: null })
  report({ path: 'one answer after the other', ours: median(warm), unit: 'ms', atMost: null })
  await stop(api.child)
} finally {
  for (const { child } of parts) if (child.exitCode === null) child.kill('SIGKILL')
  await counting.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(roles: string[]): Promise<Part> {
  const env = { DATA_DIR: join(folder, 'service'), DATABASE_URL: url }
  const part = await serve(join(folder, `log-${parts.length}`), env, roles)
  parts.push(part)
  return part
}

async function settled(): Promise<void> {
  await sleep(SETTLE_MS)
}

async function transactions(): Promise<number> {
  const count = async () => {
    const { rows } = await counting.query<{ n: number }>(
      'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = $1',
      [database],
    )
    return rows[0]?.n ?? 0
  }
  const before = await count()
  await sleep(SECONDS * 1000)
  return ((await count()) - before) / SECONDS
}

async function ask({ address }: Part, count: number): Promise<void> {
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${address}/v1/accounts`, { headers: { authorization: `Bearer ${KEY}` } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
}

/** The latency of one request in milliseconds on a new connection, as for a caller after an hour. */
async function answerTime({ address }: Part): Promise<number> {
  const began = performance.now()
  const request = get(`${address}/v1/accounts`, { agent: false, headers: { authorization: `Bearer ${KEY}` } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  for await (const _ of answer);
  return performance.now() - began
}
