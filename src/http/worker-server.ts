import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { AppError } from '../shared/errors.ts'
import { AuthThrottle } from './auth-throttle.ts'
import { handleError } from './errors.ts'
import { registerHeaders, securityHeaders } from './headers.ts'
import { registerHealth } from './health.ts'
import { limitConnections, parserOptions } from './limits.ts'
import { registerMetrics } from './metrics.ts'
import { guardMetrics } from './metrics-guard.ts'
import { closeConnectionsWhenStopping, type ServerParts } from './server.ts'

/** The HTTP server of a process with `--only worker`: health and metrics, without the API. */
export function buildWorkerServer(parts: Pick<ServerParts, 'deps' | 'queue' | 'pool' | 'version'>): FastifyInstance {
  const { deps, queue } = parts
  const { config, log } = deps
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    http: parserOptions(config),
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  limitConnections(app.server, config)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(() => {
    throw new AppError('not_found', 'This is a worker: it has /healthz, /readyz and /metrics.')
  })
  registerHeaders(app, securityHeaders(config))
  closeConnectionsWhenStopping(app)
  registerHealth(app, deps, queue)
  registerMetrics(app, parts, guardMetrics(config.METRICS_TOKEN, new AuthThrottle()))
  return app
}
