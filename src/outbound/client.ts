import type { Logger } from 'pino'
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici'
import { decodeText } from '../engine/text/decode.ts'
import { AppError } from '../shared/errors.ts'
import { Breaker, type BreakerOptions } from './breaker.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ConnectTo, guardedConnector } from './connector.ts'
import { type Converse, converseOver } from './conversation.ts'
import { ACCEPT_ENCODING, decode, isEncoded } from './decode.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { exchange, type Limits, type Received, type ResponseHeaders, type Timeouts } from './exchange.ts'
import { discard, fetchOver, type OpenedResponse, openResponseStream } from './fetch.ts'
import { briefly, type Lookup, systemLookup } from './lookup.ts'
import { mxResolver, type ResolveMx, type ResolveTxt, txtResolver } from './mx.ts'
import { type Pace, Pacing } from './pacing.ts'
import { type Hop, isRedirect, MAX_REDIRECTS, nextHop } from './redirects.ts'
import { UrlPolicy } from './url-policy.ts'

export type OutboundOptions = {
  /** Exact host:port pairs that may be private or plain http. */
  allow: ReadonlySet<string>
  log: Logger
  /** Hosts that are answered elsewhere: development and tests. */
  connectTo?: ConnectTo
  /** Certificate authorities beside the usual ones, as PEM. */
  ca?: string | null
  lookup?: Lookup
  /** The name server that is asked for mail servers; the system's unless given. */
  dnsServer?: string | null
  clock?: Clock
  breaker?: Partial<BreakerOptions>
  /** An address or URL in the User-Agent, under which whoever runs a site can reach whoever runs the service. */
  contact?: string | null
  connectTimeout?: number
  /** Connections kept to one host at most. */
  connections?: number
}

export type RequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | null
  /** `refuse` hands back the 3xx answer as it came; `follow` goes on for at most five, each checked anew. */
  redirects: 'refuse' | 'follow'
  timeouts?: Partial<Timeouts>
  maxBytes?: number
  overflow?: Limits['overflow']
  signal?: AbortSignal
  pace?: Pace
  /** False for the last request to a host: whoever asks thousands of them would hold a connection to each. */
  keepAlive?: boolean
  /** Asks for the hash of the body; an answer whose body has this hash comes without it. */
  knownHash?: string | null
  /**
   * Whose address it is: with `settings`, as by default, hosts in the allow list may be called; with `public` the list
   * does not count. For every address that comes from a page, a feed or a list of others.
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
  /** Of the body as it came over the wire, where `knownHash` was given. */
  hash: string | null
  /** Where the answer came from, after redirects. */
  url: string
  ms: number
  text: () => string
}

export type Outbound = AsyncDisposable & {
  policy: UrlPolicy
  /** Makes a call and reads its answer. Any status is an answer. Throws OutboundError. */
  request: (url: string, options: RequestOptions) => Promise<OutboundResponse>
  /**
   * The same for whoever asks thousands of hosts a few things each, one after the other: one connection a host, without the
   * pool around it, which costs a third of the time and most of the memory of such a visit. Always with the trust `public`.
   */
  visit: (url: string, options: RequestOptions) => Promise<OutboundResponse>
  /** For libraries that want a fetch. The body is streamed; more than `maxBytes` of it throws too_large. */
  fetch: typeof globalThis.fetch
  fetchWith: (options: FetchOptions) => typeof globalThis.fetch
  /** The mail servers of a domain. */
  mailServers: ResolveMx
  /** What a domain says of itself in its name records. */
  textRecords: ResolveTxt
  /** Speaks with a server that is not an HTTP server, line by line. */
  converse: Converse
  /** Waits for calls under way and closes all connections. */
  close: () => Promise<void>
}

const DEFAULT_TIMEOUTS: Timeouts = { headers: 15_000, body: 15_000, total: 30_000 }
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024

/** Set by the connection itself. A Host header would also choose the name that TLS checks. */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
])

/** `last` is what was checked last: a push goes to one address thousands of times. */
type Way = {
  policy: UrlPolicy
  connect: buildConnector.connector
  agent: Agent
  last: { text: string; url: URL } | null
}

/** Said to the agent itself, that it is HTTP/1 alone would make it write the name of a host anew for each request. */
function hostOverHttp1(origin: string | URL, options: object): Dispatcher {
  const given = { ...(options as Agent.Options), allowH2: false }
  return given.connections === 1 ? new Client(origin, given) : new Pool(origin, given)
}

