import type { Outbound } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { WebhookSigner } from '../../outbound/signing.ts'

/** What became of one attempt. */
export type Outcome = {
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
}

const MAX_ANSWER_CHARACTERS = 1_000
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_RETRY_AFTER_SECONDS = 300
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }

/** Stable for a record of a run, so that a receiver knows a row it has seen. No dots: they separate what is signed. */
export function webhookId(run: string, record: string): string {
  return `msg_${run.replaceAll('-', '')}_${record.replaceAll('-', '')}`
}

/** Sends one body, signed. Never throws: whatever happens is an outcome. */
export async function deliver(
  outbound: Outbound,
  { url, signer }: { url: string; signer: WebhookSigner },
  id: string,
  body: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const began = Date.now()
  try {
    const answer = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signer.headers(id, began, body) },
      body,
      redirects: 'refuse',
      timeouts: TIMEOUTS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal ? { signal } : {}),
    })
    const { result, message } = judge(answer.status)
    return {
      result,
      message,
      status: answer.status,
      retryAfter: readRetryAfter(answer.headers['retry-after']),
      latencyMs: Math.round(answer.ms),
      answer: answer.body.length > 0 ? printable(answer.text()) : null,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      result: error.kind === 'not_allowed' ? 'over' : 'retry',
      status: null,
      message: error.message,
      retryAfter: error.retryAfter ?? null,
      latencyMs: Date.now() - began,
      answer: null,
    }
  }
}

function judge(status: number): Pick<Outcome, 'result' | 'message'> {
  if (status >= 200 && status < 300) return { result: 'sent', message: null }
  if (status === 410) return { result: 'over', message: 'The receiver answered 410: it wants no more deliveries.' }
  if (status >= 300 && status < 400)
    return { result: 'failed', message: `The receiver answered ${status}; redirects are not followed.` }
  const again = status === 408 || status === 429 || status >= 500
  return { result: again ? 'retry' : 'failed', message: `The receiver answered ${status}.` }
}

function readRetryAfter(header: string | string[] | undefined): number | null {
  const text = [header].flat()[0]
  if (!text) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null
}

/** PostgreSQL cannot store NUL. */
function printable(text: string): string {
  return text.slice(0, MAX_ANSWER_CHARACTERS).replaceAll('\0', '')
}
