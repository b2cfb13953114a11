import type { Logger } from 'pino'
import { decodeText } from '../engine/text/decode.ts'
import { AppError } from '../shared/errors.ts'
import type { Agents } from './agents.ts'
import { Breaker, type BreakerOptions } from './breaker.ts'
import { type Clock, systemClock } from './clock.ts'
import type { ConnectTo } from './connector.ts'
import { ACCEPT_ENCODING, decode, isEncoded } from './decode.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { type Limits, type RawResponse, type ResponseHeaders, sendRequest, type Timeouts } from './exchange.ts'
import { createFetch, discard, type OpenedResponse, openResponseStream } from './fetch.ts'
import { type Converse, createConverse } from './line-connection.ts'
import { cacheLookup, type Lookup, systemLookup } from './lookup.ts'
import { createMxResolver, createTxtResolver, type ResolveMx, type ResolveTxt } from './mx.ts'
import { type Pace, Pacing } from './pacing.ts'
import { isRedirect, MAX_REDIRECTS, nextHop, type RedirectHop } from './redirects.ts'
import { readRetryAfter } from './response-headers.ts'
import { UrlPolicy } from './url-policy.ts'

export type OutboundOptions = {
  /** Exact host:port pairs that may be private or plain http. */
  allow: ReadonlySet<string>
  log: Logger
  /** Connects to other addresses for these hosts: development and tests. */
  connectTo?: ConnectTo
  /** Certificate authorities in addition to the default ones, as PEM. */
  ca?: string | null
  lookup?: Lookup
  /** The name server for MX and TXT records; the system's unless given. */
  dnsServer?: string | null
  clock?: Clock
  breaker?: Partial<BreakerOptions>
  /** An email address or URL in the User-Agent, so that site owners can contact the operator. */
  contact?: string | null
  connectTimeout?: number
  /** Maximum number of connections to one host. */
  connections?: number
}

export type RequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | null
  /**
   * `refuse` returns the 3xx response; `follow` follows at most five redirects and checks each URL. A function is called
   * before a URL is followed to, and returns whether to do so; if not, the 3xx response is returned.
   */
  redirects: 'refuse' | 'follow' | ((url: URL) => Promise<boolean>)
  timeouts?: Partial<Timeouts>
  maxBytes?: number
  overflow?: Limits['overflow']
  signal?: AbortSignal
  pace?: Pace
  /** False for the last request to a host, so that crawling thousands of hosts does not hold a connection to each. */
  keepAlive?: boolean
  /** Requests the hash of the body; a response with this hash is returned without its body. */
  knownHash?: string | null
  /**
   * The origin of the URL. With `settings`, the default, hosts in the allow list may be called. `public` ignores the list and
   * is for every URL from a page, a feed or another external source.
   */
  trust?: 'settings' | 'public'
}

export type FetchOptions = Pick<RequestOptions, 'timeouts' | 'maxBytes' | 'pace'>

export type OutboundResponse = {
  status: number
  headers: ResponseHeaders
  /** Decoded, at most `maxBytes`. */
  body: Buffer
  /** Whether there was more than `maxBytes`. */
  truncated: boolean
  /** Hash of the undecoded body, if `knownHash` was given. */
  hash: string | null
  /** The final URL, after redirects. */
  url: string
  ms: number
  text: () => string
}

export type Outbound = AsyncDisposable & {
  policy: UrlPolicy
  /** Sends a request and reads the whole response, with any status. Throws OutboundError. */
  request: (url: string, options: RequestOptions) => Promise<OutboundResponse>
  /**
   * The same for crawling thousands of hosts with a few sequential requests each: one connection per host without a pool,
   * which would cost a third of the time and most of the memory. Always uses the trust `public`.
   */
  visit: (url: string, options: RequestOptions) => Promise<OutboundResponse>
  /** For libraries that take a fetch function. The body is streamed; more than `maxBytes` of it throws too_large. */
  fetch: typeof globalThis.fetch
  fetchWith: (options: FetchOptions) => typeof globalThis.fetch
  /** The mail servers of a domain. */
  mailServers: ResolveMx
  /** The TXT records of a domain. */
  textRecords: ResolveTxt
  /** Opens a line-based connection to a server that does not use HTTP. */
  converse: Converse
  /** Waits for pending requests and closes all connections. */
  close: () => Promise<void>
}

