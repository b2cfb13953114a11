import type { ServerResponse } from 'node:http'
import type { Bellwether } from '@bellwether/client'
import { hasAccountName } from '@bellwether/client/names'
import {
  createMcpHandler,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Config } from '../config/config.ts'
import type { FindingsListener } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import { requireAllowedOperation } from '../http/key-limits.ts'
import { isId } from '../shared/ids.ts'
import type { Member } from '../shared/member.ts'
import { ConcurrencyQuota } from './concurrency-quota.ts'
import { decodeUriPart } from './resources.ts'

/** Limits on concurrently open streams. */
const STREAM_LIMITS = { perCaller: 20, total: 1_000 }

/** A stream reports changes of accounts, so a key restricted to operations needs this one. */
const LISTEN_OPERATION = 'getAccount'

const ACCOUNT_URI = 'bellwether://accounts/'

type Parts = {
  config: Pick<Config, 'MCP_LISTEN_SECONDS'>
  keys: Deps['keys']
  findings: FindingsListener
  serverFor: McpServerFactory
  onerror: (error: Error) => void
}

/** An authenticated caller of /mcp: its member, its API key and a client that calls the API with that key. */
export type McpCaller = { member: Member; key: string; client: Bellwether }

type Listen = { method: 'subscriptions/listen'; params?: { notifications?: { resourceSubscriptions?: unknown } } }

export function isListenRequest(body: unknown): body is Listen {
  return typeof body === 'object' && body !== null && (body as Listen).method === 'subscriptions/listen'
}

/**
 * Streams of `subscriptions/listen`. Each has its own protocol handler, which receives the events its caller may see and
 * ends independently, as the protocol describes; the client then subscribes again.
 */
export class SubscriptionStreams {
  readonly #parts: Parts
  readonly #quota = new ConcurrencyQuota(STREAM_LIMITS)
  readonly #open = new Set<McpHttpHandler>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async serve(
    request: Request,
    raw: ServerResponse,
    caller: McpCaller,
    options: McpHandlerRequestOptions,
  ): Promise<Response> {
    const { config, findings, serverFor, onerror } = this.#parts
    requireAllowedOperation(caller.member, LISTEN_OPERATION)
    const release = this.#quota.acquire(caller.key)
    const end = () => void handler.close()
    const bus = this.#busFor(caller, subscribedUris(options.parsedBody), end)
    const handler = createMcpHandler(serverFor, { bus, onerror, maxSubscriptions: release ? 1 : 0 })
    const timer = setTimeout(end, config.MCP_LISTEN_SECONDS * 1000).unref()
    this.#open.add(handler)
    raw.once('close', () => {
      clearTimeout(timer)
      this.#open.delete(handler)
      release?.()
      end()
    })
    const response = await handler.fetch(request, options)
    // The response confirms the subscription: from then on no event may be missed.
    await findings.ready()
    return response
  }

  /** Ends all streams, which notifies their clients and lets the service stop. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((handler) => handler.close()))
  }

  /** Delivers findings of one workspace, as long as the key is valid. */
  #busFor({ member: { workspace_id }, key, client }: McpCaller, uris: string[], end: () => void): ServerEventBus {
    const { keys, findings } = this.#parts
    return {
      // Events arrive through the database.
      publish() {},
      subscribe: (listener) =>
        findings.subscribe(async (finding) => {
          if (finding && finding.workspace_id !== workspace_id) return
          const member = await keys.authenticate({ kind: 'key', secret: key }).catch(() => null)
          if (!member) return end()
          const changed = finding ? await urisOfAccount(client, finding.account_id, uris) : uris
          for (const uri of changed) listener({ kind: 'resource_updated', uri })
        }),
    }
  }
}

/** The account URIs of a subscription. */
function subscribedUris(body: unknown): string[] {
  const wanted = isListenRequest(body) ? body.params?.notifications?.resourceSubscriptions : null
  return Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string' && uri.startsWith(ACCOUNT_URI)) : []
}

/** The subscribed URIs that name an account: by its id, its domain or its name, as in resources. */
async function urisOfAccount(client: Bellwether, id: string, uris: string[]): Promise<string[]> {
  const named = uris.map((uri) => ({ uri, name: decodeUriPart(uri.slice(ACCOUNT_URI.length)) }))
  const byId = named.filter(({ name }) => name.toLowerCase() === id)
  const byName = named.filter(({ name }) => !isId(name))
  if (byName.length === 0) return byId.map(({ uri }) => uri)
  // If the account cannot be read, every name may be meant: a superfluous notification does no harm.
  const account = await client.get('/v1/accounts/{id}', { path: { id } }).catch(() => null)
  const meant = byName.filter(({ name }) => account === null || hasAccountName(account, name))
  return [...byId, ...meant].map(({ uri }) => uri)
}
