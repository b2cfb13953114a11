import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { AppError } from '../shared/errors.ts'
import { clientKey } from './client-address.ts'

const MAX_URL_CHARS = 8_000
const MAX_QUERY_FIELDS = 100
const MAX_HEADERS = 100
/** Headers that may occur once: with two, a proxy may have used the other value (request smuggling). */
const SINGLE = new Set(['host', 'authorization', 'content-type', 'content-encoding', 'idempotency-key', 'x-request-id'])

/** Options of the HTTP parser, set explicitly so that process flags cannot make it lenient, which allows smuggling. */
export function parserOptions({ SLOW_CLIENT_SECONDS }: Pick<Config, 'SLOW_CLIENT_SECONDS'>) {
  return {
    insecureHTTPParser: false,
    // Checked below, so that the rejection has the error body of the API.
    requireHostHeader: false,
    // Includes the request line.
    maxHeaderSize: 16 * 1024,
    headersTimeout: SLOW_CLIENT_SECONDS * 1000,
    connectionsCheckingInterval: 1_000,
  }
}

/** Rejects requests that the parser accepts but no legitimate client sends, and closes the connection. */
export function rejectUnusualRequests({ raw }: FastifyRequest, reply: FastifyReply): void {
  const message = oddityOf(raw)
  if (message === null) return
  // Further bytes on the connection may belong to a smuggled request.
  reply.header('connection', 'close')
  throw new AppError('invalid_request', message)
}

function oddityOf({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (!httpVersion.startsWith('1.')) return 'The request must be HTTP/1.1.'
  if (httpVersion === '1.1' && headers.host === undefined) return 'The request has no header Host.'
  // An absolute URL is for proxies; its host may differ from the Host header.
  if (url[0] !== '/') return 'The request must name a path that begins with /.'
  if (url.length > MAX_URL_CHARS) return `The URL has more than ${MAX_URL_CHARS} characters.`
  if (url.split('&', MAX_QUERY_FIELDS + 1).length > MAX_QUERY_FIELDS) {
    return `The query has more than ${MAX_QUERY_FIELDS} fields.`
  }
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') return 'Transfer-Encoding must be chunked.'
  // Node.js merges headers of the same name, so equal counts mean that no header is repeated.
  if (Object.keys(headers).length === rawHeaders.length / 2) return null
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (SINGLE.has(name) && seen.has(name)) return `The request has two headers ${name}.`
    seen.add(name)
  }
  return null
}

type Connections = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY'>

/** Limits open connections in total and per address. Behind a proxy all have its address, so the proxy must limit them. */
export function limitConnections(server: Server, config: Connections): void {
  const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, TRUST_PROXY } = config
  server.maxConnections = MAX_CONNECTIONS
  server.maxHeadersCount = MAX_HEADERS
  if (TRUST_PROXY > 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const client = clientKey(socket.remoteAddress ?? '')
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
