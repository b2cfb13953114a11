import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { createWaiters, type Gate } from './waiters.ts'

/** The receiver's reaction to a request. The default is status 200. */
export type Behaviour =
  | { do: 'answer'; status?: number; headers?: Record<string, string>; body?: string }
  /** Reads the request and never responds. */
  | { do: 'stall' }
  /** Closes the connection without a response. */
  | { do: 'drop' }
  /**
   * Fails this share of requests, half of them with 500 and half by dropping the connection; the same seed gives the
   * same failures.
   */
  | { do: 'fail_randomly'; share: number; seed: number }

export type Delivery = {
  id: string | null
  timestamp: string | null
  method: string
  path: string
  headers: Record<string, string>
  body: string
  /** Whether the signature matches one of the receiver's secrets. */
  verified: boolean
  /** The status sent; null without a response. */
  status: number | null
}

export type Receiver = AsyncDisposable & {
  /** `http://127.0.0.1:port`. */
  url: string
  /** `127.0.0.1:port`, as OUTBOUND_ALLOW takes it. */
  host: string
  deliveries: Delivery[]
  /** Connections opened so far. */
  connections: () => number
  /** Sets the behaviour from now on, for one path or for all paths without a specific one. */
  behave: (behaviour: Behaviour, path?: string) => void
  /** Sets the behaviour of the next requests, in this order, whatever their path. */
  next: (...behaviours: Behaviour[]) => void
  /** Waits until this many deliveries have arrived. */
  received: (count: number) => Promise<Delivery[]>
}

export type ReceiverOptions = {
  /** The address to listen on, where loopback is not enough; requests still use 127.0.0.1. */
  listens?: string
  port?: number
  secrets?: readonly string[]
  behaviour?: Behaviour
  /** Called for each delivery; with `keep: false` deliveries are not stored, for long runs. */
  onDelivery?: (delivery: Delivery) => void
  keep?: boolean
  /** Holds requests before they are processed. */
  gate?: Gate
}

const CONTROL = '/_control'

/**
 * A webhook receiver on loopback for the demo and the tests. Controlled by its methods, or from another process by `PUT
 * /_control?path=…` with a behaviour as JSON; `GET /_control` returns the deliveries, `DELETE` clears them.
 */
export async function startReceiver({
  listens = '127.0.0.1',
  port = 0,
  secrets = [],
  behaviour = { do: 'answer' },
  onDelivery,
  keep = true,
  gate,
}: ReceiverOptions = {}): Promise<Receiver> {
  const webhooks = secrets.map((secret) => new Webhook(secret))
  const rules = new Map<string, Rule>()
  const once: Rule[] = []
  const deliveries: Delivery[] = []
  const { until, notify } = createWaiters()
  let fallback = ruleOf(behaviour)
  let connections = 0

  const behave = (given: Behaviour, path?: string) => {
    if (path === undefined) fallback = ruleOf(given)
    else rules.set(path, ruleOf(given))
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { method = '', url = '/' } = request
    if (url.startsWith(CONTROL)) return control(method, url, body, response)
    await gate?.pass(request.socket)
    if (request.socket.destroyed) return
    const headers = request.headers as Record<string, string>
    const act = (once.shift() ?? rules.get(url.split('?', 1)[0] as string) ?? fallback)()
    const delivery: Delivery = {
      id: headers['webhook-id'] ?? null,
      timestamp: headers['webhook-timestamp'] ?? null,
      method,
      path: url,
      headers,
      body,
      verified: webhooks.some((webhook) => isSigned(webhook, body, headers)),
      status: act.do === 'answer' ? (act.status ?? 200) : null,
    }
    if (keep) deliveries.push(delivery)
    onDelivery?.(delivery)
    notify()
    if (act.do === 'drop') request.socket.destroy()
    if (act.do === 'answer') response.writeHead(act.status ?? 200, act.headers).end(act.body ?? '')
  }

  function control(method: string, url: string, body: string, response: ServerResponse): void {
    if (method === 'PUT') {
      behave(JSON.parse(body) as Behaviour, new URL(url, 'http://receiver').searchParams.get('path') ?? undefined)
    }
    if (method === 'DELETE') deliveries.length = 0
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ deliveries }))
  }

  const server = createServer((request, response) => {
    // A sender that is killed in the middle of its request.
    receive(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', () => connections++)
  const host = await listen(server, listens, port)
  return {
    url: `http://${host}`,
    host,
    deliveries,
    connections: () => connections,
    behave,
    next: (...behaviours) => void once.push(...behaviours.map(ruleOf)),
    received: async (count) => {
      await until(() => deliveries.length >= count)
      return deliveries
    },
    [Symbol.asyncDispose]: () => stop(server),
  }
}

type Act = Exclude<Behaviour, { do: 'fail_randomly' }>
type Rule = () => Act

function ruleOf(behaviour: Behaviour): Rule {
  if (behaviour.do !== 'fail_randomly') return () => behaviour
  const random = randomFrom(behaviour.seed)
  return () => {
    const draw = random()
    if (draw >= behaviour.share) return { do: 'answer' }
    return draw < behaviour.share / 2 ? { do: 'drop' } : { do: 'answer', status: 500 }
  }
}

/** mulberry32: small and deterministic. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function isSigned(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

async function listen(server: Server, address: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, address, resolve)
  await promise
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function stop(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  // Stalled requests would keep it open.
  server.closeAllConnections()
  return promise
}

/** `node sandbox/receiver.ts [port] [secret…]` */
if (import.meta.main) {
  const [port = '0', ...secrets] = process.argv.slice(2)
  const receiver = await startReceiver({
    port: Number(port),
    secrets,
    keep: false,
    onDelivery: ({ method, path, id, verified, status }) =>
      process.stdout.write(
        `${method} ${path} ${id ?? '-'} ${verified ? 'verified' : 'not verified'} ${status ?? '-'}\n`,
      ),
  })
  process.stdout.write(`receiver at ${receiver.url}\n`)
}
