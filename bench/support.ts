import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Connection, findRunning } from '../src/db/embedded.ts'

const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
const KEY = 'key-of-the-benchmark'

export type BenchService = {
  address: string
  key: string
  connection: Connection
  workspaceId: string
  child: ChildProcess
} & AsyncDisposable

/** The service as a user runs it, in a process of its own, on its own PostgreSQL in a fresh folder. */
export async function startBenchService(env: Record<string, string> = {}): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-bench-'))
  chmodSync(folder, 0o711)
  const DATA_DIR = join(folder, 'data')
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR,
      PORT: '0',
      BELLWETHER_API_KEY: KEY,
      RATE_LIMIT_PER_MINUTE: '10000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      // Read on for as long as it runs: a full pipe would stop the service.
      if (text.length > 20_000) return
      text += chunk
      const found = text.match(/ready at (http:\/\/[\d.]+:\d+)/)
      if (found) resolve(found[1] as string)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)))
  })
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
    child,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
