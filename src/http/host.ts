import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import { AppError } from '../shared/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts any Host header: for probes, which may use any name or address. */
    anyHost?: boolean
  }
}

/**
 * Rejects requests whose Host header is not a name in PUBLIC_URL or ALLOWED_HOSTS, if any is set. This prevents DNS
 * rebinding, where another site points its name at this machine to read what a browser here may read. That is not possible
 * with an IP address or localhost, so these are accepted. X-Forwarded-Host is ignored, because such a page can send it.
 */
export function checkHost({ PUBLIC_URL, ALLOWED_HOSTS }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>) {
  const named = [...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : []), ...ALLOWED_HOSTS]
  const names = named.length > 0 ? new Set(named) : null
  return (request: FastifyRequest): void => {
    if (!names || request.routeOptions.config.anyHost) return
    const name = nameIn(request.raw.headers.host)
    if (name !== null && (names.has(name) || isLocalName(name))) return
    const message =
      'The Host header does not name this service. Call it at its public address. If a proxy is in front, let it forward'
    throw new AppError('misdirected', `${message} the Host header, or add its name to ALLOWED_HOSTS.`)
  }
}

/** Whether a Host header is an IP address or localhost, which DNS rebinding cannot use. */
export function isDirectHost(host: string | undefined): boolean {
  const name = nameIn(host)
  return name !== null && isLocalName(name)
}

function isLocalName(name: string): boolean {
  return ipaddr.isValid(name.replace(/^\[|\]$/g, '')) || /(^|\.)localhost$/.test(name)
}

/** The name in a Host header, without the port and the trailing dot. */
function nameIn(host: string | undefined): string | null {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+?)\.?(:\d*)?$/.exec(host?.toLowerCase() ?? '')?.[1] ?? null
}
