import type { ServerResponse } from 'node:http'
import {
  type AuthInfo,
  createMcpHandler,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'
import { canNotify, type FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import type { Caller, CreateServer } from './http.ts'
import { isListening, Listeners } from './listeners.ts'
import { type Asked, createMcpServer } from './server.ts'

type Parts = Pick<Deps, 'config' | 'keys' | 'log'> & { findings: FindingsHeard }

/** What speaks the protocol, loaded with the first request of an agent. */
export type Serving = {
  answer: (asked: Request, to: ServerResponse, caller: Caller, options: McpHandlerRequestOptions) => Promise<Response>
  close: () => void | Promise<void>
}

export function serveAgents(
  { config, keys, log, findings }: Parts,
  createServer: CreateServer = createMcpServer,
  maxRequestBodySize: number,
): Serving {
  const hearsFindings = canNotify(config.DATABASE_ENGINE)
  const serverFor = ({ authInfo, era, requestInfo }: McpRequestContext): McpServer => {
    // Every request that comes so far has its caller.
    const { client } = (authInfo as AuthInfo).extra as Caller
    const server = createServer(client, report, askedIn(requestInfo))
    // Clients of 2025 would hear of updates in a session.
    const subscribe = era === 'modern' && hearsFindings
    server.server.registerCapabilities({ resources: { subscribe } })
    return server
  }
  const report = (err: unknown) => log.error({ err }, 'a tool failed')
  const onerror = (err: Error) => log.debug({ err }, 'an agent was refused')
  const handler = createMcpHandler(serverFor, { onerror, maxRequestBodySize })
  const listeners = new Listeners({ config, keys, findings, serverFor, onerror })
  return {
    answer: (asked, to, caller, options) =>
      isListening(options.parsedBody) ? listeners.serve(asked, to, caller, options) : handler.fetch(asked, options),
    close: () => listeners.close(),
  }
}

function askedIn(request: Request | undefined): Asked {
  const [method, name] = ['mcp-method', 'mcp-name'].map((header) => request?.headers.get(header))
  return { ...(method ? { method } : {}), ...(name ? { name } : {}) }
}
