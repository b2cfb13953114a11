import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { createConsolePage } from './console-page.ts'

const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url))

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** In order of preference, with the extension of the compressed file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Files under /assets/ have a content hash in their names, so they never change. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_AN_HOUR = 'public, max-age=3600'

/** Allows only files of this service; styles created at run time need the nonce of the page. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Sends the console's page, for any URL of the console. */
export type SendConsole = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Serves the built console in console/dist from memory. Returns the function that sends its page, which handles every URL of
 * the console; null when the console was not built.
 */
export function registerConsole(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): SendConsole | null {
  if (!existsSync(`${DIST}index.html`)) return null
  const fill = createConsolePage(app, DIST, config)
  const names = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((name) => TYPES[extname(name)])) {
    const plain = readFileSync(`${DIST}${name}`)
    const packed = ENCODINGS.flatMap(([encoding, ending]) =>
      names.includes(`${name}${ending}`) ? [{ encoding, bytes: readFileSync(`${DIST}${name}${ending}`) }] : [],
    )
    const headers = {
      'content-type': TYPES[extname(name)] as string,
      'cache-control': name.startsWith('assets/') ? FOR_EVER : FOR_AN_HOUR,
      vary: 'accept-encoding',
    }
    app.get(`/${name}`, { schema: { hide: true }, config: { headers } }, (request, reply) => {
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const found = packed.find(({ encoding }) => accepted.includes(encoding))
      if (found) reply.header('content-encoding', found.encoding)
      return reply.send(found?.bytes ?? plain)
    })
  }
  const send: SendConsole = async (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const { html, isPrivate } = await fill(request, nonce)
    return reply
      .code(200)
      .header('content-security-policy', policy(nonce))
      .header('cache-control', isPrivate ? 'private, no-store' : 'no-cache')
      .header('vary', 'cookie')
      .type('text/html; charset=utf-8')
      .send(html)
  }
  app.get('/', { schema: { hide: true } }, send)
  return send
}

/** Whether the request is a page load in a browser, not an API request. */
export function isPageRequest({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  return (
    method === 'GET' && !/^\/(v1|assets|docs)(\/|$|\?)/.test(url) && String(headers.accept ?? '').includes('text/html')
  )
}
