import type { ServerResponse } from 'node:http'
import type { Bellwether } from '@bellwether/client'
import {
  type AuthInfo,
  createMcpHandler,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'
import { canNotify, type FindingsListener } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import { createMcpServer, type ReportError, type RequestHint } from './server.ts'
import { isListenRequest, type McpCaller, SubscriptionStreams } from './subscriptions.ts'

export type CreateMcpServer = (client: Bellwether, report: ReportError, hint: RequestHint) => McpServer

type Parts = Pick<Deps, 'config' | 'keys' | 'log'> & { findings: FindingsListener }

/** Handles MCP requests; loaded with the first one. */
export type ProtocolHandler = {
  handle: (
    request: Request,
    raw: ServerResponse,
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
  // Without prepared statements there may be a pooler that shares connections, on which LISTEN has no effect.
  const canSubscribe = canNotify(config.DATABASE_ENGINE) && config.DATABASE_PREPARE
  const serverFor = ({ authInfo, era, requestInfo }: McpRequestContext): McpServer => {
    // http.ts sets the caller on every request.
    const { client } = (authInfo as AuthInfo).extra as McpCaller
    const server = createServer(client, report, hintFrom(requestInfo))
    // The revisions of 2025 deliver updates in a session, which stateless requests do not have.
    const subscribe = era === 'modern' && canSubscribe
    server.server.registerCapabilities({ resources: { subscribe } })
    return server
  }
  const report = (err: unknown) => log.error({ err }, 'MCP tool failed')
  const onerror = (err: Error) => log.debug({ err }, 'MCP request rejected')
  const handler = createMcpHandler(serverFor, { onerror, maxRequestBodySize })
  const streams = new SubscriptionStreams({ config, keys, findings, serverFor, onerror })
  return {
    handle: (request, raw, caller, options) =>
      isListenRequest(options.parsedBody)
        ? streams.serve(request, raw, caller, options)
        : handler.fetch(request, options),
    close: () => streams.close(),
  }
}

function hintFrom(request: Request | undefined): RequestHint {
  const [method, name] = ['mcp-method', 'mcp-name'].map((header) => request?.headers.get(header))
  return { ...(method ? { method } : {}), ...(name ? { name } : {}) }
}
