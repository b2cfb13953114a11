import { hash } from 'node:crypto'
import type { Outbound } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { readRetryAfter } from '../../outbound/response-headers.ts'
import type { WebhookSigner } from '../../outbound/signing.ts'

/** The result of one signed POST. */
export type PostResult = {
  /** over: the receiver takes no more deliveries at all. */
  result: 'sent' | 'retry' | 'failed' | 'over'
  status: number | null
  message: string | null
  /** Seconds the receiver requests to wait, at most five minutes. */
  retryAfter: number | null
  latencyMs: number
  /** The first 1,000 characters of the response body. */
  answer: string | null
  /** Unix time in milliseconds. */
  sentAt: number
  bodyDigest: string
}

const MAX_ANSWER_CHARACTERS = 1_000
const MAX_ANSWER_BYTES = 16 * 1024
/** The receiver may have read the body before the connection was closed. */
const TIMED_OUT = 'There was no answer in time; it may have arrived.'
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }

/** Identifies a body without storing it: the delivery log contains no personal data. */
export function digestOf(body: string): string {
  return hash('sha256', body, 'hex')
}

/** Posts a signed JSON body once. The behaviour of the receiver and the network is a result; only bugs are thrown. */
export function postSigned(
  outbound: Outbound,
  { url, signer }: { url: string; signer: WebhookSigner },
  id: string,
  body: string,
  signal?: AbortSignal,
): Promise<PostResult> {
  const sentAt = Date.now()
  return postJson(outbound, url, body, { sentAt, headers: signer.headers(id, sentAt, body) }, signal)
}

/** The same without a signature, for a receiver whose URL is the credential. */
export async function postJson(
  outbound: Outbound,
  url: string,
  body: string,
  { sentAt = Date.now(), headers = {} }: { sentAt?: number; headers?: Record<string, string> } = {},
  signal?: AbortSignal,
): Promise<PostResult> {
  const began = performance.now()
  const sent = { sentAt, bodyDigest: digestOf(body) }
  try {
    const answer = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirects: 'refuse',
      timeouts: TIMEOUTS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal ? { signal } : {}),
    })
    const { result, message } = classifyStatus(answer.status)
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
      message: error.kind === 'aborted' ? TIMED_OUT : error.message,
      retryAfter: error.retryAfter ?? null,
      latencyMs: Math.round(performance.now() - began),
      answer: null,
      ...sent,
    }
  }
}

function classifyStatus(status: number): Pick<PostResult, 'result' | 'message'> {
  if (status >= 200 && status < 300) return { result: 'sent', message: null }
  if (status === 410) return { result: 'over', message: 'The receiver answered 410: it wants no more deliveries.' }
  if (status >= 300 && status < 400)
    return { result: 'failed', message: `The receiver answered ${status}; redirects are not followed.` }
  const isTemporary = status === 408 || status === 429 || status >= 500
  return { result: isTemporary ? 'retry' : 'failed', message: `The receiver answered ${status}.` }
}

/** PostgreSQL cannot store NUL. */
function printable(text: string): string {
  return text.slice(0, MAX_ANSWER_CHARACTERS).replaceAll('\0', '')
}
