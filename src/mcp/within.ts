import type { FastifyInstance, InjectOptions } from 'fastify'

type Caller = { host: string; address: string; requestId: string }

/** Told before each call is made, and of those that were refused before anybody was asked who calls. */
type Heard = { begins: () => void; uncounted: () => void }

type Call = (url: string, init: RequestInit) => Promise<Response>

/** Where the client believes the service to be; only the path counts. */
export const WITHIN = 'http://bellwether'

const STOPPING = { error: { code: 'unavailable', message: 'The service is stopping. Try again shortly.' } }

/**
 * Calls the API of this very process, as the caller would: by the same name, from the same address and under the same request
 * id.
 */
export function fetchWithin(app: FastifyInstance, { host, address, requestId }: Caller, heard: Heard): Call {
  return async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    heard.begins()
    const options: InjectOptions = {
      method: method as 'GET',
      url: url.slice(WITHIN.length),
      headers: { ...Object.fromEntries(new Headers(headers)), host, 'x-request-id': requestId },
      remoteAddress: address,
    }
    // The client sends text or nothing.
    if (typeof body === 'string') options.payload = body
    if (signal) options.signal = signal
    const answer = await app.inject(options).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER') return null
      throw error
    })
    if (!answer?.headers.ratelimit) heard.uncounted()
    if (!answer) return Response.json(STOPPING, { status: 503 })
    const { statusCode: status, payload } = answer
    const retryAfter = answer.headers['retry-after']
    const response = new Response(null, { status, headers: retryAfter ? { 'retry-after': String(retryAfter) } : {} })
    // The text is here already: it takes no stream to get at it.
    return Object.assign(response, { text: async () => payload, json: async () => JSON.parse(payload) as unknown })
  }
}
