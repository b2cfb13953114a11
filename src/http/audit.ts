import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { figuresIn, keepAlive } from '../audit/record.ts'
import { type AuditedRecord, recordAt } from '../audit/records.ts'
import {
  type AuditResult,
  type AuditSource,
  type AuditTarget,
  beginChange,
  completeChange,
  findRejectedCredential,
  insertEntry,
  type OpenChange,
} from '../audit/store.ts'
import type { AuditPersonal } from '../db/audit-tables.ts'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { isId } from '../shared/ids.ts'
import { hashToken } from '../shared/tokens.ts'
import { readBearerToken } from './auth.ts'
import { wantsCsv } from './csv.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while the handler makes a change: its pending entry, its completion once begun, and what ends its reports. */
    audit: { change: OpenChange; completed: Promise<void> | null; stop: () => void } | null
  }
}

/** Marks calls that a tool of an agent makes in this process. The value is random, so that no caller can send it. */
export const AGENT_HEADER = { name: 'x-bellwether-agent', value: randomUUID() } as const

const MAX_USER_AGENT = 120
const UNPRINTABLE = /[^\x20-\x7e]/g

/** Where a request comes from, for the personal part of an entry. */
export function originOf({ ip, headers }: FastifyRequest): AuditPersonal {
  const agent = headers['user-agent']?.replaceAll(UNPRINTABLE, '').slice(0, MAX_USER_AGENT)
  return { ip, ...(agent ? { user_agent: agent } : {}) }
}

/** The same with the id of the request, for an entry that is made outside of the hooks of the API. */
export type RequestSource = { request_id: string; personal: AuditPersonal }
export const requestSource = (request: FastifyRequest): RequestSource => ({
  request_id: request.id,
  personal: originOf(request),
})

/**
 * Records every change, export and refusal of the API. A change is recorded before its handler runs, and completed before
 * its response is sent (docs/decisions/0038).
 */
