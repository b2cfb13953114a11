import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers in place of the usual ones, such as the policy of a page. */
    headers?: Readonly<Record<string, string>>
  }
}

/** For data: nothing in it is ever run, shown in a frame, kept, or read by another site. */
const FOR_DATA = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // What holds private data is kept nowhere.
  'cache-control': 'no-store',
}

/** A year, which is what lists of such hosts ask for. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

/** The headers of every answer. */
export function securityHeaders({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Readonly<Record<string, string>> {
  return { ...FOR_DATA, ...(PUBLIC_URL?.startsWith('https:') ? HTTPS_ONLY : {}) }
}

/** Puts them on every answer. A route brings its own in `config.headers`, or sets them on its reply. */
export function registerHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const own = request.routeOptions.config?.headers
    reply.headers(own ? { ...headers, ...own } : headers).header('x-request-id', request.id)
    done()
  })
}
