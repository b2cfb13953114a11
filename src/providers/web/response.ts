import type { RawDocument } from '../../engine/content/read.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { prepareTransfer, type TaskRunOptions } from '../../engine/threads/pool.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError, type OutboundErrorKind } from '../../outbound/errors.ts'

/** The validators of a response, for a conditional request. */
export type Validators = { etag: string | null; last_modified: string | null }

/** The headers of a conditional request. */
export function conditionalHeaders(previous: Validators | null): Record<string, string> {
  return {
    ...(previous?.etag ? { 'if-none-match': previous.etag } : {}),
    ...(previous?.last_modified ? { 'if-modified-since': previous.last_modified } : {}),
  }
}

/** The validators for the next request; a 304 response may omit them. */
export function responseValidators(response: OutboundResponse, previous: Validators | null): Validators {
  const before = response.status === 304 ? previous : null
  return {
    etag: header(response, 'etag') ?? before?.etag ?? null,
    last_modified: header(response, 'last-modified') ?? before?.last_modified ?? null,
  }
}

function header({ headers }: OutboundResponse, name: string): string | null {
  const value = headers[name]
  // Rejects oversized values, which would fill the storage.
  return typeof value === 'string' && value.length <= 500 ? value : null
}

/** A response in the form that parser threads take. Transfers the body, which the caller can no longer read. */
export function toRawDocument({ url, body, headers }: OutboundResponse): {
  document: RawDocument
  options: TaskRunOptions
} {
  const transferred = prepareTransfer(body)
  return {
    document: { url, body: transferred.body, contentType: String(headers['content-type'] ?? '') },
    options: { from: registrableDomainOrHost(url), transfer: transferred.transfer },
  }
}

const REASONS: Record<OutboundErrorKind, string> = {
  not_allowed: 'The URL is not a public https site.',
  dns: 'The host name of the site could not be resolved.',
  connect: 'The site could not be reached.',
  tls: 'The TLS certificate of the site could not be verified.',
  timeout: 'The site did not respond in time.',
  too_large: 'The page is too large to be read.',
  redirect: 'The site redirects too often or to a URL that is not allowed.',
  aborted: 'The request was aborted before the site responded.',
  circuit_open: 'The site failed several times in a row; requests to it are paused for a moment.',
  protocol: 'The response of the site was not valid HTTP.',
}

/** Why a site could not be read, as a sentence for users. Rethrows other errors. */
export function outboundErrorReason(error: unknown): string {
  if (error instanceof OutboundError) return REASONS[error.kind]
  throw error
}

/** Why a response with this status is not usable. */
export function statusReason(status: number): string {
  if (status === 401 || status === 403 || status === 451) return `The site denied access (status ${status}).`
  if (status === 429) return 'The rate limit of the site is exceeded (status 429).'
  if (status >= 500) return `The site responded with an error (${status}).`
  return `The site responded with status ${status} instead of a page.`
}
