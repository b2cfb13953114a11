/** Every error code of the API, with its HTTP status. */
const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  subscription_required: 402,
  plan_limit_reached: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  account_active: 409,
  account_not_active: 409,
  invalid_transition: 409,
  domain_taken: 409,
  name_taken: 409,
  signed_in_as_other: 409,
  email_taken: 409,
  last_admin: 409,
  builtin_signal: 409,
  no_active_signal: 409,
  crm_not_connected: 409,
  oauth_not_configured: 409,
  idempotency_key_reused: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  unknown_member: 422,
  unknown_signal: 422,
  unclear_description: 422,
  unknown_destination: 422,
  account_not_searchable: 422,
  url_not_allowed: 422,
  credential_rejected: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof STATUS

export type ErrorDetail = { path: string; message: string }

/** An error for the caller: its message states what to do next. The internal reason goes into `cause`, for the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  /** Seconds after which a retry can succeed; sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return STATUS[this.code]
  }
}

/** For `.catch(…)`: rethrows an AppError with the request field that caused it. */
export function rethrowForField(path: string) {
  return (error: unknown): never => {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, { details: [{ path, message: error.message }], cause: error })
  }
}

export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = STATUS

export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what} in this workspace.`)
}

export function accountNotActive(): AppError {
  return new AppError('account_not_active', 'Only an active account can do this. Activate it first.')
}

/** A mistake in the configuration or the command line: printed as one line without a stack trace; the exit code is 1. */
export class SetupError extends Error {
  override name = 'SetupError'
}
