/** Why an outbound request failed. */
export type OutboundErrorKind =
  | 'not_allowed'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'aborted'
  | 'circuit_open'
  | 'protocol'

/** Public messages. Addresses and system errors stay in `cause`, because they reveal the local network. */
const MESSAGE: Record<OutboundErrorKind, string> = {
  not_allowed: 'This URL cannot be used. It must name a host on the public internet.',
  dns: 'The host name could not be resolved.',
  connect: 'The connection failed.',
  tls: 'The host could not prove its identity.',
  timeout: 'The host did not answer in time.',
  too_large: 'The response was too large.',
  redirect: 'The host redirected in a way that is not followed.',
  aborted: 'The request was aborted before its response.',
  circuit_open: 'The host failed several times in a row; requests to it are paused for a moment.',
  protocol: 'The request or its response was not valid HTTP.',
}

type Options = { message?: string; cause?: unknown; retryAfter?: number }

/** The error of the outbound client. Its message may be shown to any caller; `cause` is for the log. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  /** Seconds after which a retry can succeed; set when the circuit is open. */
  readonly retryAfter: number | undefined

  constructor(kind: OutboundErrorKind, { message = MESSAGE[kind], cause, retryAfter }: Options = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutboundError'
    this.kind = kind
    this.retryAfter = retryAfter
  }
}

const KIND_BY_CODE: Record<string, OutboundErrorKind> = {
  ECONNREFUSED: 'connect',
  ECONNRESET: 'connect',
  ECONNABORTED: 'connect',
  EHOSTUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  ENETUNREACH: 'connect',
  ENETDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EMFILE: 'connect',
  EPIPE: 'connect',
  UND_ERR_SOCKET: 'connect',
  UND_ERR_MAX_ORIGINS_REACHED: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_ABORT: 'aborted',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
}

/** Converts any error to an OutboundError. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  return new OutboundError(kindOf(error), { cause: error })
}

function kindOf(error: unknown): OutboundErrorKind {
  const { code = '', name = '' } = (error ?? {}) as { code?: string; name?: string }
  const known = KIND_BY_CODE[code]
  if (known) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|CRL_)/.test(code)) return 'tls'
  if (name === 'AbortError') return 'aborted'
  // Several addresses were tried, and each failed with a different error.
  if (error instanceof AggregateError) return 'connect'
  return 'protocol'
}
