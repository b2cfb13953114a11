import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Queue } from '../jobs/queue.ts'

const DEPTH_TIMEOUT_MS = 1_000

/** Prometheus metrics of this process: requests, latency, pool, and the depth of the job queues. */
export function registerMetrics(
  app: FastifyInstance,
  queue: Queue,
  pool: pg.Pool,
  guard: onRequestAsyncHookHandler,
): void {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'bellwether_http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers,
  })
  const latency = new Histogram({
    name: 'bellwether_http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the path: ids would make a series each.
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    latency.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    done()
  })

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
  new Gauge({
    name: 'bellwether_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      // The other figures are wanted most of all when the database is gone.
      const depth = await Promise.race([queue.depth().catch(() => []), sleep(DEPTH_TIMEOUT_MS, [], { ref: false })])
      for (const { name, ...states } of depth) {
        for (const [state, count] of Object.entries(states)) this.set({ queue: name, state }, count)
      }
    },
  })

  app.get(
    '/metrics',
    { schema: { hide: true }, config: { anyHost: true }, onRequest: guard },
    async (_request, reply) => {
      reply.type(registry.contentType)
      return registry.metrics()
    },
  )
}
