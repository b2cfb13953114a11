import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { findRunningServer, type ServerConnection, startEmbedded } from '../src/db/embedded.ts'

export const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
export const KEY = 'key-of-the-benchmark'
/** Processes with one role require it. A whole service generates its own, which commands next to it read. */
const SECRETS_KEY = 'be'.repeat(32)

export type BenchService = {
  address: string
  key: string
  connection: ServerConnection
  workspaceId: string
  dataDir: string
  child: ChildProcess
} & AsyncDisposable

/** A folder for a benchmark that the user of PostgreSQL can access. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-bench-'))
  chmodSync(folder, 0o711)
  return folder
}

type Process = { child: ChildProcess; address: string | undefined }

/** `bellwether serve` in a separate process, when it is ready. A worker has no address. */
export async function serve(logFile: string, env: Record<string, string>, roles: string[] = []): Promise<Process> {
  // Into a file, as with a service manager: with a pipe the load generator would have to read every line.
  const out = openSync(logFile, 'w')
  const child = spawn(process.execPath, [BIN, 'serve', ...roles], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      BELLWETHER_API_KEY: KEY,
      ...(roles.length > 0 && { SECRETS_KEY }),
      RATE_LIMIT_PER_MINUTE: '10000000',
      // For a profile, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`.
      ...(process.env.BENCH_NODE_OPTIONS && { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
      ...env,
    },
    stdio: ['ignore', out, 'inherit'],
  })
  closeSync(out)
  for (;;) {
    const written = readFileSync(logFile, 'utf8')
    const address = /ready at (http:\/\/[\d.]+:\d+)/.exec(written)?.[1]
    if (address || written.includes('worker is ready')) return { child, address }
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${written}`)
    await sleep(20)
  }
}

export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/**
 * The service as a user runs it, in a separate process, on its embedded PostgreSQL in a new folder. One that runs only a part uses
 * the embedded PostgreSQL of this process, because a part does not start one.
 */
export async function startBenchService(env: Record<string, string> = {}, roles: string[] = []): Promise<BenchService> {
  const folder = makeFolder()
  const DATA_DIR = join(folder, 'data')
  const log = pino({ level: 'silent' })
  const server = roles.length > 0 ? await startEmbedded({ dataDir: DATA_DIR, log }) : null
  const database = server && { DATABASE_URL: databaseUrlOf(server) }
  const { child, address = '' } = await serve(join(folder, 'log'), { DATA_DIR, ...database, ...env }, roles)
  const connection = findRunningServer(DATA_DIR)
  if (!connection) throw new Error('the service runs without its PostgreSQL')
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from workspaces')
  await client.end()
  return {
    address,
    key: KEY,
    connection,
    workspaceId: rows[0]?.id ?? '',
    dataDir: DATA_DIR,
    child,
    async [Symbol.asyncDispose]() {
      await stop(child)
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The database URL of a service, for another process. */
export function databaseUrlOf({ connection }: Pick<BenchService, 'connection'>): string {
  const { user, password, database, host = '', port } = connection
  return `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** A process with some roles on the database of a service. */
export async function serveBeside(
  service: Pick<BenchService, 'connection' | 'dataDir'>,
  env: Record<string, string>,
  roles: string[],
): Promise<Process & AsyncDisposable> {
  const { dataDir } = service
  const DATABASE_URL = databaseUrlOf(service)
  const log = join(dataDir, '..', `log-${crypto.randomUUID()}`)
  const generated = join(dataDir, 'secrets.key')
  const key = existsSync(generated) ? readFileSync(generated, 'utf8').trim() : SECRETS_KEY
  const part = await serve(log, { DATA_DIR: dataDir, DATABASE_URL, SECRETS_KEY: key, ...env }, roles)
  return { ...part, [Symbol.asyncDispose]: () => stop(part.child) }
}

export type Call = <Data>(method: string, path: string, body?: object) => Promise<Data>

/** Calls the API with the service's key; returns the data of the response. */
export function caller({ address, key }: Pick<BenchService, 'address' | 'key'>): Call {
  return async <Data>(method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Data }).data
  }
}
