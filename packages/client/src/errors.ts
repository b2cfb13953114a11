import type { ErrorCode, Schemas } from './types.ts'

type Detail = { path: string; message: string }

/** An error response of the service. Its `code` is stable; its message states what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unexpected` if the response is not from the service, but for example from a proxy. */
  readonly code: ErrorCode | 'unexpected'
  /** The invalid fields. */
  readonly details: Detail[]
  /** The id under which the service has logged the error. */
  readonly requestId: string | null
  /** Seconds to wait before a retry, from the Retry-After header. */
  readonly retryAfter: number | null

  constructor(status: number, body: Partial<Schemas['Error']>, retryAfter: number | null = null) {
    super(body.error?.message ?? `The response (${status}) is not from Bellwether. Check the address.`)
    this.status = status
    this.code = body.error?.code ?? 'unexpected'
    this.details = body.error?.details ?? []
    this.requestId = body.error?.request_id || null
    this.retryAfter = retryAfter
  }

  /** Whether an error is an ApiError with one of these codes. */
  static is<C extends ErrorCode>(error: unknown, ...codes: C[]): error is ApiError & { code: C } {
    return error instanceof ApiError && (codes as string[]).includes(error.code)
  }
}

/** The service could not be reached, or did not respond in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The awaited work has failed; `record` is its last state. */
export class WorkFailed<T> extends Error {
  override readonly name = 'WorkFailed'
  readonly record: T

  constructor(message: string, record: T) {
    super(message)
    this.record = record
  }
}
