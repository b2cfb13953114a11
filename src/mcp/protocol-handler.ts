import type { ServerResponse } from 'node:http'
import type { Bellwether } from '@bellwether/client'
import {
  type AuthInfo,
  createMcpHandler,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'
import { canNotify, type FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps.ts'
import { createMcpServer, type ReportError, type RequestHint } from './server.ts'
import { isListenRequest, type McpCaller, SubscriptionStreams } from './subscriptions.ts'

export type CreateMcpServer = (client: Bellwether, report: ReportError, hint: RequestHint) => McpServer

type Parts = Pick<Deps, 'config' | 'keys' | 'log'> & { findings: FindingsHeard }

/** What speaks the protocol, loaded with the first request of an agent. */
export type ProtocolHandler = {
  handle: (
    asked: Request,
    to: ServerResponse,
    caller: McpCaller,
    options: McpHandlerRequestOptions,
  ) => Promise<Response>
  close: () => void | Promise<void>
}

export function createProtocolHandler(
  { config, keys, log, findings }: Parts,
  createServer: CreateMcpServer = createMcpServer,
  maxRequestBodySize: number,
): ProtocolHandler {
  const hearsFindings = canNotify(config.DATABASE_ENGINE)
  const serverFor = ({ authInfo, era, requestInfo }: McpRequestContext): McpServer => {
    // Every request that comes so far has its caller.
    const { client } = (authInfo as AuthInfo).extra as McpCaller
    const server = createServer(client, report, askedIn(requestInfo))
    // Clients of 2025 would hear of updates in a session.
    const subscribe = era === 'modern' && hearsFindings
    server.server.registerCapabilities({ resources: { subscribe } })
    return server
  }
  const report = (err: unknown) => log.error({ err }, 'a tool failed')
  const onerror = (err: Error) => log.debug({ err }, 'an agent was refused')
  const handler = createMcpHandler(serverFor, { onerror, maxRequestBodySize })
  const listeners = new SubscriptionStreams({ config, keys, findings, serverFor, onerror })
  return {
    handle: (asked, to, caller, options) =>
      isListenRequest(options.parsedBody) ? listeners.serve(asked, to, caller, options) : handler.fetch(asked, options),
    close: () => listeners.close(),
  }
}

function askedIn(request: Request | undefined): RequestHint {
  const [method, name] = ['mcp-method', 'mcp-name'].map((header) => request?.headers.get(header))
  return { ...(method ? { method } : {}), ...(name ? { name } : {}) }
}
