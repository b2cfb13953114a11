import type { FastifyInstance, InjectOptions } from 'fastify'

type Caller = { host: string; address: string; requestId: string }

/** Told before each call is made, and of those that were refused before anybody was asked who calls. */
type Heard = { begins: () => void; uncounted: () => void }

type Call = (url: string, init: RequestInit) => Promise<Response>

/** Where the client believes the service to be; only the path counts. */
export const IN_PROCESS_URL = 'http://bellwether'

const STOPPING = { error: { code: 'unavailable', message: 'The service is stopping. Try again shortly.' } }

/**
 * Calls the API of this very process, as the caller would: by the same name, from the same address and under the same request
 * id.
 */
export function createInProcessFetch(app: FastifyInstance, { host, address, requestId }: Caller, heard: Heard): Call {
  return async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    heard.begins()
    const options: InjectOptions = {
      method: method as 'GET',
      url: url.slice(IN_PROCESS_URL.length),
      // The client sends Headers.
      headers: { ...Object.fromEntries(headers as Headers), host, 'x-request-id': requestId },
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
    // What the client asks of an answer: a Response would carry the text through a stream, which takes longer than the call.
    return {
      status,
      ok: status >= 200 && status < 300,
      headers: { get: (name: string) => answer.headers[name] ?? null },
      text: async () => payload,
    } as unknown as Response
  }
}
