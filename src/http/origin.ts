import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isDirectHost } from './host.ts'

type Address = Pick<Config, 'PUBLIC_URL'>

/**
 * Whose page made a browser send this: one of ours, one of another origin, or nobody says. Sec-Fetch-Site is the browser's
 * own word and cannot be set by a page; where it is missing (plain http beyond loopback, old browsers) Origin is compared.
 * Another port of the same machine is another origin, although cookies do not tell ports apart. `none` is a person who
 * typed an address, and nobody types a change.
 */
export function cameFrom(request: FastifyRequest, config: Address): 'here' | 'elsewhere' | 'unsaid' {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined) return site === 'same-origin' ? 'here' : 'elsewhere'
  if (origin === undefined) return 'unsaid'
  const ours = [originCalled(request), config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin]
  return ours.includes(origin) ? 'here' : 'elsewhere'
}

/**
 * Whether a page that is not ours made a browser send this, however its name was made to lead here (DNS rebinding). Programs
 * name no origin.
 */
export function isForeign(request: FastifyRequest, config: Address & Pick<Config, 'ALLOWED_HOSTS'>): boolean {
  const { PUBLIC_URL, ALLOWED_HOSTS } = config
  const { origin } = request.headers
  if (origin === undefined || (PUBLIC_URL && origin === new URL(PUBLIC_URL).origin)) return false
  // Where our names are known, checkHost has refused every other.
  const isOurName = PUBLIC_URL !== null || ALLOWED_HOSTS.size > 0 || isDirectHost(request.raw.headers.host)
  return !isOurName || origin !== originCalled(request)
}

/** The address a link leads to: what people use, or what this caller has used. */
export function addressOf(request: FastifyRequest, { PUBLIC_URL, PORT }: Address & Pick<Config, 'PORT'>): string {
  return PUBLIC_URL ?? originCalled(request) ?? `http://localhost:${PORT}`
}

/** By the Host header alone, and by the proxy's word for https where TRUST_PROXY believes it: see host.ts. */
function originCalled({ protocol, raw }: FastifyRequest): string | null {
  const url = `${protocol === 'https' ? 'https' : 'http'}://${raw.headers.host ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : null
}
