import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findRunning, type ServerConnection } from '../src/db/embedded.ts'

const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
const KEY = 'key-of-the-benchmark'

export type BenchService = {
  address: string
  key: string
  connection: ServerConnection
  workspaceId: string
  dataDir: string
  child: ChildProcess
} & AsyncDisposable

/** The service as a user runs it, in a process of its own, on its own PostgreSQL in a fresh folder. */
export async function startBenchService(env: Record<string, string> = {}): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-bench-'))
  chmodSync(folder, 0o711)
  const DATA_DIR = join(folder, 'data')
  // Into a file, as a service manager would have it: a pipe would make the load generator read every line.
  const logFile = join(folder, 'log')
  const out = openSync(logFile, 'w')
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR,
      PORT: '0',
      BELLWETHER_API_KEY: KEY,
      RATE_LIMIT_PER_MINUTE: '10000000',
      // For a profile, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`.
      ...(process.env.BENCH_NODE_OPTIONS && { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
      ...env,
    },
    stdio: ['ignore', out, 'inherit'],
  })
  let address: string | undefined
  while (!address) {
    if (child.exitCode !== null)
      throw new Error(`the service ended with ${child.exitCode}: ${readFileSync(logFile, 'utf8')}`)
    await sleep(20)
    address = readFileSync(logFile, 'utf8').match(/ready at (http:\/\/[\d.]+:\d+)/)?.[1]
  }
  closeSync(out)
  const connection = findRunning(DATA_DIR)
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
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
