import { Bellwether } from '@bellwether/client'
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { bearerIn } from '../http/auth.ts'
import { hangUp } from '../http/hang-up.ts'
import { parseJsonBodies } from '../http/json-body.ts'
import { isForeign } from '../http/origin.ts'
import type { Gate, Mount } from '../http/server.ts'
import type { Member } from '../member.ts'
import { sendWebResponse, toWebRequest } from './exchange.ts'
import { LastUseRecorder } from './last-used.ts'
import { authenticateChallenge, registerResourceMetadata } from './metadata.ts'
import { ConcurrencyQuota } from './places.ts'
import type { ReportError, RequestHint } from './server.ts'
import type { ProtocolHandler } from './serving.ts'
import { createInProcessFetch, IN_PROCESS_URL } from './within.ts'

export type CreateMcpServer = (client: Bellwether, report: ReportError, asked: RequestHint) => McpServer

/** Calls that may run at once: one that waits for a scan runs for minutes. */
const CALLS = { each: 50, all: 1_000 }
const BODY_LIMIT = 1024 * 1024
const PATH = '/mcp'

export type McpCaller = { member: Member; key: string; client: Bellwether }

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
      serving ??= import('./serving.ts').then(({ createProtocolHandler: serveAgents }) =>
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
