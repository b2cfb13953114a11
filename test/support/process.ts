import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findRunningServer } from '../../src/db/embedded.ts'

const BIN = fileURLToPath(new URL('../../bin/bellwether.js', import.meta.url))

/** Lost soon, because tests kill workers and wait for a takeover; low concurrency, because each worker polls. */
const WORKER = { WORKER_LOST_SECONDS: '10', WORKER_CONCURRENCY: '1' }

/** Shorter than the limit of a test, so that a failure shows the output. */
const WAIT_SECONDS = 120

type Options = { env?: Record<string, string>; uid?: number; gid?: number; bin?: string }

export type Running = {
  child: ChildProcessWithoutNullStreams
  /** All output so far, of both streams. */
  output: () => string
  /** Waits until the output matches. Throws when the process exits first, or after a time limit. */
  sees: (pattern: RegExp) => Promise<RegExpMatchArray>
  exited: Promise<number | null>
}

/** A test that timed out goes on after its hooks: what it starts then ends with this process. */
const running = new Set<ChildProcessWithoutNullStreams>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs the `bellwether` command as a separate process. It is stopped with the test, or the test file. */
export function run(args: string[], { env = {}, uid, gid, bin = BIN }: Options = {}): Running {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...WORKER, ...env },
    ...(uid === undefined ? {} : { uid, gid }),
  })
  return follow(child)
}

/** Reads the output of a process, which is stopped with the test, or the test file. */
export function follow(child: ChildProcessWithoutNullStreams): Running {
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const listener of listeners) listener()
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  running.add(child)
  void exited.then(() => running.delete(child))
  after(() => child.kill('SIGKILL'))
  const sees = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const found = text.match(pattern)
        if (!found) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
      void exited.then((code) => reject(new Error(`ended with ${code} before ${pattern}: ${text}`)))
      setTimeout(
        () => reject(new Error(`no ${pattern} within ${WAIT_SECONDS} s: ${text}`)),
        WAIT_SECONDS * 1000,
      ).unref()
    })
  return { child, output: () => text, sees, exited }
}

/** Environment of a process that uses the database of a service of the test. */
export function beside({ databaseUrl }: { databaseUrl: string }) {
  return { DATABASE_URL: databaseUrl, SECRETS_KEY: process.env.TEST_SECRETS_KEY as string, DATA_DIR: dataDir() }
}

/** A data folder; accessible to other users unless `closed`. */
export function dataDir({ closed = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-start-'))
  if (!closed) chmodSync(folder, 0o711)
  after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

export async function address(service: Running): Promise<string> {
  return (await service.sees(/ready at (http:\/\/[\d.]+:\d+)/))[1] as string
}

export async function stop(service: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  service.child.kill(signal)
  return service.exited
}

/** A worker in a separate process, so that it can be killed. */
export async function startWorker(env: Record<string, string>): Promise<Running> {
  const worker = run(['serve', '--only', 'worker'], { env })
  await worker.sees(/worker is ready/)
  return worker
}

/** Two workers that are killed and replaced alternately, each at its moment. */
export async function killWorkersInTurn(
  env: Record<string, string>,
  {
    begin,
    moments,
    replaced,
  }: Record<'begin' | 'replaced', () => Promise<void>> & { moments: (() => Promise<unknown>)[] },
): Promise<void> {
  const workers = await Promise.all([startWorker(env), startWorker(env)])
  await begin()
  for (const [at, moment] of moments.entries()) {
    await moment()
    await stop(workers[at % 2] as Running, 'SIGKILL')
    workers[at % 2] = await startWorker(env)
    await replaced()
  }
}

/** Kills the PostgreSQL that a service runs in its data folder. */
export function killPostgres(dataDir: string): void {
  const file = join(dataDir, 'postgres/cluster/postmaster.pid')
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
}

/** Expires the heartbeats of the jobs of one name that a killed worker of a service held. */
export async function loseJobs(dataDir: string, name: string): Promise<void> {
  const client = new pg.Client(findRunningServer(dataDir) ?? assert.fail('its PostgreSQL does not run'))
  await client.connect()
  await client.query("update pgboss.job set heartbeat_on = 'epoch' where name = $1 and state = 'active'", [name])
  await client.query("update run_candidates set lease_until = 'epoch' where lease_until is not null")
  await client.end()
}
