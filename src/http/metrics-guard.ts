import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { AppError } from '../shared/errors.ts'
import type { AuthThrottle } from './auth-throttle.ts'
import { clientOf } from './client-address.ts'
import { isDirectHost } from './host.ts'

/** Set by whoever passes a request on. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Lets in who sends the token; without one set, only who is on this machine: the connection comes from it, nobody passed
 * the request on, and no page brought it along under a name of its own.
 */
export function guardMetrics(token: string | null, guesses: AuthThrottle) {
  return async (request: FastifyRequest): Promise<void> => {
    const { headers, socket } = request.raw
    if (token === null) {
      const isLocal = isLoopback(socket.remoteAddress) && isDirectHost(headers.host)
      if (isLocal && !PASSED_ON.some((name) => name in headers)) return
      throw new AppError(
        'forbidden',
        'Metrics are for this machine alone. Set METRICS_TOKEN to read them from elsewhere.',
      )
    }
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    const client = clientOf(request.ip)
    // One who guesses gets no answer about the guess; one who was right before is not kept out by their neighbours.
    if (given && (guesses.knows(client, given) || guesses.wait(client) === 0) && isSame(given, token)) {
      guesses.right(client, given)
      return
    }
    if (given) guesses.wrong(client)
    throw new AppError('unauthenticated', 'Send METRICS_TOKEN as "Authorization: Bearer <token>".')
  }
}

function isLoopback(address = ''): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** Takes the same time for every guess. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