const AGENT = { maxOrigins: 2_000, factory: hostOverHttp1 }
/** A visited site is asked a few things at once and nothing for a day: it may offer to wait longer, but nobody comes. */
const VISIT_KEPT_MS = 4_000

/** The only way out of the process. */
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
  const names = briefly(lookup)
  /** Connections are kept by host, so what each kind of address may reach is opened apart. */
  function wayOut(allowed: ReadonlySet<string>): Way {
    const policy = new UrlPolicy(allowed, lookup)
    const connect = guardedConnector({ policy, lookup: names, timeout: connectTimeout, connectTo, ca })
    return { policy, connect, agent: new Agent({ connect, connections, ...AGENT }), last: null }
  }
  const ways = { settings: wayOut(allow), public: wayOut(new Set()) }
  const visiting: Way = {
    ...ways.public,
    agent: new Agent({
      connect: ways.public.connect,
      connections: 1,
      keepAliveTimeout: VISIT_KEPT_MS,
      keepAliveMaxTimeout: VISIT_KEPT_MS,
      ...AGENT,
    }),
  }
  const breaker = new Breaker(clock, breakerOptions)
  const pacing = new Pacing(clock)
  const userAgent = contact ? `Bellwether/0.1 (+${contact})` : 'Bellwether/0.1'

  /** The checked beginning of a chain. */
  function firstHop(hop: Hop): Hop {
    const headers: Record<string, string> = { 'user-agent': userAgent }
    if (hop.method === 'GET') headers['accept-encoding'] = ACCEPT_ENCODING
    for (const name in hop.headers) {
      const lower = name.toLowerCase()
      if (!OURS.has(lower)) headers[lower] = hop.headers[name] as string
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

  /** One request under the host's breaker and pace. */
  function send<T extends { status: number; headers: ResponseHeaders }>(
    { url: { host } }: Hop,
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
      const seconds = Number(answer.headers['retry-after'])
      if (seconds > 0) pacing.hold(pace, host, seconds * 1000)
    }
    return answer
  }

  /** Sends a request, and those it is redirected to. */
  async function chain<T extends { status: number; headers: ResponseHeaders }>(
    way: Way,
    hop: Hop,
    redirects: 'refuse' | 'follow',
    call: (hop: Hop) => Promise<T>,
    drop: (answer: T) => void,
  ): Promise<{ answer: T; url: URL }> {
    for (let followed = 0; ; followed++) {
      const answer = await call(hop)
      const { location } = answer.headers
      if (redirects === 'refuse' || !isRedirect(answer.status, location)) return { answer, url: hop.url }
      drop(answer)
      if (followed === MAX_REDIRECTS) throw new OutboundError('redirect')
      const policy = { parse: (url: string) => parse(way, url), isAllowed: (url: URL) => way.policy.isAllowed(url) }
      hop = nextHop(policy, hop, answer.status, location)
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
      const call = (hop: Hop) => send(hop, options, () => exchange(way.agent, hop, limits))
      const { answer, url } = await chain(way, first, options.redirects, call, () => {})
      return await finish(answer, url, limits, started)
    } catch (error) {
      throw logged(error, text)
    }
  }

  const fetchWith = ({ timeouts, maxBytes, pace }: FetchOptions) =>
    fetchOver(
      (url) => parse(ways.settings, url),
      async (hop, redirects, signal) => {
        const limits = limitsOf({ timeouts, maxBytes, overflow: 'refuse', signal })
        const call = (hop: Hop) =>
          send(hop, { pace, signal }, () => openResponseStream(ways.settings.agent, hop, limits))
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
    // The path may be a secret, as in most webhook URLs.
    log.debug({ host: URL.parse(url)?.host, kind: failure.kind, err: failure.cause }, 'call to the outside failed')
    return failure
  }

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= Promise.all([ways.settings, ways.public, visiting].map(({ agent }) => agent.close())).then(() => {})
    return closing
  }
  return {
    policy: ways.settings.policy,
    request,
    visit: (url, options) => over(visiting, url, options),
    fetch: fetchWith({}),
    fetchWith,
    mailServers: mxResolver(dnsServer),
    textRecords: txtResolver(dnsServer),
    converse: converseOver({ connectTo, lookup: names, pacing }),
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

async function finish(received: Received, url: URL, limits: Limits, started: number): Promise<OutboundResponse> {
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
