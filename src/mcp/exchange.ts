import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Who calls stays with us: whatever is behind the protocol has no use for it. */
const KEPT_HERE = new Set(['authorization', 'cookie', 'connection', 'content-length', 'transfer-encoding', 'expect'])
/** What the answer says of itself; the rest is the same as on every answer. */
const TAKEN = ['content-type', 'allow', 'x-accel-buffering', 'mcp-session-id', 'mcp-protocol-version']

/**
 * The request in the shape of the web, as far as the protocol looks at it: the body is parsed already. A real one with its
 * headers and its signal would cost as much as the rest of the call.
 */
export function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const get = (name: string) => {
    const value = KEPT_HERE.has(name.toLowerCase()) ? undefined : headers[name.toLowerCase()]
    return typeof value === 'string' ? value : null
  }
  const has = (name: string) => get(name) !== null
  return { method, url: `http://bellwether${url}`, headers: { get, has }, signal } as unknown as Request
}

/** Sends an answer in the shape of the web: a stream as it comes and no faster than it is taken, anything else at once. */
export async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  for (const name of TAKEN) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  if (response.body === null) return reply.send()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text())
  // An event that a proxy packs or keeps comes too late.
  reply.header('cache-control', 'no-store, no-transform')
  return reply.send(Readable.fromWeb(response.body as ReadableStream))
}
