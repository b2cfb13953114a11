import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps/deps.ts'
import { definePurge } from '../jobs/purge.ts'
import { AppError } from '../shared/errors.ts'
import { NIL_ID, newId } from '../shared/ids.ts'
import { viewerOf } from '../shared/member.ts'
import {
  claimKey,
  listResponses,
  purgeExpiredKeys,
  releaseKey,
  replaceResponse,
  seesAll,
  storeResponse,
} from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request is the one that does the work of its Idempotency-Key. */
    idempotency: { key: string; claim: string; hash: Buffer } | null
  }
}

/** How long a second request waits for the response of the first. */
const WAIT_MS = 150_000
const KEY = /^[\x21-\x7e]{1,255}$/
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/**
 * Executes a POST with an Idempotency-Key once: the first request does the work, every other one with the same key and body
 * gets its response, also while the first is still running. Keys are per member, so a response is never replayed to another
 * member. Rights may have been revoked since, so a response with people is replayed only if the member still sees all of
 * them. The rights to the call are checked before (`allow` in operation.ts).
 */
export function idempotencyHooks({ db, secrets }: Pick<Deps, 'db' | 'secrets'>) {
  // With callbacks, so that requests without a key, nearly all, stay synchronous.
  function preHandler(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const key = request.headers['idempotency-key']
    const { changesNothing, open } = request.routeOptions.config
    if (key === undefined || changesNothing || open) done()
    else take(request, reply, key).then((isTaken) => isTaken && done(), done)
  }

  /** Whether this request has to do the work; otherwise the stored response was sent. */
  async function take(request: FastifyRequest, reply: FastifyReply, key: string | string[]): Promise<boolean> {
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 printable characters without spaces.')
    }
    const hash = fingerprint(request)
    const claim = newId()
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(50)) {
      const kept = await claimKey(db, request.member, { key, claim, hash })
      if (kept === 'taken') {
        request.idempotency = { key, claim, hash }
        return true
      }
      if (!kept.request_hash.equals(hash)) {
        const message = 'This Idempotency-Key was used for another request. Use a new key for a new request.'
        throw new AppError('idempotency_key_reused', message)
      }
      if (kept.status !== null && kept.answer_sealed) {
        if (!(await seesAll(db, viewerOf(request.member), kept.people))) {
          throw new AppError('forbidden', 'This response contains people you can no longer see.')
        }
        reply.header('idempotent-replayed', 'true').code(kept.status).type('application/json; charset=utf-8')
        const { workspace_id, id } = request.member
        reply.send(secrets.open(kept.answer_sealed, 'idempotency_keys.answer', workspace_id, id, key))
        return false
      }
      // The caller has disconnected, or the service stops.
      if (request.raw.socket.destroyed || !request.server.server.listening) break
    }
    const message = 'The first request with this Idempotency-Key is still running. Try again later.'
    throw new AppError('unavailable', message, { retryAfter: 10 })
  }

  /** Stores the response; one that does not depend on the request (5xx, 429) releases the key instead. */
  function onSend(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void {
    const held = request.idempotency
    request.idempotency = null
    if (held) keep(request, reply, payload, held).then(() => done(null, payload))
    else done(null, payload)
  }

  async function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    { key, claim }: { key: string; claim: string },
  ): Promise<void> {
    const { workspace_id, id: member_id } = request.member
    const where = { workspace_id, member_id, key, claim }
    try {
      if (reply.statusCode >= 500 || reply.statusCode === 429 || typeof payload !== 'string')
        await releaseKey(db, where)
      else {
        const answer_sealed = secrets.seal(payload, 'idempotency_keys.answer', workspace_id, member_id, key)
        const ids = [...new Set(payload.match(ID))]
        await storeResponse(db, where, viewerOf(request.member), { status: reply.statusCode, answer_sealed, ids })
      }
    } catch (error) {
      // The caller gets the response even if it could not be stored for a retry.
      request.log.error({ err: error }, 'a response could not be stored for its Idempotency-Key')
    }
  }

  return { preHandler, onSend }
}

/**
 * An id for what the request creates, which a repeat with the same Idempotency-Key and body has too: the key is released after
 * an error, but a lost connection to the database may hide that the work was committed. Null without a key.
 */
export function idOfWork({ idempotency, member }: FastifyRequest): string | null {
  if (!idempotency) return null
  const { workspace_id, id } = member
  const name = createHash('sha256').update(`${workspace_id} ${id} ${idempotency.key}\n`).update(idempotency.hash)
  // The version and variant of a UUID with custom content (RFC 9562).
  const digits = name
    .digest('hex')
    .replace(/^(.{12})./, '$18')
    .replace(/^(.{16})./, '$1a')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

function fingerprint(request: FastifyRequest): Buffer {
  const { body, headers } = request
  // A streamed body is identified by its type and size only.
  const known = body instanceof Readable ? [headers['content-type'], headers['content-length']] : (body ?? null)
  return createHash('sha256').update(`${request.method} ${request.url}\n`).update(JSON.stringify(known)).digest()
}

const BATCH = 100

/** Rewrites the stored responses of a workspace in batches. `rewrite` returns them in the same order. */
export async function rewriteStoredResponses(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  rewrite: (answers: string[]) => Promise<string[]>,
): Promise<void> {
  for (let after = { member_id: NIL_ID, key: '' }; ; ) {
    const kept = await listResponses(db, workspaceId, after, BATCH)
    const texts = kept.map(({ member_id, key, answer_sealed }) =>
      secrets.open(answer_sealed, 'idempotency_keys.answer', workspaceId, member_id, key),
    )
    const others = kept.length > 0 ? await rewrite(texts) : []
    for (const [at, { member_id, key, claim }] of kept.entries()) {
      const text = others[at]
      if (text === undefined || text === texts[at]) continue
      const sealed = secrets.seal(text, 'idempotency_keys.answer', workspaceId, member_id, key)
      await replaceResponse(db, { workspace_id: workspaceId, member_id, key, claim }, sealed)
    }
    const last = kept.at(-1)
    if (!last || kept.length < BATCH) return
    after = last
  }
}

/** Deletes expired keys. */
export const purgeIdempotencyKeys = definePurge('purge-idempotency-keys', 17, () => ({
  'kept answers': purgeExpiredKeys,
}))
