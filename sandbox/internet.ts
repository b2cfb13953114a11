import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Authority, createAuthority } from './certificates.ts'
import type { SandboxRequest, SandboxResponse } from './types.ts'
import { createWaiters, type Waiters } from './waiters.ts'

/**
 * The reaction of a host to a request: a response, `stall` (never responds), `drop` (closes the connection), or null:
 * no such host.
 */
export type HostResponse = SandboxResponse | 'stall' | 'drop' | null
export type Host = (request: SandboxRequest) => HostResponse | Promise<HostResponse>

export type Internet = AsyncDisposable & {
  /** The address that serves all hosts: `127.0.0.1:port`. */
  address: string
  /** The environment variables that make a service use this internet instead of the real one. */
  env: { OUTBOUND_CONNECT_TO: string; OUTBOUND_CA: string }
  /** The authority in OUTBOUND_CA, for servers with other protocols. */
  authority: Authority
  /** All requests, newest last. */
  requests: { method: string; url: string; status: number | null; headers: Record<string, string> }[]
  /** Waits until the condition holds; checked on each request and after each response. */
  until: Waiters['until']
}

/** Serves every https host over TLS on one loopback port, without any other change to the machine. */
export async function startInternet(host: Host, { port = 0, keep = true } = {}): Promise<Internet> {
  const authority = createAuthority()
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-sandbox-'))
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, authority.pem)
  const requests: Internet['requests'] = []
  const { until, notify } = createWaiters()

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.url ?? '/', `https://${headers.host ?? 'nowhere.invalid'}`)
    const seen = { method, url: url.href, status: null as number | null, headers: headers as Record<string, string> }
    if (keep) requests.push(seen)
    notify()
    const answer = await host({ method, url, headers: headers as Record<string, string>, body })
    notify()
    if (answer === 'stall') return
    // How an unknown host name appears from outside.
    if (answer === 'drop' || answer === null) return void incoming.socket.destroy()
    seen.status = answer.status
    if (answer.pieces) {
      response.writeHead(answer.status, answer.headers)
      // Ends when the client closes the connection.
      return void pipeline(answer.pieces, response, () => {})
    }
    response.writeHead(answer.status, answer.headers).end(method === 'HEAD' ? undefined : (answer.body ?? ''))
  }

  const server = createServer(
    {
      SNICallback: (name, done) => done(null, authority.contextFor(name)),
    },
    (incoming, response) => {
      respond(incoming, response).catch((error) => response.destroy(error))
    },
  )
  // A client that disconnects during the handshake.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, '127.0.0.1', resolve)
  await promise
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    env: { OUTBOUND_CONNECT_TO: `*:443=${address}`, OUTBOUND_CA: ca },
    authority,
    requests,
    until,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
