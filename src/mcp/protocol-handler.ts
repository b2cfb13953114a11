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
import { callDirectly, DirectRequests, ToolList } from './direct-requests.ts'
import { createMcpServer, type ReportError } from './server.ts'
import { isListenRequest, type McpCaller, SubscriptionStreams } from './subscriptions.ts'
import { TOOLS } from './tools/index.ts'

export type CreateMcpServer = (client: Bellwether, report: ReportError) => McpServer

type Parts = Pick<Deps, 'config' | 'keys' | 'log'> & { findings: FindingsListener }

/** Handles MCP requests; loaded with the first one. A string is the JSON text of a response with status 200. */
export type ProtocolHandler = {
  handle: (
    request: Request,
    raw: ServerResponse,
    caller: McpCaller,
    options: McpHandlerRequestOptions,
  ) => Promise<Response | string>
  close: () => void | Promise<void>
}

export function createProtocolHandler(
  { config, keys, log, findings }: Parts,
  createServer: CreateMcpServer | undefined,
  maxRequestBodySize: number,
): ProtocolHandler {
  // Without prepared statements there may be a pooler that shares connections, on which LISTEN has no effect.
  const canSubscribe = canNotify(config.DATABASE_ENGINE) && config.DATABASE_PREPARE
  const serverFor = ({ authInfo, era }: McpRequestContext): McpServer => {
    // http.ts sets the caller on every request.
    const { client } = (authInfo as AuthInfo).extra as McpCaller
    const server = (createServer ?? createMcpServer)(client, report)
    // The revisions of 2025 deliver updates in a session, which stateless requests do not have.
    const subscribe = era === 'modern' && canSubscribe
    server.server.registerCapabilities({ resources: { subscribe } })
    return server
  }
  const report = (err: unknown) => log.error({ err }, 'MCP tool failed')
  const onerror = (err: Error) => log.debug({ err }, 'MCP request rejected')
  const handler = createMcpHandler(serverFor, { onerror, maxRequestBodySize })
  const streams = new SubscriptionStreams({ config, keys, findings, serverFor, onerror })
  const requests = new DirectRequests()
  const toolList = new ToolList()
  // Tests replace the tools, and call theirs through the SDK.
  const tools = new Map(createServer ? [] : TOOLS.map((tool) => [tool.name, tool]))

  async function handle(
    request: Request,
    caller: McpCaller,
    options: McpHandlerRequestOptions,
  ): Promise<Response | string> {
    const direct = requests.read(request, options.parsedBody)
    const ask = () => handler.fetch(request, options)
    if (direct?.method === 'tools/list') return toolList.answer(direct, ask)
    const tool = direct?.method === 'tools/call' ? tools.get(String(direct.params.name)) : undefined
    const called = direct && tool && callDirectly(direct, tool, caller, request.signal, report)
    return called ?? ask()
  }

  return {
    handle: (request, raw, caller, options) =>
      isListenRequest(options.parsedBody)
        ? streams.serve(request, raw, caller, options)
        : handle(request, caller, options),
    close: () => streams.close(),
  }
}
