import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Bellwether } from '@bellwether/client'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { FindingsListener } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import { abortOnDisconnect } from '../http/abort-on-disconnect.ts'
import { recordRefusal } from '../http/audit.ts'
import { readBearerToken } from '../http/auth.ts'
import { parseJsonBodies } from '../http/json-body.ts'
import { baseUrl, isCrossOrigin } from '../http/origin.ts'
import type { Gate, Mount } from '../http/server.ts'
import { AppError, ERROR_STATUS } from '../shared/errors.ts'
import { ConcurrencyQuota } from './concurrency-quota.ts'
import { createInProcessFetch, IN_PROCESS_URL } from './in-process-fetch.ts'
import { LastUseRecorder } from './last-use-recorder.ts'
import type { CreateMcpServer, ProtocolHandler } from './protocol-handler.ts'
import type { McpCaller } from './subscriptions.ts'

/** Limits on concurrent calls. A call that waits for a scan runs for minutes. */
const CALL_LIMITS = { perCaller: 50, total: 1_000 }
const BODY_LIMIT = 1024 * 1024
const PATH = '/mcp'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests to /mcp. */
    agent: McpCaller | null
  }
}

type Parts = Pick<Deps, 'config' | 'db' | 'keys' | 'log'>

/**
 * Mounts the Model Context Protocol at /mcp: revision 2026-07-28, and the revisions of 2025 as far as they work without a
 * session. Requests are stateless and carry an API key; tools call the HTTP API in this process (docs/decisions/0020).
 */
export function createMcpMount(parts: Parts, findings: FindingsListener, createServer?: CreateMcpServer): Mount {
  const { config, db, keys, log } = parts
  return (app, gate) => {
    if (!config.MCP_ENABLED) return refuseAll(app, gate)
    registerResourceMetadata(app, config, gate)
    let handler: Promise<ProtocolHandler> | null = null
    /** Loaded on first use: the protocol takes a tenth of the API's memory, and many installations have no agents. */
    const loadHandler = () => {
      handler ??= import('./protocol-handler.ts').then(({ createProtocolHandler: serveAgents }) =>
        serveAgents({ config, keys, log, findings }, createServer, BODY_LIMIT),
      )
      return handler
    }
    const quota = new ConcurrencyQuota(CALL_LIMITS)
    const lastUse = new LastUseRecorder(db, log)

    /** Records a refusal, and throws the error again. */
    async function rethrowRecorded(request: FastifyRequest, action: string, error: unknown): Promise<never> {
      const code = error instanceof AppError ? error.code : null
      if (code === 'unauthenticated' || code === 'forbidden') {
        const refusal = { status: ERROR_STATUS[code], error_code: code }
        await recordRefusal(db, request, action, refusal).catch((err) =>
          log.error({ err }, 'an audit entry could not be written'),
        )
      }
      throw error
    }

    async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (isCrossOrigin(request, config)) {
        throw new AppError(
          'forbidden',
          'Requests from web pages of other origins are not accepted. Call /mcp from a program.',
        )
      }
      const member = await gate.byKey(request, reply).catch(async (error) => {
        const code = error instanceof AppError ? error.code : null
        const hasWrongKey = request.headers.authorization !== undefined
        if (code === 'unauthenticated')
          reply.header('www-authenticate', authenticateChallenge(request, config, hasWrongKey))
        return rethrowRecorded(request, 'connectAgent', error)
      })
      const key = readBearerToken(request) as string
      request.agent = { member, key, client: clientFor(app, request, key, (by) => gate.adjust(member, by)) }
      lastUse.record(member.workspace_id)
    }

    async function handleRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const caller = request.agent as McpCaller
      // Clients of revision 2025-03-26 may send a batch: each of its calls counts against the rate limit.
      const count = Array.isArray(request.body) ? Math.max(1, request.body.length) : 1
      for (let more = 1; more < count; more++) gate.take(caller.member, reply)
      const release = quota.acquire(caller.key, count)
      if (!release) {
        const message = `More than ${CALL_LIMITS.perCaller} of your calls run concurrently. Wait until some have ended.`
        throw new AppError('rate_limited', message, { retryAfter: 5 })
      }
      reply.raw.once('close', release)
      const webRequest = toWebRequest(request, abortOnDisconnect(reply))
      const authInfo = { token: caller.key, clientId: caller.member.id, scopes: [], extra: caller } satisfies AuthInfo
      const { handle } = await loadHandler()
      const options = { authInfo, parsedBody: request.body }
      const response = await handle(webRequest, reply.raw, caller, options).catch((error) => {
        // Tools are refused by the API, which records it; a subscription is refused here.
        request.member = caller.member
        return rethrowRecorded(request, 'subscribeToAccounts', error)
      })
      if (typeof response === 'string') return reply.type('application/json; charset=utf-8').send(response)
      return sendWebResponse(reply, response)
    }

    app.decorateRequest('agent', null)
    app.addHook('preClose', async () => (await handler)?.close())
    app.register(async (scope) => {
      // The API validates what a tool passes on, and its error reaches the agent as a tool error.
      parseJsonBodies(scope, 'passes')
      scope.route({
        method: ['GET', 'POST', 'DELETE'],
        url: PATH,
        schema: { hide: true },
        bodyLimit: BODY_LIMIT,
        onRequest: authenticate,
        handler: handleRequest,
      })
    })
  }
}

