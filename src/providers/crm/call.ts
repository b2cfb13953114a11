import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundError } from '../../outbound/errors.ts'
import type { ResponseHeaders } from '../../outbound/exchange.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { type CrmAccess, CrmError, type CrmErrorKind } from './types.ts'

export type Reply = { status: number; headers: ResponseHeaders; body: unknown }

/** What an answer means: `fine` is for whoever asked, `wait` for another attempt, `expired` for another token. */
export type Verdict =
  | { is: 'fine' }
  | { is: 'expired' }
  | { is: 'wait'; seconds: number; message: string }
  | { is: 'error'; kind: CrmErrorKind; message: string }

export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  json?: unknown
  pace: Pace
  judge: (reply: Reply) => Verdict
  label: string
}

/** Attempts at a vendor that asks to wait, and at one that does not answer. */
const MAX_WAITS = 8
const MAX_FAILURES = 3
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
const TIMEOUTS = { headers: 30_000, body: 30_000, total: 45_000 }

/** Makes one call to a CRM: waits where it asks to wait, and takes another token where one has expired. Throws CrmError. */
export async function callCrm(access: CrmAccess, call: Call): Promise<Reply> {
  const { session, signal } = access
  let renewed = false
  let waits = 0
  let failures = 0
  let token = await session.token()
  for (;;) {
    const reply = await send(access, call, token).then(readable(call), (error: unknown) => failed(error, call.label))
    const verdict: Verdict =
      reply instanceof CrmError ? { is: 'wait', seconds: 1, message: reply.message } : call.judge(reply)
    if (verdict.is === 'fine') return reply as Reply
    const { status } = reply
    if (verdict.is === 'error') throw new CrmError(verdict.kind, verdict.message, { status })
    if (verdict.is === 'expired') {
      if (renewed)
        throw new CrmError('auth', `${call.label} does not accept the connection. Connect it again.`, { status })
      renewed = true
      token = await session.renew(token)
      continue
    }
    const given = reply instanceof CrmError ? ++failures >= MAX_FAILURES : ++waits >= MAX_WAITS
    if (given || signal.aborted) throw new CrmError('busy', verdict.message, { status })
    // A little earlier or later, so that calls which failed together do not come back together.
    await sleep(verdict.seconds * (800 + Math.random() * 400), undefined, { signal }).catch((cause) => {
      throw new CrmError('busy', verdict.message, { status, cause })
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

/** Success that nobody can read, such as a proxy's page or half an answer, is none. */
const readable =
  ({ judge, label }: Call) =>
  (reply: Reply): Reply | CrmError => {
    const isRead = typeof reply.body === 'object' && reply.body !== null
    if (isRead || judge(reply).is !== 'fine') return reply
    const { status } = reply
    return new CrmError('busy', `${label} gave an answer that cannot be read. Push again in a few minutes.`, { status })
  }

/** No answer: worth another attempt, unless the address itself is out of bounds. */
function failed(error: unknown, label: string): CrmError {
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
    return JSON.parse(text)
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