export function auditHooks({ db }: Pick<Deps, 'db'>) {
  /** Begins the entry of a change. Registered after the Idempotency-Key: a replayed response changes nothing. */
  function preHandler(request: FastifyRequest, { raw }: FastifyReply, done: (error?: Error) => void): void {
    beginChange(db, sourceOf(request), actionOf(request), targetOf(request)).then((change) => {
      // An upload may take hours. After a disconnection, Fastify may not call onSend.
      const stop = keepAlive(db, change, () => raw.destroyed)
      request.audit = { change, completed: null, stop }
      done()
    }, done)
  }

  /** Completes the entry of a change; after an error the pending row stays, and is closed later. */
  async function complete(request: FastifyRequest, change: OpenChange, status: number, payload: unknown) {
    try {
      await completeChange(db, change, resultOf(request, change, status, payload))
    } catch (error) {
      logFailure(request, error)
    }
  }

  const logFailure = (request: FastifyRequest, error: unknown) =>
    request.log.error({ err: error }, 'an audit entry could not be written')

  /** Begins to complete the entry of a change that was made, while its response is serialized. */
  function preSerialization(
    request: FastifyRequest,
    { statusCode: status }: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void {
    const pending = request.audit
    if (pending && status < 400) {
      pending.completed = complete(request, pending.change, status, payload)
      // The statement is sent before the response is serialized.
      setImmediate(done, null, payload)
    } else done(null, payload)
  }

  /** Ends the entry of a change, or records an export or a refusal. */
  function onSend(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void {
    const { statusCode: status } = reply
    const pending = request.audit
    request.audit = null
    pending?.stop()
    if (pending) {
      // Not begun for an error, and for a file, which has no figures.
      const completed = pending.completed ?? complete(request, pending.change, status, status < 400 ? null : payload)
      completed.then(() => done(null, payload))
    } else if (status < 400 && isAuditedRead(request)) {
      insertEntry(db, sourceOf(request), actionOf(request), targetOf(request), { outcome: 'ok', status }).then(
        () => done(null, payload),
        done,
      )
    } else if (status === 401 || status === 403) {
      recordRefusal(db, request, actionOf(request), { status, error_code: errorCodeOf(payload) })
        .catch((error) => logFailure(request, error))
        .then(() => done(null, payload))
    } else done(null, payload)
  }

  return { preHandler, preSerialization, onSend }
}

/** Records a refusal of a known caller, or of one with a key or link that was valid once. */
export async function recordRefusal(
  db: Db,
  request: FastifyRequest,
  action: string,
  why: Pick<AuditResult, 'status' | 'error_code'>,
): Promise<void> {
  const result = { ...why, outcome: 'refused' } as const
  if (request.member) return insertEntry(db, sourceOf(request), action, targetOf(request), result)
  const token = request.routeOptions.config.open ? undefined : readBearerToken(request)
  const owner = token === undefined ? null : await findRejectedCredential(db, hashToken(token))
  if (owner === null) return
  const source = { ...owner, ...requestSource(request), actor: 'anonymous' } as const
  await insertEntry(db, source, action, targetOf(request), result)
}

/** Whether the operation changes something: it is recorded, whatever its outcome. */
export function isAuditedChange(method: string, config: { changesNothing?: boolean; open?: boolean }): boolean {
  return method !== 'GET' && method !== 'HEAD' && !config.changesNothing && !config.open
}

/** A file with records, or what the operation declares. */
function isAuditedRead(request: FastifyRequest): boolean {
  const { csv, audited } = request.routeOptions.config
  return audited === true || csv === 'only' || (csv === true && wantsCsv(request))
}

function sourceOf(request: FastifyRequest): AuditSource {
  const { workspace_id, id: member_id, key_id, session_id } = request.member
  const isAgent = request.headers[AGENT_HEADER.name] === AGENT_HEADER.value
  return {
    workspace_id,
    actor: isAgent ? 'agent' : session_id ? 'session' : 'key',
    member_id,
    key_id,
    session_id,
    ...requestSource(request),
  }
}

const actionOf = (request: FastifyRequest) => request.routeOptions.config.operationId ?? request.method

function targetOf(request: FastifyRequest): AuditTarget {
  const path = request.routeOptions.url?.replace(/^\/v1/, '') ?? ''
  const record = recordAt(path)
  const { key = 'id', own } = record ?? {}
  const params = (request.params ?? {}) as Record<string, string>
  const id = own ? request.member?.id : key === null ? undefined : params[key]
  return { record, id: id === undefined ? null : id.replaceAll(UNPRINTABLE, '').slice(0, MAX_USER_AGENT) }
}

/** `payload` is what the handler returned, or a serialized error. */
function resultOf(request: FastifyRequest, change: OpenChange, status: number, payload: unknown): AuditResult {
  if (status >= 400) {
    const outcome = status === 401 || status === 403 ? 'refused' : 'failed'
    return { outcome, status, error_code: errorCodeOf(payload) }
  }
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>
  const added_id = change.id === null && change.record ? addedId(change.record, fields) : null
  const details = {
    ...figuresIn({ ...change, id: change.id ?? added_id }, payload),
    ...recordedFields(request, fields),
  }
  return { outcome: 'ok', status, added_id, details }
}

/** More records than a bulk action accepts; of a larger push the number is enough. */
const MAX_IDS = 500

/** The fields of the body and of the response that the operation declares. */
function recordedFields({ routeOptions, body }: FastifyRequest, result: Record<string, unknown>) {
  const all = { ...(body as Record<string, unknown> | undefined), ...result }
  return Object.fromEntries(
    Object.entries(routeOptions.config.recorded ?? {}).flatMap(([name, kind]) => {
      const value = all[name]
      if (value === undefined || value === null) return []
      if (kind === 'value' || !Array.isArray(value)) return [[name, value]]
      return [[name, kind === 'ids' && value.length <= MAX_IDS ? value.filter(isId) : value.length]]
    }),
  )
}

function addedId({ key = 'id' }: AuditedRecord, fields: Record<string, unknown>): string | null {
  const id = key === null ? null : fields[key]
  return typeof id === 'string' ? id : null
}

/** The code in the body of an error. */
function errorCodeOf(payload: unknown): string | null {
  if (typeof payload !== 'string') return null
  const { error } = JSON.parse(payload) as { error?: { code?: string } }
  return error?.code ?? null
}
