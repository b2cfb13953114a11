import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type pg from 'pg'
import type { Deps } from '../deps/deps.ts'
import type { Queue } from '../jobs/queue.ts'
import { AppError } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import type { Member } from '../shared/member.ts'
import { auditHooks, isAuditedChange } from './audit.ts'
import { createAuthenticateHook, createKeyAuthenticator, rateLimitKey } from './auth.ts'
import { AuthThrottle } from './auth-throttle.ts'
import { type InteractionHandler, registerChatInteractions } from './chat-interactions.ts'
import { clientKey } from './client-address.ts'
import { isPageRequest, registerConsole, type SendConsole } from './console.ts'
import { registerDocs } from './docs.ts'
import { handleError } from './errors.ts'
import { registerHeaders, securityHeaders } from './headers.ts'
import { registerHealth } from './health.ts'
import { checkHost } from './host.ts'
import { idempotencyHooks } from './idempotency.ts'
import { parseJsonBodies } from './json-body.ts'
import { limitConnections, parserOptions, rejectUnusualRequests } from './limits.ts'
import { endWithResponse, rejectMalformed } from './malformed.ts'
import { registerMetrics } from './metrics.ts'
import { guardMetrics } from './metrics-guard.ts'
import { type Consents, registerOauthCallback } from './oauth-callback.ts'
import { registerOpenapi } from './openapi.ts'
import type { App, Routes } from './operation.ts'
import { parseQuery } from './query.ts'
import { RateLimit } from './rate-limit.ts'
import { rejectInvalidText } from './reject-invalid-text.ts'
import { SlowClients } from './slow-clients.ts'
import { type ChangeSubscription, registerUnsubscribe } from './unsubscribe.ts'
import { serializerCompiler, validatorCompiler } from './validation.ts'
import type { Webhook } from './webhook.ts'

const BODY_LIMIT = 1024 * 1024
const REQUEST_ID = /^[\w.-]{1,128}$/

/** Authentication and rate limits, for handlers mounted outside /v1. */
export type Gate = {
  /** Authenticates by API key. Counts one request. Throws unauthenticated and rate_limited. */
  byKey: (request: FastifyRequest, reply: FastifyReply) => Promise<Member>
  /** Counts an unauthenticated request. Throws rate_limited. */
  byAddress: (request: FastifyRequest, reply: FastifyReply) => void
  /** Counts an additional request, for calls that do several things. Throws rate_limited. */
  take: (member: Member, reply: FastifyReply) => void
  /** Removes the request that `byKey` counted, for a batch whose calls are counted separately; or adds one. */
  adjust: (member: Member, by: 1 | -1) => void
}

export type Mount = (app: FastifyInstance, gate: Gate) => void

export type ServerParts = {
  deps: Deps
  queue: Queue
  consents: Consents
  interactions: InteractionHandler
  changeSubscription: ChangeSubscription
  /** Mounts the MCP endpoint for agents. */
  mountMcp: Mount
  pool: pg.Pool
  version: string
  /** The route tables of all resources, mounted under /v1. */
  routes: Routes[]
  /** The webhooks that the service sends, for the OpenAPI document. */
  webhooks: readonly Webhook[]
}

