import { parseJson } from '../engine/text/storable.ts'
import type { OutboundResponse, RequestOptions } from '../outbound/client.ts'
import { OutboundError } from '../outbound/errors.ts'
import type { Pace } from '../outbound/pacing.ts'
import { providerProblem, quotaUsedUp } from './health.ts'
import type { ProviderDeps } from './types.ts'

/** `wasAnswered`: the source did answer, and may charge for it. */
type Failed = { outcome: 'failed'; reason: string; wasAnswered?: true }
export type ProviderResponse<T> = { outcome: 'answer'; value: T } | { outcome: 'nothing' } | Failed

export type AskOptions = Pick<
  RequestOptions,
  'headers' | 'maxBytes' | 'overflow' | 'method' | 'body' | 'timeouts' | 'trust'
> & {
  pace: Pace
  /** What a 404 says: a search that is not there is a failure, a thing that is not there is nothing. */
  missing?: 'nothing' | 'failed'
  /** Whether an answer says that no more may be asked for a while, where its status does not. */
  isQuota?: (answer: OutboundResponse) => boolean
}

/** A host that says when to come back is asked once more, if that is soon. */
const MAX_RETRY_AFTER_SECONDS = 30

/**
 * Asks a source, and remembers how it fared. Any other answer than a 2xx is a failure, except that 404 and 410 may be nothing; and so is none. Throws
 * only when the caller's signal ends the call: that says nothing about the source.
 */
export async function ask(
  deps: ProviderDeps,
  source: string,
  url: string,
  { missing = 'nothing', isQuota = () => false, ...options }: AskOptions,
): Promise<ProviderResponse<OutboundResponse>> {
  try {
    const send = () =>
      deps.outbound.request(url, { redirects: 'follow', overflow: 'refuse', ...options, signal: deps.signal })
    let answer = await send()
    // The pace holds the repeat back for as long as the host asked.
    if (asksForAPause(answer)) answer = await send()
    const { status } = answer
    const isMissing = missing === 'nothing' && (status === 404 || status === 410)
    const problem = isMissing ? null : isQuota(answer) ? quotaUsedUp(source, status) : providerProblem(source, status)
    await deps.health.report(source, problem)
    if (problem) return failed(problem.message)
    return isMissing ? { outcome: 'nothing' } : { outcome: 'answer', value: answer }
  } catch (error) {
    if (!(error instanceof OutboundError) || deps.signal.aborted) throw error
    const message = `${source}: ${error.message}`
    // A host that is left alone for a moment failed before, and why is remembered.
    if (error.kind !== 'circuit_open') await deps.health.report(source, { kind: 'unavailable', message })
    return failed(message)
  }
}

/** Asks a source that answers in JSON; anything else is a failure. */
export async function askJson(
  deps: ProviderDeps,
  source: string,
  url: string,
  options: AskOptions,
): Promise<ProviderResponse<unknown>> {
  const headers = { accept: 'application/json', ...options.headers }
  const asked = await ask(deps, source, url, { ...options, headers })
  if (asked.outcome !== 'answer') return asked
  try {
    return { outcome: 'answer', value: parseJson(asked.value.text()) }
  } catch {
    const message = `${source} answered something that is not JSON.`
    await deps.health.report(source, { kind: 'unreadable', message })
    return failed(message)
  }
}

export function failed(reason: string): Failed {
  return { outcome: 'failed', reason }
}

/** The source answered, but not in the shape its documentation gives: a failure that shows where sources are listed. */
export async function misshapen(deps: Pick<ProviderDeps, 'health'>, source: string): Promise<Failed> {
  const message = `${source} failed: format. It answered in a shape that is not understood.`
  await deps.health.report(source, { kind: 'unreadable', message })
  return { ...failed(message), wasAnswered: true }
}

function asksForAPause({ status, headers }: OutboundResponse): boolean {
  const seconds = Number(headers['retry-after'])
  return (status === 429 || status === 503) && seconds > 0 && seconds <= MAX_RETRY_AFTER_SECONDS
}
