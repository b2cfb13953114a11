import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import { defineJob } from '../jobs/define.ts'
import type { Member } from '../member.ts'
import { keepAnswer, purgeKeys, releaseKey, takeKey } from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request is the one that does the work of its Idempotency-Key. */
    idempotency: { key: string; claim: string } | null
  }
}

/** How long a second request waits for the first one's answer. */
const WAIT_MS = 150_000
const KEY = /^[\x21-\x7e]{1,255}$/

const purpose = (member: Member, key: string) => `idempotency_keys.answer ${member.workspace_id} ${member.id} ${key}`

/**
 * Makes a POST with an Idempotency-Key happen once: the first request does the work, every other one with the same
 * key and body gets its answer, also while the first is still running. Keys belong to a member, so nobody is answered
 * with what another member may see.
 */
export function idempotencyHooks({ db, secrets }: Pick<Deps, 'db' | 'secrets'>) {
  async function preHandler(request: FastifyRequest, reply: FastifyReply) {
    const key = request.headers['idempotency-key']
    if (key === undefined) return
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 printable characters without spaces.')
    }
    const hash = fingerprint(request)
    const claim = newId()
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(50)) {
      const kept = await takeKey(db, request.member, { key, claim, hash })
      if (kept === 'taken') {
        request.idempotency = { key, claim }
        return
      }
      if (!kept.request_hash.equals(hash)) {
        const message = 'This Idempotency-Key was used for another request. Use a new key for a new request.'
        throw new AppError('idempotency_key_reused', message)
      }
      if (kept.status !== null && kept.answer_sealed) {
        reply.header('idempotent-replayed', 'true').code(kept.status).type('application/json; charset=utf-8')
        return reply.send(secrets.open(kept.answer_sealed, purpose(request.member, key)))
      }
      // Nobody waits for the answer any more, or the service stops.
      if (request.raw.socket.destroyed || !request.server.server.listening) break
    }
    const message = 'The first request with this Idempotency-Key is still running. Try again later.'
    throw new AppError('unavailable', message, { retryAfter: 10 })
  }

  /** Keeps the answer; one that says nothing about the request itself (5xx, 429) gives the key free instead. */
  async function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const held = request.idempotency
    if (!held) return payload
    request.idempotency = null
    const { workspace_id, id: member_id } = request.member
    const where = { workspace_id, member_id, ...held }
    try {
      if (reply.statusCode >= 500 || reply.statusCode === 429 || typeof payload !== 'string')
        await releaseKey(db, where)
      else await keepAnswer(db, where, reply.statusCode, secrets.seal(payload, purpose(request.member, held.key)))
    } catch (error) {
      // The work is done or refused: the caller gets the true answer, even if it could not be kept for a repeat.
      request.log.error({ err: error }, 'an answer could not be kept for its Idempotency-Key')
    }
    return payload
  }

  return { preHandler, onSend }
}

function fingerprint(request: FastifyRequest): Buffer {
  const { body, headers } = request
  // A body that is handed on as it comes is known by its kind and size alone.
  const known = body instanceof Readable ? [headers['content-type'], headers['content-length']] : (body ?? null)
  return createHash('sha256').update(`${request.method} ${request.url}\n`).update(JSON.stringify(known)).digest()
}

/** Removes answers that are no longer kept. */
export const purgeIdempotencyKeys = defineJob({
  name: 'purge-idempotency-keys',
  schedule: '17 * * * *',
  run: ({ db }) => purgeKeys(db),
})
