import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps/deps.ts'
import { AppError } from '../shared/errors.ts'
import { isScoped, type Member } from '../shared/member.ts'
import type { AuthAttempt, AuthThrottle } from './auth-throttle.ts'
import { clientKey } from './client-address.ts'
import { sessionCookie } from './cookies.ts'
import { addressNotAllowed, isAllowedAddress, requireAllowedOperation } from './key-limits.ts'
import type { OperationConfig } from './operation.ts'
import { classifyOrigin } from './origin.ts'
import type { RateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set for every request under /v1 except to open operations. */
    member: Member
    /** For open operations: checks a secret that the caller sent, throttled against guessing. */
    attempt: AuthAttempt
  }
  interface FastifyContextConfig extends Partial<OperationConfig> {}
  interface FastifyInstance {
    /** The operations of the API, by which a key can be restricted. */
    operationIds: ReadonlySet<string>
  }
}

const MAX_KEY_LENGTH = 200

type Parts = Pick<Deps, 'keys' | 'config'>

/** Authenticates callers by their API keys; each call counts one request. */
export function createKeyAuthenticator({ keys }: Pick<Parts, 'keys'>, limit: RateLimit, guesses: AuthThrottle) {
  return (request: FastifyRequest, reply: FastifyReply): Member | Promise<Member> => {
    const secret = readBearerToken(request)
    const client = clientKey(request.ip)
    if (!secret) {
      limit.take(client, reply)
      throw new AppError('unauthenticated', 'Send your API key as "Authorization: Bearer <key>".')
    }
    const known = keys.recall({ kind: 'key', secret })
    // The path of nearly every request: synchronous, without a query.
    if (known) {
      if (keys.isGuessable(secret)) guesses.pass(client, secret)
      countCall(limit, known, request, reply)
      return known
    }
    // A caller that guesses keys is rejected before a guess costs a query.
    if (known === undefined) limit.check(client, reply)
    return lookUp(request, secret, reply)
  }

  async function lookUp(request: FastifyRequest, secret: string, reply: FastifyReply): Promise<Member> {
    const client = clientKey(request.ip)
    const member = await guesses.attempt(client, secret, keys.isGuessable(secret), async () => {
      const found =
        secret.length <= MAX_KEY_LENGTH ? await keys.authenticate({ kind: 'key', secret }, request.ip) : null
      if (found) countCall(limit, found, request, reply)
      else limit.take(client, reply)
      return found
    })
    if (!member) throw new AppError('unauthenticated', 'This API key is unknown, revoked or expired.')
    return member
  }
}

/** The bearer token of a request, not yet checked. */
export function readBearerToken({ headers }: FastifyRequest): string | undefined {
  return headers.authorization && /^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1]
}

/**
 * Rejects requests without a valid key or session, over the rate limit, or without the right to this call; and requests with
 * a session that a page of another origin made the browser send (docs/decisions/0017).
 */
export function createAuthenticateHook(parts: Parts, limit: RateLimit, guesses: AuthThrottle) {
  const { keys, config } = parts
  const cookie = sessionCookie(config)
  const byKey = createKeyAuthenticator(parts, limit, guesses)

  /** An invalid token does not count as a guess, because it cannot be guessed: it is an ended session. */
  async function bySession(request: FastifyRequest, reply: FastifyReply, tokens: string[]): Promise<Member> {
    const client = clientKey(request.ip)
    const [secret = '', second] = tokens
    if (second !== undefined) {
      limit.take(client, reply)
      const message = 'The browser sent two session cookies. Delete the cookies of this site, then sign in again.'
      throw new AppError('unauthenticated', message)
    }
    if (keys.recall({ kind: 'session', secret }) === undefined) limit.check(client, reply)
    const member = await keys.authenticate({ kind: 'session', secret }, request.ip)
    if (!member) {
      limit.take(client, reply)
      throw new AppError('unauthenticated', 'This session has ended. Sign in again.')
    }
    countCall(limit, member, request, reply)
    if (!isRead(request) && classifyOrigin(request, config) !== 'here') {
      // For the audit log, which records the refusal.
      request.member = member
      const message =
        'A browser session can only make changes from the pages of this service. From elsewhere, use an API key. Behind a proxy, set PUBLIC_URL to the address that people open.'
      throw new AppError('forbidden', message)
    }
    return member
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (request.routeOptions.config.open) {
      const client = clientKey(request.ip)
      limit.take(client, reply)
      // Prevents login CSRF: a page of another origin could sign the browser in as another member.
      if (classifyOrigin(request, config) === 'elsewhere') {
        throw new AppError('forbidden', 'Sign in from a page of this service; behind a proxy, set PUBLIC_URL.')
      }
      request.attempt = (secret, isGuessable, find) => guesses.attempt(client, secret, isGuessable, find)
      done()
      return
    }
    const { authorization, cookie: sent } = request.headers
    const tokens = authorization === undefined ? cookie.read(sent) : []
    const member = tokens.length === 0 ? byKey(request, reply) : bySession(request, reply, tokens)
    if (member instanceof Promise) {
      member.then((found) => admit(request, found)).then(() => done(), done)
      return
    }
    admit(request, member)
    done()
  }
}

/** Counts a call of the member; from an address that the key does not allow, one of the address, which throws forbidden. */
function countCall(limit: RateLimit, member: Member, request: FastifyRequest, reply: FastifyReply): void {
  if (isAllowedAddress(member, request.ip)) {
    limit.take(rateLimitKey(member), reply)
    return
  }
  limit.take(clientKey(request.ip), reply)
  // For the audit log, which records the refusal.
  request.member = member
  throw addressNotAllowed(request.ip)
}

/** Rejects a member without the right to this call. */
function admit(request: FastifyRequest, member: Member): void {
  const { self, admin, shared, operationId } = request.routeOptions.config
  request.member = member
  requireAllowedOperation(member, operationId)
  if (member.read_only && !isRead(request) && !self) {
    throw new AppError('forbidden', 'This API key may only read.')
  }
  if (admin && member.role !== 'admin') {
    throw new AppError('forbidden', 'Only an admin may do this, with a key whose scope is admin.')
  }
  if (shared && isScoped(member)) {
    throw new AppError('forbidden', 'Only members who see the whole workspace may do this.')
  }
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Sessions opened with a key share the limit of the key; other sessions share one limit per member. */
export const rateLimitKey = ({ key_id, id }: Member): string => key_id ?? id
