import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AGENT_HEADER } from '../http/audit.ts'

type Caller = { host: string; address: string; requestId: string }

/** Called before each API call, and after a call that was rejected before authentication and so not rate limited. */
type Hooks = { begins: () => void; uncounted: () => void }

type Call = (url: string, init: RequestInit) => Promise<Response>

/** Base URL for the client; only the path after it is used. */
export const IN_PROCESS_URL = 'http://bellwether'

/**
 * A fetch that calls the API of this process on the caller's behalf: same host name, client address and request id. It passes a
 * request without a connection to Fastify's routing, so that the hooks, the schemas and the handler are those of an HTTP request.
 */
export function createInProcessFetch(app: FastifyInstance, { host, address, requestId }: Caller, hooks: Hooks): Call {
  return async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    hooks.begins()
    const all = {
      // The client always passes a Headers object.
      ...Object.fromEntries(headers as Headers),
      host,
      'x-request-id': requestId,
      [AGENT_HEADER.name]: AGENT_HEADER.value,
    }
    // The client sends a string or no body.
    const text = typeof body === 'string' ? body : null
    const request = new InProcessRequest(method, url.slice(IN_PROCESS_URL.length), all, address, text)
    const response = new InProcessResponse()
    const abort = () => response.destroy()
    signal?.addEventListener('abort', abort, { once: true })
    app.routing(request as unknown as IncomingMessage, response as unknown as ServerResponse)
    const payload = await response.payload.finally(() => signal?.removeEventListener('abort', abort))
    if (!response.hasHeader('ratelimit')) hooks.uncounted()
    const { statusCode: status } = response
    // The part of a Response that the client uses: a real one passes the text through a stream, which takes longer than the call.
    return {
      status,
      ok: status >= 200 && status < 300,
      headers: { get: (name: string) => response.getHeader(name) ?? null },
      text: async () => payload,
    } as unknown as Response
  }
}

/** The part of an IncomingMessage that Fastify and our hooks use. */
class InProcessRequest extends Readable {
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly rawHeaders: string[]
  readonly socket: { remoteAddress: string; destroyed: boolean }
  readonly #body: string | null

  constructor(
    method: string,
    url: string,
    headers: Record<string, string>,
    remoteAddress: string,
    body: string | null,
  ) {
    super()
    this.method = method
    this.url = url
    this.headers = headers
    this.rawHeaders = Object.entries(headers).flat()
    this.socket = { remoteAddress, destroyed: false }
    this.#body = body
  }

  override _read(): void {
    if (this.#body !== null) this.push(this.#body)
    this.push(null)
  }
}

/** The part of a ServerResponse that Fastify and our hooks use. `payload` is rejected when the response is destroyed before its end. */
class InProcessResponse extends Writable {
  statusCode = 200
  headersSent = false
  readonly payload: Promise<string>
  #text = ''
  readonly #headers = new Map<string, unknown>()
  readonly #settle: { resolve: (text: string) => void; reject: (error: Error) => void }

  constructor() {
    super({ decodeStrings: false })
    const { promise, ...settle } = Promise.withResolvers<string>()
    this.payload = promise
    this.#settle = settle
  }

  setHeader(name: string, value: unknown): this {
    this.#headers.set(name.toLowerCase(), value)
    return this
  }

  getHeader(name: string): unknown {
    return this.#headers.get(name.toLowerCase())
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }

  getHeaders(): Record<string, unknown> {
    return Object.fromEntries(this.#headers)
  }

  writeHead(status: number, headers: Record<string, unknown> = {}): this {
    this.statusCode = status
    this.headersSent = true
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    return this
  }

  // No operation that a tool calls sends bytes in which a character could be cut.
  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk
    done()
  }

  override _final(done: () => void): void {
    this.#settle.resolve(this.#text)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.#settle.reject(error ?? new Error('The call ended without a response.'))
    done(error)
  }
}
