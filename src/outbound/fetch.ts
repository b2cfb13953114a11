import { pipeline, type Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'
import { decoderFor, isEncoded } from './decode.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { dispatchOptions, type Limits, type ResponseHeaders } from './exchange.ts'
import type { RedirectHop } from './redirects.ts'

export type OpenedResponse = { status: number; headers: ResponseHeaders; body: Readable; limits: Limits }

/** Sends a request and returns when the response headers are received; the caller reads the body. Throws OutboundError. */
export async function openResponseStream(agent: Dispatcher, hop: RedirectHop, limits: Limits): Promise<OpenedResponse> {
  const given = limits.signal ? [limits.signal] : []
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new OutboundError('timeout')), limits.timeouts.total)
  // A body that is never read must not keep the process running.
  timer.unref()
  const signal = AbortSignal.any([late.signal, ...given])
  try {
    const options = { ...dispatchOptions(hop, limits), signal, origin: hop.url.origin }
    const { statusCode, headers, body } = await agent.request(options)
    // The timeout also covers the body. Without a listener, an error while the body is not being read would end the process;
    // a reader still gets the error.
    body.on('error', () => {}).once('close', () => clearTimeout(timer))
    return { status: statusCode, headers, body, limits: { ...limits, signal } }
  } catch (error) {
    clearTimeout(timer)
    throw failure(error, signal)
  }
}

/** Discards an unused body, so that its connection can be reused. */
export function discard({ body }: OpenedResponse): void {
  body.resume()
}

type Send = (
  hop: RedirectHop,
  redirects: 'refuse' | 'follow',
  signal: AbortSignal,
) => Promise<{ opened: OpenedResponse; url: URL }>

/** A `fetch` function over the outbound client, for libraries that take one. */
export function createFetch(start: (url: string) => URL, send: Send): typeof globalThis.fetch {
  return async (input, init) => {
    // Normalizes every form of headers and body that fetch accepts; sends nothing.
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const bytes = request.body ? new Uint8Array(await request.arrayBuffer()) : null
    const headers = Object.fromEntries(request.headers)
    const hop = { url: start(request.url), method: request.method, headers, body: bytes }
    const redirects = request.redirect === 'follow' ? 'follow' : 'refuse'
    const { opened, url } = await send(hop, redirects, request.signal).catch((error) => {
      // A library recognizes its own abort by the reason it passed.
      request.signal.throwIfAborted()
      throw error
    })
    const isRedirect = opened.status >= 300 && opened.status < 400 && opened.status !== 304
    if (request.redirect === 'error' && isRedirect) {
      discard(opened)
      throw new OutboundError('redirect')
    }
    return responseOf(opened, url)
  }
}

/** Statuses without a response body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

function responseOf(opened: OpenedResponse, url: URL): Response {
  const { status } = opened
  const headers = new Headers()
  for (const [name, value] of Object.entries(opened.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (isEncoded(encoding)) {
    // They describe the encoded body, not the decoded one.
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  if (BODILESS.has(status)) discard(opened)
  const body = BODILESS.has(status) ? null : ReadableStream.from(bounded(opened, encoding))
  const response = new Response(body, { status, headers })
  Object.defineProperty(response, 'url', { value: url.href })
  return response
}

/** The decoded body. Throws too_large at the limit, and read errors. */
async function* bounded({ body, limits }: OpenedResponse, encoding: string): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    const source = isEncoded(encoding) ? pipeline(body, decoderFor(encoding), () => {}) : body
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limits.maxBytes) throw new OutboundError('too_large')
      yield chunk
    }
  } catch (error) {
    throw failure(error, limits.signal)
  } finally {
    body.destroy()
  }
}

/** The timeout is the reason of an abort. */
function failure(error: unknown, signal: AbortSignal | undefined): OutboundError {
  if (signal?.aborted && signal.reason instanceof OutboundError) return signal.reason
  return toOutboundError(error)
}