/** A client that calls the API of this process with the caller's key. The request itself has paid for its first call. */
function clientFor(
  app: FastifyInstance,
  request: FastifyRequest,
  key: string,
  adjust: (by: 1 | -1) => void,
): Bellwether {
  let calls = 0
  const caller = { host: request.raw.headers.host ?? '', address: request.ip, requestId: request.id }
  const fetch = createInProcessFetch(app, caller, {
    begins: () => {
      if (calls++ === 0) adjust(-1)
    },
    // Otherwise calls that are rejected before authentication would be free of the rate limit.
    uncounted: () => adjust(1),
  })
  // In-process calls lose no response, so there is nothing to retry, and routes have their own timeouts.
  return new Bellwether({ url: IN_PROCESS_URL, key, retries: 0, timeoutMs: Number.POSITIVE_INFINITY, fetch })
}

function refuseAll(app: FastifyInstance, gate: Gate): void {
  app.all(PATH, { schema: { hide: true } }, async (request, reply) => {
    gate.byAddress(request, reply)
    throw new AppError('not_found', 'MCP is disabled: MCP_ENABLED is false.')
  })
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

type Address = Pick<Config, 'PUBLIC_URL' | 'PORT'>

/** The WWW-Authenticate header for a caller without a valid key (RFC 6750, RFC 9728). */
function authenticateChallenge(request: FastifyRequest, config: Address, isWrong: boolean): string {
  const metadata = `resource_metadata="${baseUrl(request, config)}${WELL_KNOWN}/mcp"`
  return isWrong ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}

/**
 * Serves the metadata of /mcp as a protected resource. It names no authorization server because there is none: an admin of
 * the workspace issues the keys.
 */
function registerResourceMetadata(app: FastifyInstance, config: Address, gate: Gate): void {
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      gate.byAddress(request, reply)
      const address = baseUrl(request, config)
      return {
        resource: `${address}/mcp`,
        resource_name: 'Bellwether',
        bearer_methods_supported: ['header'],
        resource_documentation: `${address}/docs`,
      }
    })
  }
}

/** Headers that the protocol handler must not see: credentials, and those of the connection. */
const HIDDEN_HEADERS = new Set([
  'authorization',
  'cookie',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
])
/** Headers copied from the protocol's response; the others are the same on every response. */
const COPIED_HEADERS = ['content-type', 'allow', 'x-accel-buffering', 'mcp-session-id', 'mcp-protocol-version']

/**
 * The parts of a web Request that the protocol handler uses; the body is parsed already. A real Request with headers and
 * signal would cost as much time as the rest of the call.
 */
function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const get = (name: string) => {
    const value = HIDDEN_HEADERS.has(name.toLowerCase()) ? undefined : headers[name.toLowerCase()]
    return typeof value === 'string' ? value : null
  }
  const has = (name: string) => get(name) !== null
  return { method, url: `http://bellwether${url}`, headers: { get, has }, signal } as unknown as Request
}

/** Sends a web Response: an event stream with backpressure, any other body at once. */
async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  for (const name of COPIED_HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  if (response.body === null) return reply.send()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text())
  // A proxy that compresses or buffers would delay the events.
  reply.header('cache-control', 'no-store, no-transform')
  return reply.send(Readable.fromWeb(response.body as ReadableStream))
}
