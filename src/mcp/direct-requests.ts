import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { callTool, type ReportError, SERVER_INFO } from './server.ts'
import type { ToolDefinition } from './shared/tool.ts'
import type { McpCaller } from './subscriptions.ts'

const REVISION = '2026-07-28'
const MESSAGE = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS = new Set(['name', 'arguments', '_meta'])
const META = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY])
/** At this size the set is cleared. A longer envelope is not remembered. */
const MAX_ENVELOPES = 1_000
const MAX_ENVELOPE_CHARS = 2_000

type Parameters = { name?: unknown; arguments?: unknown }
type DirectRequest = { id: string | number; method: string; params: Parameters }
type Message = { jsonrpc: unknown; id: unknown; method: unknown; params: Parameters & { _meta: object } }

/**
 * Recognizes valid requests of revision 2026-07-28 that ask for nothing but a result. The SDK answers every other request, such
 * as an invalid one or one with a progress token.
 */
export class DirectRequests {
  /** Envelopes that the SDK has accepted: a client sends the same one with every request, and validating it takes as long as a call. */
  readonly #envelopes = new Set<string>()

  read({ method: httpMethod, headers }: Request, body: unknown): DirectRequest | null {
    if (httpMethod !== 'POST' || !isObject(body) || !isObject(body.params) || !isObject(body.params._meta)) return null
    const { jsonrpc, id, method, params } = body as Message
    const isPlain = hasOnly(body, MESSAGE) && hasOnly(params, PARAMS) && hasOnly(params._meta, META)
    if (!isPlain || jsonrpc !== '2.0' || typeof method !== 'string' || !isRequestId(id)) return null
    const named = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => headers.get(name))
    if (named[0] !== REVISION || named[1] !== method || named[2] !== (params.name ?? null)) return null
    const envelope = JSON.stringify(params._meta)
    if (!this.#envelopes.has(envelope)) {
      const route = classifyInboundRequest({ httpMethod, protocolVersionHeader: REVISION, body })
      if (route.kind !== 'modern' || route.messageKind !== 'request') return null
      if (this.#envelopes.size >= MAX_ENVELOPES) this.#envelopes.clear()
      if (envelope.length <= MAX_ENVELOPE_CHARS) this.#envelopes.add(envelope)
    }
    return { id, method, params }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: object, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((key) => names.has(key))

const isRequestId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

/** Calls a tool and returns the response as JSON text. Null when the arguments are no object: the SDK rejects them. */
export function callDirectly(
  { id, params: { arguments: args = {} } }: DirectRequest,
  { call }: ToolDefinition,
  { client }: McpCaller,
  signal: AbortSignal,
  report: ReportError,
): Promise<string> | null {
  if (!isObject(args)) return null
  // Without a progress token no progress is sent.
  const context = { signal, progress() {} }
  return callTool(call, client, args, context, report).then((called) => {
    const result = { ...called, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } }
    return JSON.stringify({ result, jsonrpc: '2.0', id })
  })
}

/** The list of tools is the same for every caller, so the SDK's first response is kept and returned with the id of each request. */
export class ToolList {
  #result: string | null = null

  async answer({ id }: DirectRequest, ask: () => Promise<Response>): Promise<Response | string> {
    if (this.#result === null) {
      const response = await ask()
      const { result, ...rest } = (await response.json()) as { result?: object }
      if (result === undefined) return Response.json(rest, { status: response.status })
      this.#result = JSON.stringify(result)
    }
    return `{"result":${this.#result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
  }
}
