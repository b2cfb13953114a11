import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { startInternet } from '../../sandbox/internet.ts'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createWaiters } from '../../sandbox/waiters.ts'
import { type ServerConnection, startEmbedded } from '../../src/db/embedded.ts'
import { createWorkspace } from '../../src/setup/create-workspace.ts'
import { quickHubspot } from '../support/crm.ts'
import { beside, killPostgres, type Running, run, stop } from '../support/process.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'
import { companySites } from './sites.ts'

export const VICTIMS = ['api 1', 'api 2', 'worker 1', 'worker 2', 'worker 3', 'postgres'] as const
export type Victim = (typeof VICTIMS)[number]
type Name = Exclude<Victim, 'postgres'>

/** The emulated CRM stores what it receives and needs no world. */
const EMPTY = { today: '2026-11-14', companies: [], stories: [], filings: [] }

const NAMES = VICTIMS.filter((name): name is Name => name !== 'postgres')

export type World = Awaited<ReturnType<typeof startWorld>>

/** The PostgreSQL of a world: its URL, what the processes need to use it, and how it ends. */
export type Postgres = {
  url: string
  env: Record<string, string>
  said: readonly string[]
  kill: () => void
  end: () => Promise<void>
}

/** A separate PostgreSQL on a separate folder that may be killed: committed data must survive. */
async function ownPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-faults-'))
  chmodSync(folder, 0o711)
  // A killed process loses nothing that it has written to a file; fsync matters only for a machine failure.
  const said: string[] = []
  const write = (line: string) => {
    // Each broken connection logs a warning.
    if (!line.includes('terminating connection')) said.push(line)
    said.splice(0, said.length - 30)
  }
  const log = pino({ level: 'debug' }, { write })
  const server = await startEmbedded({ dataDir: folder, log, settings: { fsync: 'off' } })
  return {
    /** The last lines of its log. */
    said,
    url: urlOf(server.connection),
    env: {},
    kill() {
      // It may still be restarting.
      try {
        killPostgres(folder)
      } catch (error) {
        assert.match(String(error), /ENOENT|ESRCH/)
      }
    },
    async end() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function urlOf({ host, port, user, password, database }: ServerConnection): string {
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host as string)}&port=${port}`
}

/** Two APIs and three workers as processes on one PostgreSQL, and their peers. Stopped with the file. */
export async function startWorld(startPostgres: () => Promise<Postgres> = ownPostgres) {
  const { until, notify } = createWaiters()
  let events = 0
  const event = () => {
    events++
    notify()
  }
  const hubspot = quickHubspot({ searchLagMs: 3_600_000, latencyMs: 10 })
  const internet = await startInternet(async (request) => {
    event()
    return hubspot.hosts.includes(request.url.hostname) ? hubspot.answer(request, EMPTY) : companySites(request)
  })
  const receiver = await startReceiver({
    behaviour: { do: 'fail_randomly', share: 0.02, seed: 7 },
    onDelivery: event,
  })
  const postgres = await startPostgres()
  const env = {
    ...internet.env,
    ...beside({ databaseUrl: postgres.url }),
    OUTBOUND_ALLOW: receiver.host,
    SOURCES: 'website',
    CRAWL_DELAY_MS: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PUSH_RETRY_SECONDS: '0,0,1,1,1,1,1,1',
    PUSH_CONCURRENCY: '4',
    PUSH_INLINE_SECONDS: '2',
    ALERT_DELAY_SECONDS: '1',
    DISCOVERY_CONCURRENCY: '2',
    WORKER_CONCURRENCY: '2',
    DATABASE_POOL_SIZE: '6',
    ...postgres.env,
  }
  // Only for the account: it runs no jobs.
  const service = await testService({
    api: false,
    databaseUrl: postgres.url,
    env: { ...env, BELLWETHER_API_KEY: ADMIN_KEY },
  })
  const processes = new Map<Name, Running>()
  const addresses = new Map<Name, string>()
  const crashes: string[] = []

  /** Starts a process until it is ready, as a supervisor does: it exits when the database is unavailable at the start. */
  async function start(name: Name): Promise<void> {
    for (;;) {
      const running = run(['serve', '--only', name.split(' ')[0] as string], { env })
      processes.set(name, running)
      try {
        const [, address] = await running.sees(/ready at (http:\/\/[\d.]+:\d+)|worker is ready/)
        if (address) addresses.set(name, address)
        void running.exited.then((code) => {
          if (code !== null) crashes.push(`${name} ended by itself with ${code}: ${running.output().slice(-2000)}`)
        })
        return
      } catch (error) {
        // Killed during its start: the code that killed it starts another.
        if (processes.get(name) !== running || running.child.signalCode) return
        if (!/PostgreSQL|database|ECONN|terminat/i.test(String(error))) throw error
        await sleep(200)
      }
    }
  }

  const starting = new Set<Promise<void>>()

  async function kill(victim: Victim): Promise<void> {
    if (victim === 'postgres') {
      postgres.kill()
      return
    }
    addresses.delete(victim)
    const running = processes.get(victim)
    if (running) await stop(running, 'SIGKILL')
    const started = start(victim).finally(() => starting.delete(started))
    starting.add(started)
  }

  await Promise.all(NAMES.map(start))
  after(async () => {
    for (const running of processes.values()) running.child.kill('SIGKILL')
    await service.stop()
    await postgres.end()
    await receiver[Symbol.asyncDispose]()
    await internet[Symbol.asyncDispose]()
  })

  return {
    databaseUrl: postgres.url,
    db: service.deps.db,
    jobs: service.deps.jobs,
    secrets: service.deps.secrets,
    async newWorkspace() {
      const admin = { name: 'Admin', email: 'admin@faults.example' }
      const { workspace, key } = await service.deps.db
        .transaction()
        .execute((db) => createWorkspace(db, { name: 'Faults', admin }))
      return { id: workspace.id, key }
    },
    hubspot,
    receiver,
    postgresSaid: postgres.said,
    crashes,
    kill,
    event,
    /** Waits for a number of further events at the peers, with a timeout. */
    eventsPass: (count: number) => {
      const wanted = events + count
      return Promise.race([until(() => events >= wanted), sleep(3_000)])
    },
    /** The current addresses of the APIs. */
    addresses: () => [...addresses.values()],
    /** Waits until every process runs again. */
    whole: async () => {
      while (starting.size > 0) await Promise.all(starting)
    },
  }
}
