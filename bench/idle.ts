import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../src/db/embedded.ts'
import { isQuick, median, report } from './results.ts'

/**
 * What the service costs while nobody wants anything: transactions a second, memory of a process of its own for each role,
 * and how long the first answer after a quiet time takes beside the others.
 */

const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
const KEY = 'key-of-the-benchmark'
/** Jobs that run every minute are a burst of some thirty: a short count may hold one of them. */
const SECONDS = isQuick ? 30 : 60
/** Until jobs of the start are over, servers have told of their transactions, and idle connections were closed. */
const SETTLE_MS = isQuick ? 15_000 : 45_000
const REQUESTS = isQuick ? 3_000 : 10_000

const folder = mkdtempSync(join(tmpdir(), 'bellwether-bench-'))
chmodSync(folder, 0o711)
const server = await startEmbedded({ dataDir: join(folder, 'data'), log: pino({ level: 'silent' }) })
const { user, password, host, database } = server.connection
const url = `postgresql://${user}:${password}@${encodeURIComponent(host ?? '')}/${database}`
// In another database, so that counting does not count.
const counting = new pg.Client({ ...server.connection, database: 'template1' })
await counting.connect()

type Part = { child: ChildProcess; address: string | undefined }
const parts: Part[] = []

try {
  if (!isQuick) {
    const both = await start([])
    await settled()
    report({ path: 'idle, one process: transactions', ours: await transactions(), unit: 'a second', atMost: 5 })
    report({ path: 'memory at rest, one process', ours: residentOf(both), unit: 'MB', atMost: null })
    await stop(both)
  }
  const api = await start(['--only', 'api'])
  report({ path: 'memory after the start, api alone', ours: residentOf(api), unit: 'MB', atMost: 120 })
  const worker = await start(['--only', 'worker'])
  await settled()
  report({ path: 'idle, api and worker apart: transactions', ours: await transactions(), unit: 'a second', atMost: 5 })
  report({ path: 'memory at rest, worker alone', ours: residentOf(worker), unit: 'MB', atMost: null })
  await stop(worker)
  await ask(api, REQUESTS)
  report({ path: `memory after ${REQUESTS} requests, api alone`, ours: residentOf(api), unit: 'MB', atMost: 120 })
  await settled()
  const first = await answerTime(api)
  const warm: number[] = []
  for (let n = 0; n < 50; n++) warm.push(await answerTime(api))
  report({ path: 'first answer after a quiet time', ours: first, unit: 'ms', atMost: null })
  report({ path: 'one answer after the other', ours: median(warm), unit: 'ms', atMost: null })
  await stop(api)
} finally {
  for (const { child } of parts) if (child.exitCode === null) child.kill('SIGKILL')
  await counting.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(roles: string[]): Promise<Part> {
  const logFile = join(folder, `log-${parts.length}`)
  const out = openSync(logFile, 'w')
  const child = spawn(process.execPath, [BIN, 'serve', ...roles], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'service'),
      DATABASE_URL: url,
      PORT: '0',
      BELLWETHER_API_KEY: KEY,
      RATE_LIMIT_PER_MINUTE: '10000000',
    },
    stdio: ['ignore', out, 'inherit'],
  })
  closeSync(out)
  const part: Part = { child, address: undefined }
  parts.push(part)
  for (;;) {
    const written = readFileSync(logFile, 'utf8')
    part.address = /ready at (http:\/\/[\d.]+:\d+)/.exec(written)?.[1]
    if (part.address || written.includes('worker is ready')) return part
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${written}`)
    await sleep(20)
  }
}

async function stop({ child }: Part): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
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

/** How long one answer takes, in milliseconds, over a connection of its own, as whoever comes after an hour needs. */
async function answerTime({ address }: Part): Promise<number> {
  const began = performance.now()
  const request = get(`${address}/v1/accounts`, { agent: false, headers: { authorization: `Bearer ${KEY}` } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  for await (const _ of answer);
  return performance.now() - began
}

/** Megabytes that a process holds. */
function residentOf({ child }: Part): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
