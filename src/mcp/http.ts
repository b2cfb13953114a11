import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Bellwether } from '@bellwether/client'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { bearerIn } from '../http/auth.ts'
import { hangUp } from '../http/hang-up.ts'
import { parseJsonBodies } from '../http/json-body.ts'
import { addressOf, isForeign } from '../http/origin.ts'
import type { Gate, Mount } from '../http/server.ts'
import { ConcurrencyQuota } from './concurrency-quota.ts'
import { createInProcessFetch, IN_PROCESS_URL } from './in-process-fetch.ts'
import { LastUseRecorder } from './last-use-recorder.ts'
import type { CreateMcpServer, ProtocolHandler } from './protocol-handler.ts'
import type { McpCaller } from './subscriptions.ts'

/** Calls that may run at once: one that waits for a scan runs for minutes. */
const CALLS = { each: 50, all: 1_000 }
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
 * Serves agents at /mcp by the Model Context Protocol: the revision of 2026-07-28, and those of 2025 as far as they need no
 * session. Every request stands for itself and brings its key; what it does, it does through the API of this process
 * (docs/decisions/0020).
 */
export function createMcpMount(parts: Parts, findings: FindingsHeard, createServer?: CreateMcpServer): Mount {
  const { config, db, keys, log } = parts
  return (app, gate) => {
    if (!config.MCP_ENABLED) return refuseAll(app, gate)
    registerResourceMetadata(app, config, gate)
    let serving: Promise<ProtocolHandler> | null = null
    /** The protocol is a tenth of the memory of the whole API, and many installations have no agents. */
    const loaded = () => {
      serving ??= import('./protocol-handler.ts').then(({ createProtocolHandler: serveAgents }) =>
        serveAgents({ config, keys, log, findings }, createServer, BODY_LIMIT),
      )
      return serving
    }
    const calls = new ConcurrencyQuota(CALLS)
    const used = new LastUseRecorder(db, log)

    async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (isForeign(request, config)) {
        throw new AppError('forbidden', 'Pages of other sites are not served here. Call /mcp from a program.')
      }
      const member = await gate.byKey(request, reply).catch((error) => {
        const isRefused = error instanceof AppError && error.code === 'unauthenticated'
        const wrong = request.headers.authorization !== undefined
        if (isRefused) reply.header('www-authenticate', authenticateChallenge(request, config, wrong))
        throw error
      })
      const key = bearerIn(request) as string
      request.agent = { member, key, client: clientFor(app, request, key, (by) => gate.adjust(member, by)) }
      used.record(member.workspace_id)
    }

    async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const caller = request.agent as McpCaller
      // Clients of March 2025 may send several at once: each costs what it costs alone.
      const count = Array.isArray(request.body) ? Math.max(1, request.body.length) : 1
      for (let more = 1; more < count; more++) gate.take(caller.member, reply)
      const giveBack = calls.acquire(caller.key, count)
      if (!giveBack) {
        const message = `More than ${CALLS.each} calls of yours run at once. Wait until some have ended.`
        throw new AppError('rate_limited', message, { retryAfter: 5 })
      }
      reply.raw.once('close', giveBack)
      const asked = toWebRequest(request, hangUp(reply))
      const authInfo = { token: caller.key, clientId: caller.member.id, scopes: [], extra: caller } satisfies AuthInfo
      const { handle: answer } = await loaded()
      return sendWebResponse(reply, await answer(asked, reply.raw, caller, { authInfo, parsedBody: request.body }))
    }

    app.decorateRequest('agent', null)
    app.addHook('preClose', async () => (await serving)?.close())
    app.register(async (scope) => {
      // The API looks for itself whether it can store what a tool hands on, and says so in a tool's words.
      parseJsonBodies(scope, 'passes')
      scope.route({
        method: ['GET', 'POST', 'DELETE'],
        url: PATH,
        schema: { hide: true },
        bodyLimit: BODY_LIMIT,
        onRequest: authenticate,
        handler: answer,
      })
    })
  }
}

/** A client that calls this process as whoever called it. The first of its calls is paid for by the request itself. */
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
    // Or whoever asks for what is refused at the door could do so without end.
    uncounted: () => adjust(1),
  })
  // No answer is lost on the way, so there is nothing to repeat; and the calls have limits of their own.
  return new Bellwether({ url: IN_PROCESS_URL, key, retries: 0, timeoutMs: Number.POSITIVE_INFINITY, fetch })
}

function refuseAll(app: FastifyInstance, gate: Gate): void {
  app.all(PATH, { schema: { hide: true } }, async (request, reply) => {
    gate.byAddress(request, reply)
    throw new AppError('not_found', 'Agents are not served here: MCP_ENABLED is false.')
  })
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

type Address = Pick<Config, 'PUBLIC_URL' | 'PORT'>

/** What an answer to a caller without a valid key says of how to get in (RFC 6750, RFC 9728). */
export function authenticateChallenge(request: FastifyRequest, config: Address, isWrong: boolean): string {
  const metadata = `resource_metadata="${addressOf(request, config)}${WELL_KNOWN}/mcp"`
  return isWrong ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}

/**
 * Describes /mcp as a protected resource. It names no authorization server, because there is none: keys are given out by an admin
 * of the workspace.
 */
export function registerResourceMetadata(app: FastifyInstance, config: Address, gate: Gate): void {
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      gate.byAddress(request, reply)
      const address = addressOf(request, config)
      return {
        resource: `${address}/mcp`,
        resource_name: 'Bellwether',
        bearer_methods_supported: ['header'],
        resource_documentation: `${address}/docs`,
      }
    })
  }
}

/** Who calls stays with us: whatever is behind the protocol has no use for it. */
const KEPT_HERE = new Set(['authorization', 'cookie', 'connection', 'content-length', 'transfer-encoding', 'expect'])
/** What the answer says of itself; the rest is the same as on every answer. */
const TAKEN = ['content-type', 'allow', 'x-accel-buffering', 'mcp-session-id', 'mcp-protocol-version']

/**
 * The request in the shape of the web, as far as the protocol looks at it: the body is parsed already. A real one with its
 * headers and its signal would cost as much as the rest of the call.
 */
export function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const get = (name: string) => {
    const value = KEPT_HERE.has(name.toLowerCase()) ? undefined : headers[name.toLowerCase()]
    return typeof value === 'string' ? value : null
  }
  const has = (name: string) => get(name) !== null
  return { method, url: `http://bellwether${url}`, headers: { get, has }, signal } as unknown as Request
}

/** Sends an answer in the shape of the web: a stream as it comes and no faster than it is taken, anything else at once. */
export async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  for (const name of TAKEN) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  if (response.body === null) return reply.send()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text())
  // An event that a proxy packs or keeps comes too late.
  reply.header('cache-control', 'no-store, no-transform')
  return reply.send(Readable.fromWeb(response.body as ReadableStream))
}
