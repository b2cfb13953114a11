import { tryParseJson } from '../engine/text/storable.ts'
import { LimitExceeded, prepareTransfer } from '../engine/threads/pool.ts'
import type { JsonTask } from '../engine/vendors/json-response.ts'
import type { FetchOptions, OutboundResponse, RequestOptions } from '../outbound/client.ts'
import { OutboundError } from '../outbound/errors.ts'
import type { Pace } from '../outbound/pacing.ts'
import { readRetryAfter } from '../outbound/response-headers.ts'
import { type ProviderProblem, providerProblem, quotaProblem } from './health.ts'
import type { ProviderDeps } from './types.ts'

/** `hasResponse`: the source did respond, and may charge for the request. */
type Failed = { outcome: 'failed'; reason: string; hasResponse?: true }
export type ProviderResponse<T> = { outcome: 'ok'; value: T } | { outcome: 'nothing' } | Failed

export type ProviderRequestOptions = Pick<
  RequestOptions,
  'headers' | 'maxBytes' | 'overflow' | 'method' | 'body' | 'timeouts' | 'trust'
> & {
  /** Follows all redirects by default. `unfollowed`: what one that was not followed means. */
  redirects?: { follow: (url: URL) => Promise<boolean>; unfollowed: () => ProviderProblem | 'nothing' | null }
  pace: Pace
  /** How to treat a 404: a missing search endpoint is a failure, a missing resource is an empty result. */
  missing?: 'nothing' | 'failed'
  /** Detects an exhausted quota in responses whose status does not show it. */
  isQuota?: (response: OutboundResponse) => boolean
}

/** Retries once when the host sends a `Retry-After` header of at most this many seconds. */
const MAX_RETRY_AFTER_SECONDS = 30

/**
 * Sends a request to a source and reports the outcome to the provider health. A network error or any status other than
 * 2xx is a failure, except 404 and 410 with `missing: 'nothing'`. Throws only when the caller's signal aborts the
 * request, since that is no problem of the source.
 */
export async function requestProvider(
  deps: ProviderDeps,
  source: string,
  url: string,
  { missing = 'nothing', isQuota = () => false, redirects, ...options }: ProviderRequestOptions,
): Promise<ProviderResponse<OutboundResponse>> {
  try {
    const send = () =>
      deps.outbound.request(url, {
        redirects: redirects?.follow ?? 'follow',
        overflow: 'refuse',
        ...options,
        signal: deps.signal,
      })
    let response = await send()
    // The pacing delays the retry for as long as the host asked.
    if (isRetryable(response)) response = await send()
    const { status } = response
    const unfollowed = redirects?.unfollowed() ?? null
    const isMissing = unfollowed === 'nothing' || (missing === 'nothing' && (status === 404 || status === 410))
    const problem = isMissing
      ? null
      : (unfollowed ?? (isQuota(response) ? quotaProblem(source, status) : providerProblem(source, status)))
    await deps.health.report(source, problem)
    if (problem) return failedResult(problem.message)
    return isMissing ? { outcome: 'nothing' } : { outcome: 'ok', value: response }
  } catch (error) {
    return reportRequestError(deps, source, error)
  }
}

/** Reports a network error, and returns the failure. Throws any other error, and when the caller's signal aborted. */
export async function reportRequestError(deps: ProviderDeps, source: string, error: unknown): Promise<Failed> {
  if (!(error instanceof OutboundError) || deps.signal.aborted) throw error
  const message = `${source}: ${error.message}`
  // An open circuit means that the host failed before; the earlier problem stays reported.
  if (error.kind !== 'circuit_open') await deps.health.report(source, { kind: 'unavailable', message })
  return failedResult(message)
}

/**
 * Opens a response that its source keeps open, and returns its lines: leaving their loop closes the connection. They
 * throw OutboundError, also at the limits of time and size. Null for the status in `accepted`, which is no problem.
 * Fails and throws as `requestProvider`.
 */
export async function openLines(
  deps: ProviderDeps,
  source: string,
  url: string,
  { headers = {}, accepted, ...limits }: FetchOptions & Pick<RequestOptions, 'headers'> & { accepted: number | null },
): Promise<ProviderResponse<AsyncIterable<string> | null>> {
  try {
    const response = await deps.outbound.fetchWith(limits)(url, { headers: { ...headers }, signal: deps.signal })
    const { status, body } = response
    const problem = status === accepted ? null : providerProblem(source, status)
    await deps.health.report(source, problem)
    if (body && status === 200) return { outcome: 'ok', value: readLines(body) }
    if (body) await closeBody(body)
    return problem ? failedResult(problem.message) : { outcome: 'ok', value: null }
  } catch (error) {
    return reportRequestError(deps, source, error)
  }
}

/** A body whose reading never began would keep its connection. */
async function closeBody(body: ReadableStream): Promise<void> {
  const reader = body.getReader()
  await reader.read()
  await reader.cancel()
}

const MAX_LINE_CHARS = 1_000_000

/** The lines of a body, without their ends. A line over the limit throws OutboundError. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > MAX_LINE_CHARS) throw new OutboundError('protocol')
    yield* parts
  }
  if (rest !== '') yield rest
}

/** Sends a request to a source that responds in JSON; any other content is a failure. */
export async function requestJson(
  deps: ProviderDeps,
  source: string,
  url: string,
  { fields, ...options }: ProviderRequestOptions & Pick<JsonTask, 'fields'>,
): Promise<ProviderResponse<unknown>> {
  const headers = { accept: 'application/json', ...options.headers }
  const response = await requestProvider(deps, source, url, { ...options, headers })
  if (response.outcome !== 'ok') return response
  const read = await readJson(deps, source, response.value, fields)
  if (typeof read !== 'string') return { outcome: 'ok', value: read.value }
  await deps.health.report(source, { kind: 'unreadable', message: read })
  return failedResult(read)
}

/** Up to this length, parsing takes less than passing the response to a thread. */
const MAX_INLINE_BYTES = 64 * 1024

/** The content of a response, or why it could not be read. */
async function readJson(
  { parserPool, signal }: ProviderDeps,
  source: string,
  response: OutboundResponse,
  fields: JsonTask['fields'],
): Promise<{ value: unknown } | string> {
  const invalid = `${source} responded with invalid JSON.`
  if (response.body.length <= MAX_INLINE_BYTES) {
    const value = tryParseJson(response.text())
    return value === undefined ? invalid : { value }
  }
  const { body, transfer } = prepareTransfer(response.body)
  const contentType = String(response.headers['content-type'] ?? '')
  const task = { url: response.url, body, contentType, ...(fields && { fields }) }
  const read = await parserPool.run('json', task, { from: `response of ${source}`, transfer, signal })
  if (read instanceof LimitExceeded) return `${source}: ${read.reason}`
  if (read.outcome === 'too-long') return `${source} responded with more data than is read.`
  return read.outcome === 'read' ? read : invalid
}

export function failedResult(reason: string): Failed {
  return { outcome: 'failed', reason }
}

/**
 * Reports a response that does not match the documented format, which then shows in the list of sources, and returns
 * the failure.
 */
export async function reportUnexpectedFormat(deps: Pick<ProviderDeps, 'health'>, source: string): Promise<Failed> {
  const message = `${source} failed: unexpected response format.`
  await deps.health.report(source, { kind: 'unreadable', message })
  return { ...failedResult(message), hasResponse: true }
}

function isRetryable({ status, headers }: OutboundResponse): boolean {
  const seconds = readRetryAfter(headers['retry-after'])
  return (status === 429 || status === 503) && seconds !== null && seconds <= MAX_RETRY_AFTER_SECONDS
}
