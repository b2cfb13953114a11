import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isDirectHost } from './host.ts'

type Address = Pick<Config, 'PUBLIC_URL'>

/**
 * The origin of the page that made a browser send the request: this service, another origin, or unknown. The browser sets
 * Sec-Fetch-Site and a page cannot change it; where it is missing (plain http beyond loopback, old browsers) Origin is
 * compared. Another port of the same host is another origin, although it shares cookies. `Sec-Fetch-Site: none` is a typed
 * URL, which is never a change, so it counts as another origin.
 */
export function classifyOrigin(request: FastifyRequest, config: Address): 'here' | 'elsewhere' | 'unsaid' {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined) return site === 'same-origin' ? 'here' : 'elsewhere'
  if (origin === undefined) return 'unsaid'
  const ours = [originCalled(request), config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin]
  return ours.includes(origin) ? 'here' : 'elsewhere'
}

/**
 * Whether a page of another origin made a browser send the request, including DNS rebinding. Requests of programs have no
 * Origin header.
 */
export function isCrossOrigin(request: FastifyRequest, config: Address & Pick<Config, 'ALLOWED_HOSTS'>): boolean {
  const { PUBLIC_URL, ALLOWED_HOSTS } = config
  const { origin } = request.headers
  if (origin === undefined || (PUBLIC_URL && origin === new URL(PUBLIC_URL).origin)) return false
  // With configured names, checkHost has rejected all others.
  const isOurName = PUBLIC_URL !== null || ALLOWED_HOSTS.size > 0 || isDirectHost(request.raw.headers.host)
  return !isOurName || origin !== originCalled(request)
}

/** The base URL for links: PUBLIC_URL, or the URL of this request. */
export function baseUrl(request: FastifyRequest, { PUBLIC_URL, PORT }: Address & Pick<Config, 'PORT'>): string {
  return PUBLIC_URL ?? originCalled(request) ?? `http://localhost:${PORT}`
}

/** From the Host header only (see host.ts), with https if a proxy trusted by TRUST_PROXY reports it. */
function originCalled({ protocol, raw }: FastifyRequest): string | null {
  const url = `${protocol === 'https' ? 'https' : 'http'}://${raw.headers.host ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : null
}
