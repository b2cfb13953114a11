import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ping } from '../db/connect.ts'
import { countWorkers, listProviderStates, readBackupAge } from '../db/metrics.ts'
import type { Deps } from '../deps/deps.ts'
import type { Queue } from '../jobs/queue.ts'

const QUERY_TIMEOUT_MS = 1_000

type Watched = { deps: Pick<Deps, 'db' | 'config' | 'classifier'>; queue: Queue; pool: pg.Pool; version: string }

/** Prometheus metrics of this process, and from the database of the whole installation; docs/operating.md lists them. */
export function registerMetrics(app: FastifyInstance, watched: Watched, guard: onRequestAsyncHookHandler): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countRequests(app, registry)
  showProcess(registry, watched)
  showInstallation(registry, watched)
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { anyHost: true }, onRequest: guard },
    async (_request, reply) => {
      reply.type(registry.contentType)
      return registry.metrics()
    },
  )
}

function countRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const requests = new Counter({
    name: 'bellwether_http_requests_total',
    help: 'Completed requests',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  const latency = new Histogram({
    name: 'bellwether_http_request_duration_seconds',
    help: 'Time from request to response',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the path: every id would create a time series.
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    latency.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    done()
  })
}

/** Metrics of this process, without a query. */
function showProcess(registry: Registry, { deps, queue, pool, version }: Watched): void {
  const registers = [registry]
  new Gauge({
    name: 'bellwether_info',
    help: 'Always 1; the version is a label',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'bellwether_db_pool_connections',
    help: 'Database connections of this process',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'total' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Counter({
    name: 'bellwether_job_attempts_total',
    help: 'Job attempts that this process has finished, by outcome; deadletter: not retried any more',
    labelNames: ['queue', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const [name, counts] of queue.attempts) {
        for (const [outcome, count] of Object.entries(counts)) this.inc({ queue: name, outcome }, count)
      }
    },
  })
  new Gauge({
    name: 'bellwether_reader_ready',
    help: '1 when the classifier is loaded in this process, 0 when it cannot run here; no sample before it is loaded',
    // With a label, a gauge has no sample before it is set.
    labelNames: ['version'],
    registers,
    collect() {
      const { isReady, version } = deps.classifier
      if (isReady !== null) this.set({ version }, isReady ? 1 : 0)
    },
  })
}

/** Metrics from the database, the same in every process. Samples that cannot be read are omitted. */
function showInstallation(registry: Registry, { deps, queue }: Watched): void {
  const { db, config } = deps
  const registers = [registry]
  new Gauge({
    name: 'bellwether_database_up',
    help: '1 when the database responded to this scrape',
    registers,
    async collect() {
      this.set((await inTime(ping(db).then(() => true))) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'bellwether_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const { name, ...states } of (await inTime(queue.depth())) ?? []) {
        for (const [state, count] of Object.entries(states)) this.set({ queue: name, state }, count)
      }
    },
  })
  new Gauge({
    name: 'bellwether_jobs_wait_seconds',
    help: 'Time since the oldest due job of a queue could have started',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset()
      for (const { name, seconds } of (await inTime(queue.waits())) ?? []) this.set({ queue: name }, seconds)
    },
  })
  new Gauge({
    name: 'bellwether_workers',
    help: 'Worker processes with a heartbeat within WORKER_LOST_SECONDS',
    labelNames: [],
    registers,
    async collect() {
      const count = await inTime(countWorkers(db, config.WORKER_LOST_SECONDS))
      if (count === null) this.remove()
      else this.set(count)
    },
  })
  new Gauge({
    name: 'bellwether_backup_age_seconds',
    help: 'Time since the last backup to BACKUP_TARGET succeeded; no sample before the first one',
    labelNames: [],
    registers,
    async collect() {
      const age = await inTime(readBackupAge(db))
      if (age === null) this.remove()
      else this.set(age)
    },
  })
  new Gauge({
    name: 'bellwether_provider_failing',
    help: '1 when the last call of a provider failed, with the reason',
    labelNames: ['provider', 'kind'],
    registers,
    async collect() {
      this.reset()
      for (const { provider, kind } of (await inTime(listProviderStates(db))) ?? []) {
        this.set({ provider, kind: kind ?? '' }, kind ? 1 : 0)
      }
    },
  })
}

/** Null on failure or timeout: the other metrics are needed most when the database is unavailable. */
function inTime<T>(answer: Promise<T>): Promise<T | null> {
  return Promise.race([answer.catch(() => null), sleep(QUERY_TIMEOUT_MS, null, { ref: false })])
}
