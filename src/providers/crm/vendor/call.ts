import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../../../engine/text/storable.ts'
import { OutboundError } from '../../../outbound/errors.ts'
import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import type { Pace } from '../../../outbound/pacing.ts'
import { withJitter } from '../../../outbound/response-headers.ts'
import { type CrmAccess, CrmError, type CrmErrorKind } from './types.ts'

export type Reply = { status: number; headers: ResponseHeaders; body: unknown }

/** What to do with a response: take it, call again with a new token, call again after a pause, or give up. */
export type ResponseClass =
  | { is: 'ok' }
  | { is: 'token_expired' }
  | { is: 'retry'; seconds: number; message: string }
  | { is: 'error'; kind: CrmErrorKind; message: string }

export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  json?: unknown
  pace: Pace
  classify: (reply: Reply) => ResponseClass
  label: string
}

/** Attempts at a vendor that asks to come back later, and at one that does not answer. */
const MAX_ATTEMPTS_BUSY = 8
const MAX_ATTEMPTS_UNREACHABLE = 3
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
const TIMEOUTS = { headers: 30_000, body: 30_000, total: 45_000 }

/** Calls a CRM, retrying after a pause where that may help, and once with a renewed token. Throws CrmError. */
export async function callCrm(access: CrmAccess, call: Call): Promise<Reply> {
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
    if (response.is === 'ok') return reply as Reply
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
    if (isLast || signal.aborted) throw new CrmError('busy', response.message, { status })
    await sleep(withJitter(response.seconds) * 1000, undefined, { signal }).catch((cause) => {
      throw new CrmError('busy', response.message, { status, cause })
    })
    token = await session.token()
  }
}

async function send({ outbound, session, signal }: CrmAccess, call: Call, token: string): Promise<Reply> {
  const answer = await outbound.request(session.base() + call.path, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: call.json === undefined ? null : JSON.stringify(call.json),
    redirects: 'refuse',
    timeouts: TIMEOUTS,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'refuse',
    pace: call.pace,
    signal,
  })
  return { status: answer.status, headers: answer.headers, body: parse(answer.text()) }
}

/** A success whose body is no JSON, such as a proxy's page or half a response, counts as no response. */
const readable =
  ({ classify, label }: Call) =>
  (reply: Reply): Reply | CrmError => {
    const isRead = typeof reply.body === 'object' && reply.body !== null
    if (isRead || classify(reply).is !== 'ok') return reply
    const { status } = reply
    return new CrmError('busy', `${label} gave an answer that cannot be read. Push again in a few minutes.`, { status })
  }

/** The error of a call without a response: worth a retry, unless the address is not allowed or the time is up. */
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
    // A proxy's page, for instance; its status says enough.
    return null
  }
}

/** Seconds a `Retry-After` asks for, at most a minute. */
export function retryAfter(headers: ResponseHeaders): number | null {
  const seconds = Number([headers['retry-after']].flat()[0])
  return seconds > 0 ? Math.min(seconds, 60) : null
}

export function chunks<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** The vendor's words on one line, of a length a person reads. */
export function sentence(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  if (!text) return 'it did not say why.'
  return /[.!?]$/.test(text) ? text : `${text}.`
}
