import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { clientOf } from './client-address.ts'

const MAX_URL_CHARS = 8_000
const MAX_QUERY_FIELDS = 100
const MAX_HEADERS = 100
/** Of each of these there is one: two mean that somebody on the way may have read the other. */
const SINGLE = new Set(['host', 'authorization', 'content-type', 'content-encoding', 'idempotency-key', 'x-request-id'])

/** How the parser is set, whatever flags the process was started with. It stays strict: smuggling needs a lenient one. */
export function parserOptions({ SLOW_CLIENT_SECONDS }: Pick<Config, 'SLOW_CLIENT_SECONDS'>) {
  return {
    insecureHTTPParser: false,
    requireHostHeader: true,
    // The request line included.
    maxHeaderSize: 16 * 1024,
    headersTimeout: SLOW_CLIENT_SECONDS * 1000,
    connectionsCheckingInterval: 1_000,
  }
}

/** Refuses requests whose form is allowed by the parser and used by no honest client. Throws invalid_request. */
export async function refuseOddForms({ raw }: FastifyRequest): Promise<void> {
  const { url = '', rawHeaders } = raw
  // An absolute URL is for proxies; it names a second host beside the Host header.
  if (url[0] !== '/') throw odd('The request must name a path that begins with /.')
  if (url.length > MAX_URL_CHARS) throw odd(`The URL has more than ${MAX_URL_CHARS} characters.`)
  if (url.split('&', MAX_QUERY_FIELDS + 1).length > MAX_QUERY_FIELDS) {
    throw odd(`The query has more than ${MAX_QUERY_FIELDS} fields.`)
  }
  if (rawHeaders.length > MAX_HEADERS * 2) throw odd(`The request has more than ${MAX_HEADERS} headers.`)
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (SINGLE.has(name) && seen.has(name)) throw odd(`The request has two headers ${name}.`)
    seen.add(name)
  }
}

function odd(message: string): AppError {
  return new AppError('invalid_request', message)
}

type Connections = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY'>

/** Bounds the open connections, in all and from one address. Behind a proxy all come from the proxy, which has to bound them. */
export function limitConnections(server: Server, config: Connections): void {
  const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, TRUST_PROXY } = config
  server.maxConnections = MAX_CONNECTIONS
  // One more than are taken, so that a request with too many is seen to have too many: the parser drops the rest silently.
  server.maxHeadersCount = MAX_HEADERS + 1
  if (TRUST_PROXY > 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '')
    const count = (open.get(client) ?? 0) + 1
    if (count > MAX_CONNECTIONS_PER_ADDRESS) return void socket.destroy()
    open.set(client, count)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  })
}
