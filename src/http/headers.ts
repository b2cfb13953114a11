import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers that override the default ones, such as the content security policy of a page. */
    headers?: Readonly<Record<string, string>>
  }
}

/** For API responses: no scripts, frames, caching or reading by other sites. */
const FOR_DATA = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // Responses contain private data.
  'cache-control': 'no-store',
}

/** One year, the minimum for HSTS preload lists. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

/** The default headers of every response. */
export function securityHeaders({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Readonly<Record<string, string>> {
  return { ...FOR_DATA, ...(PUBLIC_URL?.startsWith('https:') ? HTTPS_ONLY : {}) }
}

/** Adds them to every response. A route overrides them in `config.headers` or on its reply. */
export function registerHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const own = request.routeOptions.config?.headers
    reply.headers(own ? { ...headers, ...own } : headers).header('x-request-id', request.id)
    done()
  })
}
