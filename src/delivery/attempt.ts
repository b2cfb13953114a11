import { hash } from 'node:crypto'
import type { Outbound } from '../outbound/client.ts'
import { OutboundError } from '../outbound/errors.ts'
import { readRetryAfter, withJitter } from '../outbound/response-headers.ts'
import type { WebhookSigner } from '../outbound/signing.ts'

/** What became of one attempt. */
export type AttemptResult = {
  /**
   * sent: acknowledged. retry: worth another attempt. failed: the receiver will not have it. over: nothing more can go to
   * this destination.
   */
  result: 'sent' | 'retry' | 'failed' | 'over'
  status: number | null
  message: string | null
  /** Seconds the receiver asks us to wait, at most five minutes. */
  retryAfter: number | null
  latencyMs: number
  /** The first 1,000 characters of the answer. */
  answer: string | null
  /** When it left, in milliseconds. */
  sentAt: number
  /** By which what was sent is known again. */
  bodyDigest: string
}

const MAX_ANSWER_CHARACTERS = 1_000
const MAX_ANSWER_BYTES = 16 * 1024
/** The body may have been read before the connection was closed. */
const CUT_OFF = 'There was no answer in time; it may have arrived.'
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }

/** By which a body that was sent is known again: the log keeps no text about people. */
export function digestOf(body: string): string {
  return hash('sha256', body, 'hex')
}

/** Stable for a record of a run, so that a receiver knows a row it has seen. No dots: they separate what is signed. */
export function webhookId(run: string, record: string): string {
  return `msg_${run.replaceAll('-', '')}_${record.replaceAll('-', '')}`
}

/** Makes one attempt to send a body, signed. Whatever the receiver or the network does is a result; it throws for bugs only. */
export async function deliver(
  outbound: Outbound,
  { url, signer }: { url: string; signer: WebhookSigner },
  id: string,
  body: string,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  const began = performance.now()
  const sentAt = Date.now()
  const sent = { sentAt, bodyDigest: digestOf(body) }
  try {
    const answer = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signer.headers(id, sentAt, body) },
      body,
      redirects: 'refuse',
      timeouts: TIMEOUTS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal ? { signal } : {}),
    })
    const { result, message } = classifyResponse(answer.status)
    return {
      result,
      message,
      status: answer.status,
      retryAfter: readRetryAfter(answer.headers['retry-after']),
      latencyMs: Math.round(answer.ms),
      answer: answer.body.length > 0 ? printable(answer.text()) : null,
      ...sent,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      result: error.kind === 'not_allowed' ? 'over' : 'retry',
      status: null,
      message: error.kind === 'aborted' ? CUT_OFF : error.message,
      retryAfter: error.retryAfter ?? null,
      latencyMs: Math.round(performance.now() - began),
      answer: null,
      ...sent,
    }
  }
}

function classifyResponse(status: number): Pick<AttemptResult, 'result' | 'message'> {
  if (status >= 200 && status < 300) return { result: 'sent', message: null }
  if (status === 410) return { result: 'over', message: 'The receiver answered 410: it wants no more deliveries.' }
  if (status >= 300 && status < 400)
    return { result: 'failed', message: `The receiver answered ${status}; redirects are not followed.` }
  const again = status === 408 || status === 429 || status >= 500
  return { result: again ? 'retry' : 'failed', message: `The receiver answered ${status}.` }
}

/** PostgreSQL cannot store NUL. */
function printable(text: string): string {
  return text.slice(0, MAX_ANSWER_CHARACTERS).replaceAll('\0', '')
}

/**
 * What comes after an attempt: done, given up, or another after a pause. `attempts` were made before it. A receiver may ask
 * for a shorter pause; that a host is left alone for a moment makes none shorter, or a short outage would use up all.
 */
export function afterAttempt(
  { result, retryAfter, status }: Pick<AttemptResult, 'result' | 'retryAfter' | 'status'>,
  attempts: number,
  pauses: readonly number[],
): { state: 'sent' | 'failed' | 'pending'; retry_in: number } {
  if (result === 'sent') return { state: 'sent', retry_in: 0 }
  const pause = pauses[attempts]
  if (result !== 'retry' || pause === undefined) return { state: 'failed', retry_in: 0 }
  const own = withJitter(pause)
  return { state: 'pending', retry_in: status === null ? Math.max(own, retryAfter ?? 0) : (retryAfter ?? own) }
}

/** An attempt as the log of deliveries keeps it. */
export function logged({ status, message, latencyMs, answer, sentAt, bodyDigest }: AttemptResult) {
  return { status, message, latency_ms: latencyMs, answer, sent_at: sentAt, body_digest: bodyDigest }
}
