import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { createAuthority } from './certificates.ts'
import { answerDnsQuery } from './dns.ts'
import type { MailBehaviour, MailDomain } from './types.ts'
import { createWaiters, type Waiters } from './waiters.ts'

export type Mail = AsyncDisposable & {
  /** The DNS server, for DNS_SERVER. */
  dns: string
  /** The address of the mail servers, for OUTBOUND_CONNECT_TO. */
  connectTo: string
  /** Every recipient checked, with the reply. */
  asked: { from: string; to: string; code: number }[]
  /** Waits until the condition holds; checked after each recipient. */
  until: Waiters['until']
  /** The maximum number of concurrent connections. */
  mostAtOnce: () => number
  /** Domains can be added and changed while it runs. */
  domains: Map<string, MailDomain>
}

export type MailOptions = {
  /** The delay of each reply. */
  latencyMs?: number
  onReply?: () => void
}

/** The mail servers of the invented domains and their DNS server, on loopback. */
export async function startMail(
  given: readonly MailDomain[],
  { latencyMs = 0, onReply }: MailOptions = {},
): Promise<Mail> {
  const domains = new Map(given.map((domain) => [domain.domain, domain]))
  const asked: Mail['asked'] = []
  const { until, notify } = createWaiters()
  const seen = new Set<string>()
  const authority = createAuthority()
  let most = 0
  const sockets = new Set<Socket>()
  const talking = new Set<Socket>()

  const open = (isTlsOnly: boolean) =>
    createServer((socket) => {
      sockets.add(socket)
      talking.add(socket)
      most = Math.max(most, talking.size)
      const ended = () => talking.delete(socket)
      socket.on('close', () => {
        ended()
        sockets.delete(socket)
      })
      const secure = (plain: Socket) =>
        new TLSSocket(plain, { isServer: true, secureContext: authority.contextFor('mx.sandbox.example') })
      new Conversation(socket, { judge, secure, ended, isTlsOnly, latencyMs, onReply }).begin()
    })
  const server = open(false)
  const tlsServer = open(true)

  function judge(from: string, to: string): string | null {
    const [user = '', domain = ''] = to.toLowerCase().split('@')
    const known = domains.get(domain)
    const reply = replyFor(known, user, () => {
      const key = `${from} ${to}`
      const isRepeat = seen.has(key)
      seen.add(key)
      return isRepeat
    })
    asked.push({ from, to, code: Number(reply?.slice(0, 3) ?? 0) })
    notify()
    return reply
  }

  const port = await listen(server)
  const tlsPort = await listen(tlsServer)
  const closed = await closedPort()
  const names = createSocket('udp4')
  names.on('message', (question, { port, address }) => {
    const answer = answerDnsQuery(question, domains)
    if (answer) names.send(answer, port, address)
  })
  names.bind(0, '127.0.0.1')
  await once(names, 'listening')

  const elsewhere = (wanted: MailBehaviour, at: number) =>
    given.flatMap(({ domain, behaviour }) => (behaviour === wanted ? [`mx.${domain}:25=127.0.0.1:${at}`] : []))
  return {
    dns: `127.0.0.1:${names.address().port}`,
    connectTo: [...elsewhere('refusing', closed), ...elsewhere('tls_only', tlsPort), `*:25=127.0.0.1:${port}`].join(
      ',',
    ),
    asked,
    until,
    mostAtOnce: () => most,
    domains,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      names.close()
      for (const one of [server, tlsServer]) {
        one.close()
        await once(one, 'close')
      }
    },
  }
}

/** A mail server's reply about a recipient; null when it never completes. */
function replyFor(domain: MailDomain | undefined, user: string, isRepeat: () => boolean): string | null {
  const known = domain?.users.includes(user) ? '250 2.1.5 Ok' : '550 5.1.1 No such user here'
  switch (domain?.behaviour) {
    case 'catch_all':
      return '250 2.1.5 Ok'
    case 'greylist_once':
      return isRepeat() ? known : '451 4.7.1 Greylisting in action, please come back later'
    case 'greylist_forever':
      return '450 4.2.0 Greylisted'
    case 'tarpit':
      return null
    case 'blocking':
      return '550 5.7.1 Your address is on our block list'
    case 'users':
    case 'tls_only':
      return known
    default:
      return '550 5.7.1 Relaying denied'
  }
}

type Rules = {
  judge: (from: string, to: string) => string | null
  secure: (plain: Socket) => TLSSocket
  /** Both sides have ended the connection. */
  ended: () => void
  isTlsOnly: boolean
  latencyMs: number
  onReply: (() => void) | undefined
}

/** One SMTP dialogue (RFC 5321), up to RCPT. */
class Conversation {
  #socket: Socket
  readonly #rules: Rules
  #rest = ''
  #from: string | null = null
  #isSecure = false

  constructor(socket: Socket, rules: Rules) {
    this.#socket = socket
    this.#rules = rules
  }

  begin(): void {
    this.#listen(this.#socket)
    this.#say('220 mx.sandbox.example ESMTP')
  }

  #listen(socket: Socket): void {
    // A client that disconnects in the middle of a command.
    socket.on('error', () => socket.destroy())
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      const lines = (this.#rest + text).split('\r\n')
      this.#rest = lines.pop() as string
      for (const line of lines) {
        const reply = this.#answer(line)
        if (reply?.startsWith('221')) this.#rules.ended()
        if (reply === null) this.#drip()
        else this.#say(reply)
        if (reply?.startsWith('221')) setTimeout(() => this.#socket.end(), this.#rules.latencyMs + 10)
        if (line.toUpperCase() === 'STARTTLS') this.#secure()
      }
    })
  }

  #say(line: string): void {
    this.#rules.onReply?.()
    const send = () => this.#socket.writable && this.#socket.write(`${line}\r\n`)
    if (this.#rules.latencyMs > 0) setTimeout(send, this.#rules.latencyMs)
    else send()
  }

  #answer(line: string): string | null {
    const verb = line.split(' ')[0]?.toUpperCase()
    const address = /<([^<>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'EHLO') return '250-mx.sandbox.example\r\n250-SIZE 35882577\r\n250 STARTTLS'
    if (verb === 'QUIT') return '221 2.0.0 Bye'
    if (verb === 'STARTTLS') return '220 2.0.0 Ready to start TLS'
    if (verb === 'MAIL' && this.#rules.isTlsOnly && !this.#isSecure) return '530 5.7.0 Must issue STARTTLS first'
    if (verb === 'MAIL') this.#from = address
    if (verb !== 'RCPT') return '250 2.0.0 Ok'
    return this.#from === null ? '503 5.5.1 MAIL first' : this.#rules.judge(this.#from, address)
  }

  /** A character now and then, and never a complete line. */
  #drip(): void {
    const timer = setInterval(() => this.#socket.writable && this.#socket.write('2'), 50)
    this.#socket.on('close', () => clearInterval(timer))
  }

  #secure(): void {
    this.#socket.removeAllListeners('data')
    this.#isSecure = true
    this.#socket = this.#rules.secure(this.#socket)
    this.#listen(this.#socket)
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}
