import type { RawDocument } from '../../engine/content/read.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { prepareTransfer, type TaskRunOptions } from '../../engine/threads/pool.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError, type OutboundErrorKind } from '../../outbound/errors.ts'

/** The validators of a response, for a conditional request. */
export type Validators = { etag: string | null; last_modified: string | null }

/** The headers of a conditional request. */
export function conditionalHeaders(seen: Validators | null): Record<string, string> {
  return {
    ...(seen?.etag ? { 'if-none-match': seen.etag } : {}),
    ...(seen?.last_modified ? { 'if-modified-since': seen.last_modified } : {}),
  }
}

/** The validators for the next request; a 304 response may omit them. */
export function responseValidators(response: OutboundResponse, seen: Validators | null): Validators {
  const before = response.status === 304 ? seen : null
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
  const handed = prepareTransfer(body)
  return {
    document: { url, body: handed.body, contentType: String(headers['content-type'] ?? '') },
    options: { from: registrableDomainOrHost(url), transfer: handed.transfer },
  }
}

const BY_KIND: Record<OutboundErrorKind, string> = {
  not_allowed: 'The address does not lead to a site on the public internet over https.',
  dns: 'The name of the site could not be resolved.',
  connect: 'The site could not be reached.',
  tls: 'The site could not prove its identity.',
  timeout: 'The site did not answer in time.',
  too_large: 'The page is too large to be read.',
  redirect: 'The site redirects in a way that is not followed.',
  aborted: 'The request was given up before the site answered.',
  circuit_open: 'The site failed several times in a row and is left alone for a moment.',
  protocol: 'The answer of the site was not proper HTTP.',
}

/** Why a site could not be read, as a sentence for users. Rethrows other errors. */
export function outboundErrorReason(error: unknown): string {
  if (error instanceof OutboundError) return BY_KIND[error.kind]
  throw error
}

/** Why a response with this status is not usable. */
export function statusReason(status: number): string {
  if (status === 401 || status === 403 || status === 451) return `The site refuses to be read (it answered ${status}).`
  if (status === 429) return 'The site asks to be left alone for a while (it answered 429).'
  if (status >= 500) return `The site answered with an error (${status}).`
  return `The site answered ${status} instead of a page.`
}