const DEFAULT_TIMEOUTS: Timeouts = { headers: 15_000, body: 15_000, total: 30_000 }
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024

/** Headers that the connection sets. A Host header would also determine the name that TLS checks. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
])

/** `last` caches the last checked URL: a push sends thousands of requests to one URL. */
type Way = {
  policy: UrlPolicy
  agent: keyof Agents
  last: { text: string; url: URL } | null
}

/** The only client for outbound requests. */
export function createOutbound({
  allow,
  log,
  connectTo = new Map(),
  ca = null,
  lookup = systemLookup,
  dnsServer = null,
  clock = systemClock,
  breaker: breakerOptions,
  contact,
  connectTimeout = 5_000,
  connections = 64,
}: OutboundOptions): Outbound {
  const names = cacheLookup(lookup)
  const policies = { settings: new UrlPolicy(allow, lookup), public: new UrlPolicy(new Set(), lookup) }
  const ways: Record<keyof Agents, Way> = {
    settings: { policy: policies.settings, agent: 'settings', last: null },
    public: { policy: policies.public, agent: 'public', last: null },
    visiting: { policy: policies.public, agent: 'visiting', last: null },
  }
  let loading: Promise<Agents> | undefined
  let closing: Promise<unknown> | undefined

  function loadAgents(): Promise<Agents> {
    if (!loading && closing) throw new OutboundError('aborted')
    loading ??= import('./agents.ts').then(({ createAgents }) =>
      createAgents({
        policies,
        lookup: names,
        timeout: connectTimeout,
        connectTo,
        ca,
        connections,
      }),
    )
    return loading
  }

  const breaker = new Breaker(clock, breakerOptions)
  const pacing = new Pacing(clock)
  const userAgent = contact ? `Bellwether/0.1 (+${contact})` : 'Bellwether/0.1'

  /** The first request of a redirect chain, with checked headers. */
  function firstHop(hop: RedirectHop): RedirectHop {
    const headers: Record<string, string> = { 'user-agent': userAgent }
    if (hop.method === 'GET') headers['accept-encoding'] = ACCEPT_ENCODING
    for (const name in hop.headers) {
      const lower = name.toLowerCase()
      if (!CONNECTION_HEADERS.has(lower)) headers[lower] = hop.headers[name] as string
    }
    return { ...hop, headers }
  }

  function parse(way: Way, text: string): URL {
    if (way.last?.text === text) return way.last.url
    try {
      const url = way.policy.parse(text)
      way.last = { text, url }
      return url
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      throw new OutboundError('not_allowed', { message: cause.message, cause })
    }
  }

  /** Sends one request with the circuit breaker and the pacing of the host. */
  function send<T extends { status: number; headers: ResponseHeaders }>(
    { url: { host } }: RedirectHop,
    { pace, signal }: { pace?: Pace | undefined; signal?: AbortSignal | undefined },
    call: () => Promise<T>,
  ): Promise<T> {
    return pace ? sendPaced(pace, host, call, signal) : breaker.run(host, call)
  }

  async function sendPaced<T extends { status: number; headers: ResponseHeaders }>(
    pace: Pace,
    host: string,
    call: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const answer = await pacing.run(pace, host, () => breaker.run(host, call), signal)
    if (answer.status === 429 || answer.status === 503) {
      const seconds = readRetryAfter(answer.headers['retry-after'])
      if (seconds) pacing.hold(pace, host, seconds * 1000)
    }
    return answer
  }

  /** Sends a request and follows its redirects. */
  async function chain<T extends { status: number; headers: ResponseHeaders }>(
    way: Way,
    hop: RedirectHop,
    redirects: RequestOptions['redirects'],
    call: (hop: RedirectHop) => Promise<T>,
    drop: (answer: T) => void,
  ): Promise<{ answer: T; url: URL }> {
    for (let followed = 0; ; followed++) {
      const answer = await call(hop)
      const { location } = answer.headers
      if (redirects === 'refuse' || !isRedirect(answer.status, location)) return { answer, url: hop.url }
      // With a function, the answer may be the one that is returned, and is complete.
      if (redirects === 'follow') drop(answer)
      if (followed === MAX_REDIRECTS) throw new OutboundError('redirect')
      const policy = { parse: (url: string) => parse(way, url), isAllowed: (url: URL) => way.policy.isAllowed(url) }
      const next = nextHop(policy, hop, answer.status, location)
      if (redirects !== 'follow' && !(await redirects(next.url))) return { answer, url: hop.url }
      hop = next
    }
  }

  function limitsOf(options: LimitOptions): Limits {
    const { timeouts, maxBytes = DEFAULT_MAX_BYTES, overflow = 'truncate', signal, keepAlive, knownHash } = options
    const times = timeouts ? { ...DEFAULT_TIMEOUTS, ...timeouts } : DEFAULT_TIMEOUTS
    return { timeouts: times, maxBytes, overflow, signal, keepAlive, knownHash }
  }

  const request = (text: string, options: RequestOptions) => over(ways[options.trust ?? 'settings'], text, options)

  async function over(way: Way, text: string, options: RequestOptions): Promise<OutboundResponse> {
    const started = performance.now()
    const { method = 'GET', headers = {}, body = null } = options
    const limits = limitsOf(options)
    try {
      const first = firstHop({ url: parse(way, text), method, headers, body })
      const agent = (await loadAgents())[way.agent]
      const call = (hop: RedirectHop) => send(hop, options, () => sendRequest(agent, hop, limits))
      const { answer, url } = await chain(way, first, options.redirects, call, () => {})
      return await finish(answer, url, limits, started)
    } catch (error) {
      throw logged(error, text)
    }
  }

  const fetchWith = ({ timeouts, maxBytes, pace }: FetchOptions) =>
    createFetch(
      (url) => parse(ways.settings, url),
      async (hop, redirects, signal) => {
        const limits = limitsOf({ timeouts, maxBytes, overflow: 'refuse', signal })
        const agent = (await loadAgents()).settings
        const call = (hop: RedirectHop) => send(hop, { pace, signal }, () => openResponseStream(agent, hop, limits))
        const found = await chain<OpenedResponse>(ways.settings, firstHop(hop), redirects, call, discard).catch(
          (error) => {
            throw logged(error, hop.url.href)
          },
        )
        return { opened: found.answer, url: found.url }
      },
    )

  function logged(error: unknown, url: string): OutboundError {
    const failure = toOutboundError(error)
    // Only the host: the path may contain a secret, as in most webhook URLs.
    log.debug({ host: URL.parse(url)?.host, kind: failure.kind, err: failure.cause }, 'outbound request failed')
    return failure
  }

  const close = async () => {
    closing ??= Promise.resolve(loading).then((agents = {} as Agents) =>
      Promise.all(Object.values(agents).map((agent) => agent.close())),
    )
    await closing
  }
  return {
    policy: policies.settings,
    request,
    visit: (url, options) => over(ways.visiting, url, options),
    fetch: fetchWith({}),
    fetchWith,
    mailServers: createMxResolver(dnsServer),
    textRecords: createTxtResolver(dnsServer),
    converse: createConverse({ connectTo, lookup: names, pacing }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type LimitOptions = {
  timeouts?: Partial<Timeouts> | undefined
  maxBytes?: number | undefined
  overflow?: Limits['overflow'] | undefined
  signal?: AbortSignal | undefined
  keepAlive?: boolean | undefined
  knownHash?: string | null | undefined
}

async function finish(received: RawResponse, url: URL, limits: Limits, started: number): Promise<OutboundResponse> {
  const { status, headers, hash } = received
  let { body, truncated } = received
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
  if (isEncoded(encoding)) {
    const decoded = await decode(body, encoding, limits.maxBytes)
    body = decoded.body
    truncated ||= decoded.truncated
    if (decoded.truncated && limits.overflow === 'refuse') throw new OutboundError('too_large')
  }
  const text = () => decodeText(body, String(headers['content-type'] ?? ''))
  return { status, headers, body, truncated, hash, url: url.href, ms: performance.now() - started, text }
}
