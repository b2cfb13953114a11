import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Who calls stays with us: whatever is behind the protocol has no use for it. */
const KEPT_HERE = new Set(['authorization', 'cookie', 'connection', 'content-length', 'transfer-encoding', 'expect'])
/** What the answer says of itself; the rest is the same as on every answer. */
const TAKEN = ['content-type', 'allow', 'x-accel-buffering', 'mcp-session-id', 'mcp-protocol-version']

/** The request in the shape of the web, without its body, which is parsed already. */
export function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !KEPT_HERE.has(name)) kept.set(name, value)
  }
  return new Request(`http://bellwether${url}`, { method, headers: kept, signal })
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
