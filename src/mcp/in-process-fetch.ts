import type { FastifyInstance, InjectOptions } from 'fastify'
import { AGENT_HEADER } from '../http/audit.ts'

type Caller = { host: string; address: string; requestId: string }

/** Called before each API call, and after a call that was rejected before authentication and so not rate limited. */
type Hooks = { begins: () => void; uncounted: () => void }

type Call = (url: string, init: RequestInit) => Promise<Response>

/** Base URL for the client; only the path after it is used. */
export const IN_PROCESS_URL = 'http://bellwether'

const STOPPING = { error: { code: 'unavailable', message: 'The service is stopping. Try again shortly.' } }

/** A fetch that calls the API of this process on the caller's behalf: same host name, client address and request id. */
export function createInProcessFetch(app: FastifyInstance, { host, address, requestId }: Caller, hooks: Hooks): Call {
  return async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    hooks.begins()
    const options: InjectOptions = {
      method: method as 'GET',
      url: url.slice(IN_PROCESS_URL.length),
      // The client always passes a Headers object.
      headers: {
        ...Object.fromEntries(headers as Headers),
        host,
        'x-request-id': requestId,
        [AGENT_HEADER.name]: AGENT_HEADER.value,
      },
      remoteAddress: address,
    }
    // The client sends a string or no body.
    if (typeof body === 'string') options.payload = body
    if (signal) options.signal = signal
    const response = await app.inject(options).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER') return null
      throw error
    })
    if (!response?.headers.ratelimit) hooks.uncounted()
    if (!response) return Response.json(STOPPING, { status: 503 })
    const { statusCode: status, payload } = response
    // The part of a Response that the client uses: a real one passes the text through a stream, which takes longer than the call.
    return {
      status,
      ok: status >= 200 && status < 300,
      headers: { get: (name: string) => response.headers[name] ?? null },
      text: async () => payload,
    } as unknown as Response
  }
}
