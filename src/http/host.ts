import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import { AppError } from '../shared/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under any name: for probes, which call by whatever name or address they know. */
    anyHost?: boolean
  }
}

/**
 * Refuses requests that came under a name that is not ours, where PUBLIC_URL or ALLOWED_HOSTS say which are. A page elsewhere can point
 * its own name at this machine (DNS rebinding) and then read what a browser here may read; it cannot do that with an
 * address or with localhost, so these stay open. X-Forwarded-Host is not believed: such a page can send it.
 */
export function checkHost({ PUBLIC_URL, ALLOWED_HOSTS }: Pick<Config, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>) {
  const named = [...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : []), ...ALLOWED_HOSTS]
  const names = named.length > 0 ? new Set(named) : null
  return (request: FastifyRequest): void => {
    if (!names || request.routeOptions.config.anyHost) return
    const name = nameIn(request.raw.headers.host)
    if (name !== null && (names.has(name) || isLocalName(name))) return
    const message =
      'This service is not reached under this name. Call it under its public address; a proxy in front must pass'
    throw new AppError('misdirected', `${message} Host on, or have its name listed in ALLOWED_HOSTS.`)
  }
}

/** Whether a Host header names an address or localhost: no page of another origin comes under these. */
export function isDirectHost(host: string | undefined): boolean {
  const name = nameIn(host)
  return name !== null && isLocalName(name)
}

function isLocalName(name: string): boolean {
  return ipaddr.isValid(name.replace(/^\[|\]$/g, '')) || /(^|\.)localhost$/.test(name)
}

/** The name in a Host header, without the port and the dot that ends a full name. */
function nameIn(host: string | undefined): string | null {
  return /^(\[[0-9a-f:.]+\]|[^:[\]]+?)\.?(:\d*)?$/.exec(host?.toLowerCase() ?? '')?.[1] ?? null
}
