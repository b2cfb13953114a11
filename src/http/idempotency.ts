import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import { defineJob } from '../jobs/define.ts'
import type { Member } from '../member.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request is the one that does the work of its Idempotency-Key. */
    idempotency: { key: string; claim: string } | null
  }
}

/** A request that was killed in mid-work gives its key free after this; longer than any call may take. */
const LEASE_SECONDS = 180
/** How long a second request waits for the first one's answer. */
const WAIT_MS = 150_000
const KEEP_HOURS = 24
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
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(50)) {
      const kept = await take(db, request.member, { key, claim, hash })
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
      if (reply.statusCode >= 500 || reply.statusCode === 429 || typeof payload !== 'string') await release(db, where)
      else await keep(db, where, reply.statusCode, secrets.seal(payload, purpose(request.member, held.key)))
    } catch (error) {
      // The work is done or refused: the caller gets the true answer, even if it could not be kept for a repeat.
      request.log.error({ err: error }, 'an answer could not be kept for its Idempotency-Key')
    }
    return payload
  }

  return { preHandler, onSend }
}

function fingerprint(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(request.body ?? null))
    .digest()
}

/** The claim fences: a request that outlived its lease no longer touches what the next one has taken. */
type Where = { workspace_id: string; member_id: string; key: string; claim: string }

type Wanted = { key: string; claim: string; hash: Buffer }

/** Takes the key for this request, or answers what is kept under it. One statement: two requests cannot both take it. */
async function take(db: Db, { workspace_id, id }: Member, { key, claim, hash: request_hash }: Wanted) {
  const lease = sql<string>`now() + make_interval(secs => ${LEASE_SECONDS})`
  const free = sql<boolean>`idempotency_keys.created_at < now() - make_interval(hours => ${KEEP_HOURS})
    or (idempotency_keys.status is null and idempotency_keys.lease_until < now())`
  const { rows } = await sql`
    insert into idempotency_keys (workspace_id, member_id, key, request_hash, claim, lease_until)
    values (${workspace_id}, ${id}, ${key}, ${request_hash}, ${claim}, ${lease})
    on conflict (workspace_id, member_id, key) do update
      set request_hash = excluded.request_hash, claim = excluded.claim, lease_until = excluded.lease_until,
          status = null, answer_sealed = null, created_at = now()
      where ${free}
    returning 1`.execute(db)
  if (rows.length > 0) return 'taken'
  const kept = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer_sealed'])
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  // Given free between the two statements: try again.
  return kept ?? { request_hash, status: null, answer_sealed: null }
}

function release(db: Db, { workspace_id, member_id, key, claim }: Where) {
  return db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

function keep(db: Db, { workspace_id, member_id, key, claim }: Where, status: number, answer_sealed: Buffer) {
  return db
    .updateTable('idempotency_keys')
    .set({ status, answer_sealed })
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

/** Removes answers that are no longer kept. */
export const purgeIdempotencyKeys = defineJob({
  name: 'purge-idempotency-keys',
  schedule: '17 * * * *',
  async run({ db }) {
    await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEEP_HOURS})`.execute(db)
  },
})
