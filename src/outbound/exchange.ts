import { createHash, type Hash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './errors.ts'
import type { RedirectHop } from './redirects.ts'

export type Timeouts = {
  /** Until the response headers are complete. */
  headers: number
  /** Between two chunks of the response body. */
  body: number
  /** From waiting for a connection to the last byte, per redirect. */
  total: number
}

export type Limits = {
  timeouts: Timeouts
  maxBytes: number
  /** What happens at `maxBytes`: the body is truncated, or the request fails with too_large. */
  overflow: 'truncate' | 'refuse'
  signal?: AbortSignal | undefined
  /** False closes the connection after the response. */
  keepAlive?: boolean | undefined
  /** The earlier hash of the body: a body with the same hash is dropped. Null when only the hash is needed. */
  knownHash?: string | null | undefined
}

export type ResponseHeaders = Record<string, string | string[] | undefined>

export type RawResponse = {
  status: number
  headers: ResponseHeaders
  body: Buffer
  truncated: boolean
  /** Hash of the undecoded body, if requested. */
  hash: string | null
}

const EMPTY = Buffer.alloc(0)

/** 132 bits, enough to make collisions negligible. */
const HASH_CHARS = 22

/** Sends one request and reads its whole response, undecoded. Throws OutboundError. */
export function sendRequest(agent: Dispatcher, hop: RedirectHop, limits: Limits): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(limits, resolve, reject)
    if (collector.settled) return
    agent.dispatch(dispatchOptions(hop, limits), collector)
  })
}

export function dispatchOptions(
  { url, method, headers, body }: RedirectHop,
  { timeouts, keepAlive }: Limits,
): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    ...(keepAlive === false ? { reset: true } : {}),
  }
}

/**
 * Collects a response directly from the parser. undici's `request` creates a stream per response, which costs more than the
 * rest of a small POST.
 */
class Collector implements Dispatcher.DispatchHandler {
  settled = false
  readonly #limits: Limits
  readonly #resolve: (received: RawResponse) => void
  readonly #reject: (error: OutboundError) => void
  readonly #timer: NodeJS.Timeout
  readonly #onAbort: (() => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: ResponseHeaders = {}
  #chunks: Buffer[] = []
  #size = 0
  readonly #hash: Hash | null

  constructor(limits: Limits, resolve: (received: RawResponse) => void, reject: (error: OutboundError) => void) {
    this.#limits = limits
    this.#hash = limits.knownHash === undefined ? null : createHash('sha256')
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(timedOut, limits.timeouts.total, this)
    const { signal } = limits
    if (!signal) return
    this.#onAbort = () => this.fail(new OutboundError('aborted', { cause: signal.reason }))
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Aborted or timed out while it waited for a connection.
    if (this.settled) controller.abort(new OutboundError('aborted'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // 1xx responses precede the final one.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    const { overflow, maxBytes } = this.#limits
    if (overflow === 'refuse' && Number(headers['content-length']) > maxBytes) this.fail(new OutboundError('too_large'))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return
    this.#chunks.push(chunk)
    this.#hash?.update(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#limits.maxBytes) return
    const tooLarge = new OutboundError('too_large')
    if (this.#limits.overflow === 'refuse') this.fail(tooLarge)
    else {
      this.#succeed(true)
      controller.abort(tooLarge)
    }
  }

  onResponseEnd(): void {
    if (!this.settled) this.#succeed(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.settled) this.fail(toOutboundError(error))
  }

  fail(error: OutboundError): void {
    if (this.settled) return
    this.#settle()
    this.#controller?.abort(error)
    this.#reject(error)
  }

  #succeed(truncated: boolean): void {
    this.#settle()
    const hash = truncated ? null : (this.#hash?.digest('base64url').slice(0, HASH_CHARS) ?? null)
    // Unchanged: the body is not decoded or read again.
    if (hash !== null && hash === this.#limits.knownHash) this.#chunks = []
    const [only = EMPTY] = this.#chunks
    const size = Math.min(this.#size, this.#limits.maxBytes)
    const body = this.#chunks.length > 1 || truncated ? Buffer.concat(this.#chunks, size) : only
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated, hash })
  }

  #settle(): void {
    this.settled = true
    clearTimeout(this.#timer)
    if (this.#onAbort) this.#limits.signal?.removeEventListener('abort', this.#onAbort)
  }
}

function timedOut(collector: Collector): void {
  collector.fail(new OutboundError('timeout'))
}
