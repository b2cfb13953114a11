import type { ErrorCode, Schemas } from './types.ts'

type Detail = { path: string; message: string }

/** A refusal or a failure, in the words of the service. Its `code` is stable; its message says what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unexpected` where something else than the service has answered, such as a proxy. */
  readonly code: ErrorCode | 'unexpected'
  /** The fields it is about. */
  readonly details: Detail[]
  /** Under which the service has logged it. */
  readonly requestId: string | null
  /** Seconds after which a repeat makes sense, where the service said so. */
  readonly retryAfter: number | null

  constructor(status: number, body: Partial<Schemas['Error']>, retryAfter: number | null = null) {
    super(body.error?.message ?? `The answer (${status}) is not one of Bellwether’s. Check the address.`)
    this.status = status
    this.code = body.error?.code ?? 'unexpected'
    this.details = body.error?.details ?? []
    this.requestId = body.error?.request_id || null
    this.retryAfter = retryAfter
  }

  /** Whether an error is one of the service with one of these codes. */
  static is<C extends ErrorCode>(error: unknown, ...codes: C[]): error is ApiError & { code: C } {
    return error instanceof ApiError && (codes as string[]).includes(error.code)
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** What was waited for has failed; `record` is its last state. */
export class WorkFailed<T> extends Error {
  override readonly name = 'WorkFailed'
  readonly record: T

  constructor(message: string, record: T) {
    super(message)
    this.record = record
  }
}
