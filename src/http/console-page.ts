import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { sessionCookie } from './cookies.ts'

/** Data that takes longer is left out of the page, and the console requests it. */
const MAX_WAIT_MS = 1_000

const NONCE_AT = '<meta name="style-nonce" content="'

type Page = {
  path: RegExp
  /** The module that the router of the console loads for the page; Today is in the initial files. */
  module?: string
  /** The first request of the page without search parameters, exactly as the console sends it. */
  reads?: string
}

/** The pages whose code and data are sent with the first response. Others work as well, with more requests in sequence. */
const PAGES: readonly Page[] = [
  { path: /^\/$/, reads: '/v1/work-items?view=queue&state=open&per_page=25&page=1' },
  { path: /^\/accounts$/, module: 'src/pages/accounts/Accounts.tsx', reads: '/v1/accounts?page=1&per_page=50' },
  { path: /^\/accounts\/[0-9a-f-]{36}$/, module: 'src/pages/account/Account.tsx' },
  { path: /^\/findings$/, module: 'src/pages/findings/FindingsPage.tsx' },
  { path: /^\/suggested$/, module: 'src/pages/suggested/Suggested.tsx' },
  { path: /^\/people(\/|$)/, module: 'src/pages/people/People.tsx' },
  { path: /^\/signals(\/|$)/, module: 'src/pages/signals/Signals.tsx' },
  { path: /^\/deliveries(\/|$)/, module: 'src/pages/deliveries/Deliveries.tsx' },
]
const SIGN_IN = 'src/pages/sign-in/SignIn.tsx'
const ME = '/v1/me'

/** The part that is used of Vite's manifest. */
type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

export type ConsolePage = { html: string; isPrivate: boolean }

/**
 * The page of the console in `dist`. With a session it contains the responses to the first requests of the page, which are made
 * in this process with the headers of the browser, so that they have the rights, the limits and the log of any other request.
 */
export function createConsolePage(app: FastifyInstance, dist: string, config: Pick<Config, 'PUBLIC_URL'>) {
  const [toNonce = '', afterNonce = ''] = readFileSync(`${dist}index.html`, 'utf8').split(NONCE_AT)
  const [toLinks = '', toData = '', end = ''] = afterNonce.split(/(?=<\/head>)|(?=<\/body>)/)
  const manifest: Manifest = JSON.parse(readFileSync(`${dist}manifest.json`, 'utf8'))
  const modules = [SIGN_IN, ...PAGES.flatMap(({ module }) => module ?? [])]
  const links = new Map(modules.map((module) => [module, linksTo(manifest, module)]))
  const cookie = sessionCookie(config)

  async function read(request: FastifyRequest, url: string, signal: AbortSignal): Promise<string | null> {
    const { 'if-none-match': _, ...headers } = request.headers
    const response = await app.inject({
      url,
      headers: { ...headers, accept: 'application/json', 'x-request-id': request.id },
      remoteAddress: request.socket.remoteAddress ?? request.ip,
      signal,
    })
    return response.statusCode === 200 ? response.payload : null
  }

  async function readFirst(request: FastifyRequest, reads: string[]): Promise<string> {
    const signal = AbortSignal.timeout(MAX_WAIT_MS)
    const responses = await Promise.all(
      reads.map((url) =>
        read(request, url, signal).catch((err: unknown) => {
          request.log.warn({ err, url }, 'the page of the console is sent without this data')
          return null
        }),
      ),
    )
    // Without the member the session has ended.
    if (responses[0] === null) return ''
    return reads.map((url, at) => dataElement(url, responses[at] ?? null)).join('')
  }

  return async (request: FastifyRequest, nonce: string): Promise<ConsolePage> => {
    const [path = '/', search] = request.url.split('?', 2)
    const page = PAGES.find((page) => page.path.test(path))
    const isPrivate = cookie.read(request.headers.cookie).length > 0
    const reads = page?.reads && search === undefined ? [ME, page.reads] : [ME]
    const data = isPrivate ? await readFirst(request, reads) : ''
    const html = [
      toNonce,
      NONCE_AT,
      nonce,
      toLinks,
      links.get((data ? page?.module : SIGN_IN) ?? '') ?? '',
      toData,
      data,
      end,
    ]
    return { html: html.join(''), isPrivate }
  }
}

/** Links to the files of a lazily loaded module, so that they load together with the initial files. */
function linksTo(manifest: Manifest, module: string): string {
  if (!manifest[module]) throw new Error(`The console has no ${module}. Build it again: npm run build`)
  const seen = new Set(['index.html'])
  // Imports first: their styles are overridden by those of the page.
  const chunksOf = (key: string): Chunk[] => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return []
    seen.add(key)
    return [...(chunk.imports ?? []).flatMap(chunksOf), chunk]
  }
  const chunks = chunksOf(module)
  return [
    ...chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...new Set(
      chunks.flatMap(({ css = [] }) => css.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)),
    ),
  ].join('')
}

/** A response as an element that browsers do not execute. In JSON these characters occur only in strings. */
function dataElement(url: string, json: string | null): string {
  if (json === null) return ''
  const escaped = json.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `<script type="application/json" data-url="${url.replaceAll('&', '&amp;')}">${escaped}</script>`
}
