import { ApiError, Unreachable } from './errors.ts'
import { sleep } from './sleep.ts'
import type { Schemas } from './types.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://bellwether.example.com`. In a page that the service itself has sent: `/`. */
  url: string
  /** An API key. A page that is signed in needs none. */
  key?: string | undefined
  /** How often a call is repeated that failed for a reason that may pass; 3 when absent. */
  retries?: number
  /** The longest wait before a repeat, in milliseconds; a service that asks for more is not asked again. 60 seconds when absent. */
  maxWaitMs?: number
  /** Milliseconds for one attempt, answer included; 3 minutes when absent, Infinity for no limit. */
  timeoutMs?: number
  /** Does the calls, instead of the global one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type Sent = RequestInit & { method: string }
type Answered = { data: unknown; pagination?: unknown }

/** The service is busy or away: the same call may work in a moment. */
const PASSING = new Set([429, 502, 503, 504])
const FIRST_WAIT_MS = 500

/** Sends one call until it is answered: adds the key, repeats what may pass, throws whatever is not a success. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string
  readonly #fetch: NonNullable<ClientOptions['fetch']>

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = options.url.replace(/\/+$/, '')
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init))
  }

  /** Answers a success. Throws ApiError, Unreachable, or the reason of an aborted signal. */
  send(path: string, init: Sent): Promise<Response> {
    return this.#send(path, init, async (response) => response)
  }

  /** The same for what is answered in JSON: an answer that breaks off on its way is none, and is asked for again. */
  sendForJson(path: string, init: Sent): Promise<Answered> {
    return this.#send(path, init, async (response) => {
      const body = parse<Answered>(await response.text())
      if (!('data' in body)) throw new ApiError(response.status, {})
      return body as Answered
    })
  }

  async #send<T>(path: string, init: Sent, read: (response: Response) => Promise<T>): Promise<T> {
    const { key, retries = 3, maxWaitMs = 60_000 } = this.#options
    const headers = new Headers(init.headers)
    if (key) headers.set('authorization', `Bearer ${key}`)
    if (init.method === 'POST' && retries > 0 && !headers.has('idempotency-key'))
      headers.set('idempotency-key', crypto.randomUUID())
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#try(path, { ...init, headers }, read)
      if (!(outcome instanceof ApiError || outcome instanceof Unreachable)) return outcome
      const wait = waitBefore(outcome, attempt)
      if (attempt >= retries || wait > maxWaitMs || !isRepeatable(init, outcome)) throw outcome
      await sleep(wait, init.signal)
    }
  }

  async #try<T>(path: string, init: Sent, read: (response: Response) => Promise<T>) {
    const { timeoutMs = 180_000 } = this.#options
    const timeout = timeoutMs === Number.POSITIVE_INFINITY ? null : AbortSignal.timeout(timeoutMs)
    const signal = init.signal && timeout ? AbortSignal.any([init.signal, timeout]) : (init.signal ?? timeout)
    try {
      // The service sends nobody elsewhere: who does would get what the call holds, and a POST would arrive as a GET.
      const response = await this.#fetch(this.#base + path, { ...init, redirect: 'manual', signal })
      return response.ok ? await read(response) : await errorIn(response)
    } catch (error) {
      init.signal?.throwIfAborted()
      if (error instanceof ApiError) return error
      const why = timeout?.aborted ? `gave no answer within ${timeoutMs / 1000} seconds` : 'cannot be reached'
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

/** What a proxy in front says is not JSON. */
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
  // Callers that failed together do not come back together.
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** A body that is read as it is sent cannot be sent again; a deletion whose answer was lost would find nothing. */
function isRepeatable({ method, body }: RequestInit, error: ApiError | Unreachable): boolean {
  if (error instanceof ApiError && !PASSING.has(error.status)) return false
  if (error instanceof Unreachable && method === 'DELETE') return false
  return !(body instanceof ReadableStream)
}
