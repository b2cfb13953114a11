import { ApiError, Unreachable } from './errors.ts'
import { sleep } from './sleep.ts'
import type { Schemas } from './types.ts'

export type ClientOptions = {
  /** Address of the service, such as `https://bellwether.example.com`; `/` in a page served by the service. */
  url: string
  /** An API key. A page with a session cookie needs none. */
  key?: string | undefined
  /** Maximum number of retries after a transient error; 3 when absent. */
  retries?: number
  /** Longest wait before a retry, in milliseconds; no retry if Retry-After is longer. 60 seconds when absent. */
  maxWaitMs?: number
  /** Timeout of one attempt in milliseconds, response body included; 3 minutes when absent, Infinity for none. */
  timeoutMs?: number
  /** Replaces the global fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type RequestWithMethod = RequestInit & { method: string }
type JsonBody = { data: unknown; pagination?: unknown }

/** Statuses of a busy or unavailable service: a retry may succeed. */
const TRANSIENT = new Set([429, 502, 503, 504])
const FIRST_WAIT_MS = 500

/** Sends requests: adds the key, retries transient errors, and throws for every response that is not a success. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string
  readonly #fetch: NonNullable<ClientOptions['fetch']>

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = options.url.replace(/\/+$/, '')
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init))
  }

  /** Returns a successful response. Throws ApiError, Unreachable, or the reason of an aborted signal. */
  send(path: string, init: RequestWithMethod): Promise<Response> {
    return this.#send(path, init, async (response) => response)
  }

  /** Like send, for JSON responses: an incomplete response is retried. */
  sendForJson(path: string, init: RequestWithMethod): Promise<JsonBody> {
    return this.#send(path, init, async (response) => {
      const body = parse<JsonBody>(await response.text())
      if (!('data' in body)) throw new ApiError(response.status, {})
      return body as JsonBody
    })
  }

  async #send<T>(path: string, init: RequestWithMethod, read: (response: Response) => Promise<T>): Promise<T> {
    const { key, retries = 3, maxWaitMs = 60_000 } = this.#options
    const headers = new Headers(init.headers)
    if (key) headers.set('authorization', `Bearer ${key}`)
    if (init.method === 'POST' && retries > 0 && !headers.has('idempotency-key'))
      headers.set('idempotency-key', crypto.randomUUID())
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#try(path, { ...init, headers }, read)
      if (!(outcome instanceof ApiError || outcome instanceof Unreachable)) return outcome
      const wait = waitBefore(outcome, attempt)
      if (attempt >= retries || wait > maxWaitMs || !isRetryable(init, outcome)) throw outcome
      await sleep(wait, init.signal)
    }
  }

  async #try<T>(path: string, init: RequestWithMethod, read: (response: Response) => Promise<T>) {
    const { timeoutMs = 180_000 } = this.#options
    const timeout = timeoutMs === Number.POSITIVE_INFINITY ? null : AbortSignal.timeout(timeoutMs)
    const signal = init.signal && timeout ? AbortSignal.any([init.signal, timeout]) : (init.signal ?? timeout)
    try {
      // The service never redirects: following a redirect would send the key and the body elsewhere, and a POST as a GET.
      const response = await this.#fetch(this.#base + path, { ...init, redirect: 'manual', signal })
      return response.ok ? await read(response) : await errorIn(response)
    } catch (error) {
      init.signal?.throwIfAborted()
      if (error instanceof ApiError) return error
      const why = timeout?.aborted ? `did not respond within ${timeoutMs / 1000} seconds` : 'cannot be reached'
      return new Unreachable(
        `Bellwether ${why} at ${this.#base || 'this address'}. Check the address and the connection.`,
        {
          cause: error,
        },
      )
    }
  }
}

async function errorIn(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new ApiError(response.status, parse<Schemas['Error']>(text), secondsIn(response.headers.get('retry-after')))
}

/** Returns an empty object for invalid JSON, because the response may be from a proxy. */
function parse<T extends object>(text: string): Partial<T> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(text: string | null): number | null {
  if (!text) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

function waitBefore(error: ApiError | Unreachable, attempt: number): number {
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000
  // Jitter, so that clients that failed at the same time do not retry at the same time.
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** A streamed body cannot be sent again, and a retried DELETE whose response was lost would return not_found. */
function isRetryable({ method, body }: RequestInit, error: ApiError | Unreachable): boolean {
  if (error instanceof ApiError && !TRANSIENT.has(error.status)) return false
  if (error instanceof Unreachable && method === 'DELETE') return false
  return !(body instanceof ReadableStream)
}
