import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isScoped, type Member } from '../member.ts'
import { clientOf } from './client-address.ts'
import { type Guesses, tooMany } from './guessing.ts'
import type { OperationConfig } from './operation.ts'
import type { RateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set for every request under /v1. */
    member: Member
  }
  interface FastifyContextConfig extends Partial<OperationConfig> {}
}

const MAX_KEY_LENGTH = 200

/** Knows who a key belongs to. */
export type Authenticator = {
  /** Whether the next `authenticate` is answered without a query. */
  knows: (key: string) => boolean
  /** Whether somebody may have chosen the key: one of ours has 256 random bits, and nobody guesses that. */
  isGuessable: (key: string) => boolean
  /** The member behind a key that is in force, or null. */
  authenticate: (key: string) => Promise<Member | null>
}

/** Refuses whoever has no valid key, too many requests, or no right to this call. */
export function authenticateWith(keys: Authenticator, limit: RateLimit, guesses: Guesses) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const header = request.headers.authorization
    const key = header && /^Bearer +(\S+) *$/i.exec(header)?.[1]
    const client = clientOf(request.ip)
    // Whoever guesses keys is stopped before a guess costs a query.
    if (key && !keys.knows(key)) limit.check(client, reply)
    if (key && keys.isGuessable(key) && !guesses.knows(client, key)) {
      const seconds = guesses.wait(client)
      if (seconds > 0) throw tooMany(seconds)
    }
    const member = key && key.length <= MAX_KEY_LENGTH ? await keys.authenticate(key) : null
    limit.take(member ? member.key_id : client, reply)
    if (!member) {
      if (key) guesses.wrong(client)
      const message = key
        ? 'This API key is unknown, revoked or expired.'
        : 'Send your API key as "Authorization: Bearer <key>".'
      throw new AppError('unauthenticated', message)
    }
    if (key && keys.isGuessable(key)) guesses.right(client, key)
    request.member = member
    if (member.read_only && request.method !== 'GET' && request.method !== 'HEAD') {
      throw new AppError('forbidden', 'This API key may only read.')
    }
    if (request.routeOptions.config.admin && member.role !== 'admin') {
      throw new AppError('forbidden', 'Only an admin may do this.')
    }
    if (request.routeOptions.config.shared && isScoped(member)) {
      throw new AppError('forbidden', 'Only members who see the whole workspace may do this.')
    }
  }
}
