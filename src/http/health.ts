import type { FastifyInstance } from 'fastify'
import { ping } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import type { Queue } from '../jobs/queue.ts'

const CHECK_TIMEOUT_MS = 3_000

/** `/healthz`: the process runs. `/readyz`: its dependencies are available too, each reported by name. */
export function registerHealth(app: FastifyInstance, { db, log }: Pick<Deps, 'db' | 'log'>, queue: Queue): void {
  const checks = {
    database: () => ping(db),
    queue: () => queue.ping(),
  }

  const probe = { schema: { hide: true }, config: { anyHost: true } }
  app.get('/healthz', probe, () => ({ status: 'ok' }))

  app.get('/readyz', probe, async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withTimeout(check())
          return [name, 'ok'] as const
        } catch (error) {
          log.warn({ err: error, check: name }, 'not ready')
          return [name, 'failed'] as const
        }
      }),
    )
    const ready = results.every(([, state]) => state === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(results) })
  })
}

async function withTimeout(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}
