import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { AppError } from '../shared/errors.ts'
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
    // Asked for below, so that it is refused with the error body.
    requireHostHeader: false,
    // The request line included.
    maxHeaderSize: 16 * 1024,
    headersTimeout: SLOW_CLIENT_SECONDS * 1000,
    connectionsCheckingInterval: 1_000,
  }
}

/** Refuses requests whose form is allowed by the parser and used by no honest client, and closes the connection. */
export function refuseOddForms({ raw }: FastifyRequest, reply: FastifyReply): void {
  const message = oddityOf(raw)
  if (message === null) return
  // Whatever follows on it may have been meant for somebody else.
  reply.header('connection', 'close')
  throw new AppError('invalid_request', message)
}

function oddityOf({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (!httpVersion.startsWith('1.')) return 'The request must be HTTP/1.1.'
  if (httpVersion === '1.1' && headers.host === undefined) return 'The request has no header Host.'
  // An absolute URL is for proxies; it names a second host beside the Host header.
  if (url[0] !== '/') return 'The request must name a path that begins with /.'
  if (url.length > MAX_URL_CHARS) return `The URL has more than ${MAX_URL_CHARS} characters.`
  if (url.split('&', MAX_QUERY_FIELDS + 1).length > MAX_QUERY_FIELDS) {
    return `The query has more than ${MAX_QUERY_FIELDS} fields.`
  }
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') return 'Transfer-Encoding must be chunked.'
  // Node.js keeps one of each name: as many names as headers, and none came twice.
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

/** Bounds the open connections, in all and from one address. Behind a proxy all come from the proxy, which has to bound them. */
export function limitConnections(server: Server, config: Connections): void {
  const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, TRUST_PROXY } = config
  server.maxConnections = MAX_CONNECTIONS
  server.maxHeadersCount = MAX_HEADERS
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
