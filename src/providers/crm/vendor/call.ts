import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../../../engine/text/storable.ts'
import { OutboundError } from '../../../outbound/errors.ts'
import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import type { Pace } from '../../../outbound/pacing.ts'
import { readRetryAfter, withJitter } from '../../../outbound/response-headers.ts'
import { type CrmAccess, CrmError, type CrmErrorKind } from './types.ts'

export type CrmReply = { status: number; headers: ResponseHeaders; body: unknown }

/** How to handle a response: accept it, retry with a new token, retry after a pause, or fail. */
export type ResponseClass =
  | { is: 'ok' }
  | { is: 'token_expired' }
  | { is: 'retry'; seconds: number; message: string }
  | { is: 'error'; kind: CrmErrorKind; message: string }

export type CrmCall = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  json?: unknown
  headers?: Record<string, string>
  pace: Pace
  classify: (reply: CrmReply) => ResponseClass
  /** The call creates a record each time it is accepted: without an answer it is not repeated, since it may have been. */
  creates?: boolean
  label: string
}

/** Attempts when the vendor requests a retry, and when it does not respond. */
const MAX_ATTEMPTS_BUSY = 8
const MAX_ATTEMPTS_UNREACHABLE = 3
/** A longer pause is left to the caller. */
const MAX_WAIT_SECONDS = 60
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
const TIMEOUTS = { headers: 30_000, body: 30_000, total: 45_000 }

/** Calls a CRM, retrying after a pause where that may help, and once with a renewed token. Throws CrmError. */
export async function callCrm(access: CrmAccess, call: CrmCall): Promise<CrmReply> {
  const { session, signal } = access
  let renewed = false
  let busy = 0
  let unreachable = 0
  let token = await session.token()
  for (;;) {
    const reply = await send(access, call, token).then(readable(call), (error: unknown) =>
      noResponse(error, call.label),
    )
    const response: ResponseClass =
      reply instanceof CrmError ? { is: 'retry', seconds: 1, message: reply.message } : call.classify(reply)
    if (response.is === 'ok') return reply as CrmReply
    const { status } = reply
    if (response.is === 'error') throw new CrmError(response.kind, response.message, { status })
    if (response.is === 'token_expired') {
      if (renewed)
        throw new CrmError('auth', `${call.label} does not accept the connection. Connect it again.`, { status })
      renewed = true
      token = await session.renew(token)
      continue
    }
    const isLast = reply instanceof CrmError ? ++unreachable >= MAX_ATTEMPTS_UNREACHABLE : ++busy >= MAX_ATTEMPTS_BUSY
    const mayHaveCreated = call.creates && (reply instanceof CrmError || reply.status >= 500)
    const isLong = response.seconds > MAX_WAIT_SECONDS
    if (isLast || mayHaveCreated || isLong || signal.aborted)
      throw new CrmError('busy', response.message, { status, ...(isLong && { retryAfterSeconds: response.seconds }) })
    await sleep(withJitter(response.seconds) * 1000, undefined, { signal }).catch((cause) => {
      throw new CrmError('busy', response.message, { status, cause })
    })
    token = await session.token()
  }
}

async function send({ outbound, session, signal }: CrmAccess, call: CrmCall, token: string): Promise<CrmReply> {
  const response = await outbound.request(session.base() + call.path, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    body: call.json === undefined ? null : JSON.stringify(call.json),
    redirects: 'refuse',
    timeouts: TIMEOUTS,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'refuse',
    pace: call.pace,
    signal,
  })
  return { status: response.status, headers: response.headers, body: parse(response.text()) }
}

/** A success whose body is not JSON, such as the page of a proxy or a truncated response, counts as no response. */
const readable =
  ({ classify, label }: CrmCall) =>
  (reply: CrmReply): CrmReply | CrmError => {
    const isRead = typeof reply.body === 'object' && reply.body !== null
    if (isRead || classify(reply).is !== 'ok') return reply
    const { status } = reply
    return new CrmError('busy', `${label} sent a response that is not JSON. Try again in a few minutes.`, { status })
  }

/** The error of a call without a response: retried, unless the address is not allowed or the call was aborted. */
function noResponse(error: unknown, label: string): CrmError {
  if (!(error instanceof OutboundError)) throw error
  if (error.kind === 'not_allowed')
    throw new CrmError('refused', `The address of ${label} cannot be used: ${error.message}`, { cause: error })
  if (error.kind === 'aborted')
    throw new CrmError('busy', `There was no time left to wait for ${label}.`, { cause: error })
  return new CrmError('busy', `${label} cannot be reached at the moment.`, { cause: error })
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return parseJson(text)
  } catch {
    // For instance the page of a proxy; the status suffices.
    return null
  }
}

/** A CRM may ask for as long as its quotas last. */
const MAX_RETRY_AFTER_SECONDS = 86_400

/** The seconds of `Retry-After`. */
export function retryAfter(headers: ResponseHeaders): number | null {
  return readRetryAfter(headers['retry-after'], MAX_RETRY_AFTER_SECONDS)
}

export function chunks<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** The message of the vendor on one line, truncated. */
export function sentence(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  if (!text) return 'it gave no reason.'
  return /[.!?]$/.test(text) ? text : `${text}.`
}
