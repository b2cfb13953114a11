import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { AppError } from '../shared/errors.ts'
import type { AuthThrottle } from './auth-throttle.ts'
import { clientKey } from './client-address.ts'
import { isDirectHost } from './host.ts'

/** Headers that a proxy sets. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Accepts requests with the token. Without a configured token it accepts only requests from this machine: from a loopback
 * address, not through a proxy, and with a Host header that DNS rebinding cannot use.
 */
export function guardMetrics(token: string | null, guesses: AuthThrottle) {
  return async (request: FastifyRequest): Promise<void> => {
    const { headers, socket } = request.raw
    if (token === null) {
      const isLocal = isLoopback(socket.remoteAddress) && isDirectHost(headers.host)
      if (isLocal && !PROXY_HEADERS.some((name) => name in headers)) return
      throw new AppError(
        'forbidden',
        'Metrics are available only on this machine. Set METRICS_TOKEN to read them from other hosts.',
      )
    }
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    const client = clientKey(request.ip)
    // A throttled guess is not checked; a caller that was valid before is not affected by others at the same address.
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

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
