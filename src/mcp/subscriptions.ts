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
import type { Config } from '../config.ts'
import type { FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps.ts'
import { isId } from '../ids.ts'
import type { Member } from '../member.ts'
import { ConcurrencyQuota } from './concurrency-quota.ts'
import { decodeUriPart } from './resources.ts'

/** Streams that may be open at once. */
const STREAMS = { each: 20, all: 1_000 }

const ACCOUNT = 'bellwether://accounts/'

type Parts = {
  config: Pick<Config, 'MCP_LISTEN_SECONDS'>
  keys: Deps['keys']
  findings: FindingsHeard
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
 * The streams of those who listen for updates. Each has a handler of its own, which hears what its caller may hear and ends alone:
 * in the way of the protocol, after which a client listens anew.
 */
export class SubscriptionStreams {
  readonly #parts: Parts
  readonly #places = new ConcurrencyQuota(STREAMS)
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
    const giveBack = this.#places.acquire(caller.key)
    const end = () => void handler.close()
    const bus = this.#busFor(caller, uriList(options.parsedBody), end)
    const handler = createMcpHandler(serverFor, { bus, onerror, maxSubscriptions: giveBack ? 1 : 0 })
    const timer = setTimeout(end, config.MCP_LISTEN_SECONDS * 1000).unref()
    this.#open.add(handler)
    raw.once('close', () => {
      clearTimeout(timer)
      this.#open.delete(handler)
      giveBack?.()
      end()
    })
    const response = await handler.fetch(request, options)
    // The first thing it says is that it listens: from then on nothing may be missed.
    await findings.ready()
    return response
  }

  /** Ends them all: their clients are told, and nothing holds up the stop. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((handler) => handler.close()))
  }

  /** Hears of the accounts of one workspace alone, while the key is in force. */
  #busFor({ member: { workspace_id }, key, client }: McpCaller, uris: string[], end: () => void): ServerEventBus {
    const { keys, findings } = this.#parts
    return {
      // Whatever there is to hear comes through the database.
      publish() {},
      subscribe: (listener) =>
        findings.subscribe(async (finding) => {
          if (finding && finding.workspace_id !== workspace_id) return
          const member = await keys.authenticate({ kind: 'key', secret: key }).catch(() => null)
          if (!member) return end()
          const changed = finding ? await leadingTo(client, finding.account_id, uris) : uris
          for (const uri of changed) listener({ kind: 'resource_updated', uri })
        }),
    }
  }
}

/** The accounts it wants to hear of. */
function uriList(body: unknown): string[] {
  const wanted = isListenRequest(body) ? body.params?.notifications?.resourceSubscriptions : null
  return Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string' && uri.startsWith(ACCOUNT)) : []
}

/** Those of the addresses that lead to an account: by its id, or by a domain or a name, as it can be read. */
async function leadingTo(client: Bellwether, id: string, uris: string[]): Promise<string[]> {
  const asked = uris.map((uri) => ({ uri, name: decodeUriPart(uri.slice(ACCOUNT.length)) }))
  const byId = asked.filter(({ name }) => name.toLowerCase() === id)
  const byName = asked.filter(({ name }) => !isId(name))
  if (byName.length === 0) return byId.map(({ uri }) => uri)
  // Where it cannot be read, each of them may be meant: to be told once too often does no harm.
  const account = await client.get('/v1/accounts/{id}', { path: { id } }).catch(() => null)
  const meant = byName.filter(({ name }) => account === null || hasAccountName(account, name))
  return [...byId, ...meant].map(({ uri }) => uri)
}
