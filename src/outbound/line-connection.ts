import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from './addresses.ts'
import type { ConnectTo } from './connector.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { createCheckedLookup, type Lookup } from './lookup.ts'
import type { Pace, Pacing } from './pacing.ts'

/** A connection with a line-based protocol such as SMTP. */
export type LineConnection = {
  /** The next line without its line ending. Throws OutboundError. */
  read: () => Promise<string>
  write: (line: string) => void
  /** Upgrades to TLS. The certificate is not verified, because mail servers seldom have one for their MX name. */
  secure: (name: string) => Promise<void>
}

export type LineConnectionOptions = {
  host: string
  port: number
  timeouts: { connect: number; reply: number; total: number }
  signal?: AbortSignal
  pace?: Pace
  /** The key whose pace applies; the host unless given. */
  paceFor?: string
}

/** Opens a connection, runs `talk` and closes it. Public addresses only. Throws OutboundError. */
export type Converse = <T>(options: LineConnectionOptions, talk: (lines: LineConnection) => Promise<T>) => Promise<T>

type Parts = { connectTo: ConnectTo; lookup: Lookup; pacing: Pacing }

const MAX_LINE_CHARS = 4_096
const MAX_CHARS = 65_536

export function createConverse({ connectTo, lookup, pacing }: Parts): Converse {
  const openPublic = createCheckedLookup(lookup, isPublicAddress)
  const openAny = createCheckedLookup(lookup, () => true)

  /** Addresses are checked in the lookup of the socket, as for HTTP (connector.ts). */
  function dial(host: string, port: number): Socket {
    const instead = connectTo.get(`${host}:${port}`) ?? connectTo.get(`*:${port}`)
    if (instead) {
      const url = new URL(`tcp://${instead}`)
      return connectTcp({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), lookup: openAny })
    }
    // OUTBOUND_ALLOW does not apply: names of mail servers come from external DNS records.
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new OutboundError('not_allowed')
    return connectTcp({ host, port, lookup: openPublic, autoSelectFamily: true })
  }

  async function converse<T>(options: LineConnectionOptions, talk: (lines: LineConnection) => Promise<T>): Promise<T> {
    const { host, port, timeouts, signal } = options
    if (signal?.aborted) throw new OutboundError('aborted', { cause: signal.reason })
    const line = new LineSocket(dial(host, port), timeouts.reply)
    const abort = () => line.fail(new OutboundError('aborted', { cause: signal?.reason }))
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => line.fail(new OutboundError('timeout')), timeouts.total)
    try {
      await line.connected(timeouts.connect)
      return await talk(line)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      line.close()
    }
  }

  return (options, talk) => {
    const { pace, paceFor = options.host, signal } = options
    if (!pace) return converse(options, talk)
    return pacing.run(pace, paceFor, () => converse(options, talk), signal)
  }
}

type Waiting = { resolve: () => void; reject: (error: OutboundError) => void }

class LineSocket implements LineConnection {
  #socket: Socket
  readonly #replyTimeout: number
  readonly #lines: string[] = []
  #rest = ''
  #chars = 0
  #failure: OutboundError | null = null
  #waiting: Waiting | null = null

  constructor(socket: Socket, replyTimeout: number) {
    this.#socket = socket
    this.#replyTimeout = replyTimeout
    this.#listen(socket)
  }

  connected(timeout: number): Promise<void> {
    return this.#until(timeout, () => !this.#socket.connecting)
  }

  async read(): Promise<string> {
    // The timeout covers the whole line, so that a host cannot extend it by sending single characters.
    await this.#until(this.#replyTimeout, () => this.#lines.length > 0)
    return this.#lines.shift() as string
  }

  write(line: string): void {
    // A line break would inject another command.
    if (/[\r\n]/.test(line)) throw new OutboundError('protocol')
    this.#socket.write(`${line}\r\n`)
  }

  async secure(name: string): Promise<void> {
    // Discards data received before the handshake (STARTTLS injection).
    this.#lines.length = 0
    this.#rest = ''
    this.#socket.removeAllListeners('data')
    let ready = false
    const servername = isIP(name) === 0 ? { servername: name } : {}
    this.#socket = connectTls({ socket: this.#socket, rejectUnauthorized: false, ...servername }, () => {
      ready = true
      this.#waiting?.resolve()
    })
    this.#listen(this.#socket)
    await this.#until(this.#replyTimeout, () => ready)
  }

  fail(error: OutboundError): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#socket.destroy()
  }

  close(): void {
    this.#failure ??= new OutboundError('aborted')
    this.#socket.end()
    this.#socket.destroySoon()
  }

  #listen(socket: Socket): void {
    socket.setEncoding('utf8')
    socket.on('connect', () => this.#waiting?.resolve())
    socket.on('data', (text) => this.#take(String(text)))
    socket.on('error', (error) => this.fail(toOutboundError(error)))
    socket.on('close', () => this.fail(new OutboundError('connect')))
  }

  #take(text: string): void {
    this.#chars += text.length
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop() as string
    if (this.#chars > MAX_CHARS || this.#rest.length > MAX_LINE_CHARS)
      return void this.fail(new OutboundError('too_large'))
    this.#lines.push(...parts.map((part) => part.replace(/\r$/, '')))
    if (parts.length > 0) this.#waiting?.resolve()
  }

  /** Waits until a condition holds that an event of the socket fulfils. */
  async #until(timeout: number, holds: () => boolean): Promise<void> {
    if (holds()) return
    if (this.#failure) throw this.#failure
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new OutboundError('timeout')), timeout)
    this.#waiting = { resolve, reject }
    await promise.finally(() => {
      clearTimeout(timer)
      this.#waiting = null
    })
  }
}