/** Builds the HTTP server without listening: tests use `inject`, app/service.ts calls `listen`. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { deps, queue, consents, interactions, changeSubscription, mountMcp, version, routes, webhooks } = parts
  const { config, log } = deps
  const headers = securityHeaders(config)
  const slow = new SlowClients(config.SLOW_CLIENT_SECONDS, (socket) =>
    endWithResponse(socket, { code: 'request_timeout', message: 'The body was sent too slowly.' }, headers),
  )
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    http: parserOptions(config),
    trustProxy: config.TRUST_PROXY > 0 && ((_address: string, hop: number) => hop < config.TRUST_PROXY),
    // The caller's request id correlates its logs with ours.
    genReqId: (raw) => {
      const given = raw.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
    },
    frameworkErrors: (error, request, reply) => {
      slow.watch(request.raw, reply.raw)
      reply.headers(headers).header('x-request-id', request.id)
      handleError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => rejectMalformed(error, socket, headers),
    forceCloseConnections: 'idle',
    // closeConnectionsWhenStopping sends the error body of the API instead.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true, querystringParser: parseQuery },
  }) as unknown as FastifyInstance

  limitConnections(app.server, config)
  const allowed = trackMethods(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  const limit = new RateLimit(config.RATE_LIMIT_PER_MINUTE)
  const guesses = new AuthThrottle()
  let sendConsole: SendConsole | null = null
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    limit.take(clientKey(request.ip), reply)
    if (sendConsole && isPageRequest(request)) return sendConsole(request, reply)
    const methods = allowed(path)
    if (methods.length === 0) throw new AppError('not_found', `There is no ${path}.`)
    reply.header('allow', methods.join(', '))
    throw new AppError('method_not_allowed', `Use ${methods.filter((method) => method !== 'HEAD').join(' or ')} here.`)
  })
  app.decorateRequest('idempotency', null)
  app.decorateRequest('audit', null)
  app.addHook('onRequest', (request, reply, done) => {
    // Requests over the limit may already have been parsed: none of them is processed.
    const isOne = slow.watch(request.raw, reply.raw)
    done(isOne ? undefined : new AppError('rate_limited', 'Too many requests at once on one connection.'))
  })
  app.addHook('onClose', async () => slow.close())
  registerHeaders(app, headers)
  const refuseOtherHosts = checkHost(config)
  // Asynchronous: a response sent while the parser still reads the bytes could be followed by the parser's own error response.
  app.addHook('onRequest', async (request, reply) => {
    rejectUnusualRequests(request, reply)
    refuseOtherHosts(request)
  })
  // Request lines have no field that needs redaction, which would cost time.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    lines.info(
      {
        reqId: request.id,
        method: request.method,
        // The query of an OAuth redirect and of a link in a mail contains a secret.
        url: /^\/(?:oauth\/|sign-in\/|(?:un)?subscribe)/.test(request.url) ? request.url.split('?', 1)[0] : request.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // Only percent-encoding can contain text that cannot be stored.
    if (request.url.includes('%')) {
      rejectInvalidText(request.params, 'params')
      rejectInvalidText(request.query, 'query')
    }
    done()
  })
  parseJsonBodies(app)
  closeConnectionsWhenStopping(app)

  registerHealth(app, deps, queue)
  registerMetrics(app, parts, guardMetrics(config.METRICS_TOKEN, guesses))
  registerOpenapi(app, { version, publicUrl: config.PUBLIC_URL, webhooks })
  registerDocs(app)
  sendConsole = registerConsole(app, config)
  registerOauthCallback(app, deps, consents, limit, guesses)
  registerChatInteractions(app, interactions, limit)
  registerUnsubscribe(app, changeSubscription, limit, guesses)
  const byKey = createKeyAuthenticator(deps, limit, guesses)
  mountMcp(app, {
    byKey: async (request, reply) => byKey(request, reply),
    byAddress: (request, reply) => limit.take(clientKey(request.ip), reply),
    take: (member, reply) => limit.take(rateLimitKey(member), reply),
    adjust: (member, by) => limit.adjust(rateLimitKey(member), by),
  })
  app.register(
    async (v1) => {
      const idempotency = idempotencyHooks(deps)
      const audit = auditHooks(deps)
      v1.addHook('onRequest', createAuthenticateHook(deps, limit, guesses))
      v1.addHook('preValidation', (request, _reply, done) => {
        // A missing body counts as an empty object, so that validation names the missing fields.
        if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
        done()
      })
      v1.addHook('preHandler', (request, reply, done) => {
        const { allow, status = 200 } = request.routeOptions.config
        reply.code(status)
        if (!allow) return done()
        allow(deps, request as Parameters<typeof allow>[1]).then(() => done(), done)
      })
      v1.addHook('preSerialization', audit.preSerialization)
      v1.addHook('preSerialization', (request, _reply, payload, done) => {
        done(null, request.routeOptions.config.envelope ? { data: payload } : payload)
      })
      v1.addHook('onSend', audit.onSend)
      const operationIds = new Set<string>()
      v1.decorate('operationIds', operationIds)
      v1.addHook('onRoute', (route) => {
        if (route.config?.operationId) operationIds.add(route.config.operationId)
        const first = route.method === 'POST' ? [idempotency.preHandler] : []
        const begin = isAuditedChange(String(route.method), route.config ?? {}) ? [audit.preHandler] : []
        Object.assign(route, { preHandler: [...first, ...begin] })
        if (route.method === 'POST') route.onSend = idempotency.onSend
      })
      for (const route of routes) route(v1 as unknown as App, deps)
    },
    { prefix: '/v1' },
  )
  return app
}

/** When the service stops, closes each connection after its running request. */
export function closeConnectionsWhenStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isStopping) throw new AppError('unavailable', 'The service is stopping. Try again shortly.', { retryAfter: 1 })
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  // A response whose headers were sent before has no `connection: close`: its connection is closed once it is idle.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isStopping) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}

/** Records the methods of each path, for 405 and its Allow header. */
function trackMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`)
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}
