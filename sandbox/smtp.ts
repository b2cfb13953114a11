import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type Authority, createAuthority } from './certificates.ts'
import { parseMime } from './mime.ts'
import { createWaiters, type Waiters } from './waiters.ts'

export type ReceivedMail = {
  /** Without angle brackets. */
  message_id: string
  /** The envelope, not the headers. */
  from: string
  to: string[]
  /** The authenticated user. */
  user: string | null
  is_encrypted: boolean
  /** Decoded headers by lower-case name. */
  headers: Record<string, string>
  text: string | null
  html: string | null
  raw: string
  /** Whether the reply to the content was sent. */
  is_confirmed: boolean
}

/** The reaction to a recipient; the default is to accept. */
export type SmtpBehaviour =
  /** Refuses the recipient. */
  | { do: 'refuse'; reply?: string }
  /** Defers the first attempt. */
  | { do: 'greylist' }
  /** Stores the message and closes the connection before the reply. */
  | { do: 'drop' }
  /** Stores the message and never replies. */
  | { do: 'stall' }
  /** Delays the reply to the content. */
  | { do: 'slow'; ms: number }

export type SmtpServer = AsyncDisposable & {
  /** The environment variables that make a service send mail here, next to OUTBOUND_CA and OUTBOUND_CONNECT_TO. */
  env: { SMTP_URL: string; MAIL_FROM: string }
  /** For OUTBOUND_CONNECT_TO: the server has a host name, so that its certificate can be verified. */
  connectTo: string
  /** All messages, newest last; a repeated one occurs twice. */
  mails: ReceivedMail[]
  find: (messageId: string) => ReceivedMail[]
  /** Sets the reaction to a recipient from now on. */
  behave: (recipient: string, behaviour: SmtpBehaviour) => void
  /** Accepts another password from now on. */
  changePassword: (password: string) => void
  /** Connections opened so far. */
  connections: () => number
  /** Closes all connections, as a server does after an idle time. */
  disconnect: () => void
  /** Waits until the condition holds; checked after each message. */
  until: Waiters['until']
}

export type SmtpOptions = {
  authority?: Authority
  /** How the connection is encrypted; `none` does not offer it. */
  encryption?: 'starttls' | 'implicit' | 'none'
  maxBytes?: number
  /** Replies to every connection with this greeting and closes it. */
  greeting?: string
  /** Called for each message, before the reply to it. */
  onMail?: (mail: ReceivedMail) => void
}

const HOST = 'smtp.sandbox.example'
const USER = 'bellwether'
const MAX_LINE = 4_096

/** A mail server on loopback that accepts mail for every recipient and delivers none. */
export async function startSmtp({
  authority = createAuthority(),
  encryption = 'starttls',
  maxBytes = 1024 * 1024,
  greeting,
  onMail,
}: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const behaviours = new Map<string, SmtpBehaviour>()
  const deferred = new Set<string>()
  const sockets = new Set<Socket>()
  const { until, notify } = createWaiters()
  let password = 'sandbox p@ss'
  let connections = 0

  const rules: Rules = {
    encryption,
    maxBytes,
    greeting: greeting ?? `220 ${HOST} ESMTP`,
    secure: (plain) => new TLSSocket(plain, { isServer: true, secureContext: authority.contextFor(HOST) }),
    isPassword: (user, given) => user === USER && given === password,
    recipientReply(recipient) {
      const behaviour = behaviours.get(recipient)
      if (behaviour?.do === 'refuse') return behaviour.reply ?? '550 5.1.1 No such user here'
      if (behaviour?.do !== 'greylist' || deferred.has(recipient)) return '250 2.1.5 Ok'
      deferred.add(recipient)
      return '451 4.7.1 Greylisted, try again later'
    },
    contentBehaviour: (recipients) => recipients.map((recipient) => behaviours.get(recipient)).find((found) => found),
    store(mail) {
      mails.push(mail)
      onMail?.(mail)
      notify()
    },
    notify,
  }

  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    new Session(encryption === 'implicit' ? rules.secure(socket) : socket, rules).begin()
  })
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = (server.address() as AddressInfo).port
  const [scheme, at] = encryption === 'implicit' ? ['smtps', 465] : ['smtp', 587]
  return {
    env: {
      SMTP_URL: `${scheme}://${USER}:${encodeURIComponent(password)}@${HOST}`,
      MAIL_FROM: 'Bellwether <alerts@bellwether.example>',
    },
    connectTo: `${HOST}:${at}=127.0.0.1:${port}`,
    mails,
    find: (messageId) => mails.filter(({ message_id }) => message_id === messageId),
    behave: (recipient, behaviour) => void behaviours.set(recipient, behaviour),
    changePassword: (given) => {
      password = given
    },
    connections: () => connections,
    disconnect,
    until,
    async [Symbol.asyncDispose]() {
      disconnect()
      server.close()
      await once(server, 'close')
    },
  }
}

type Rules = {
  encryption: NonNullable<SmtpOptions['encryption']>
  maxBytes: number
  greeting: string
  secure: (plain: Socket) => TLSSocket
  isPassword: (user: string, password: string) => boolean
  recipientReply: (recipient: string) => string
  contentBehaviour: (recipients: string[]) => SmtpBehaviour | undefined
  store: (mail: ReceivedMail) => void
  notify: () => void
}

/** One SMTP session (RFC 5321) with STARTTLS (RFC 3207) and AUTH (RFC 4954). */
class Session {
  #socket: Socket
  readonly #rules: Rules
  #isEncrypted: boolean
  #buffer = Buffer.alloc(0)
  #user: string | null = null
  #from: string | null = null
  #to: string[] = []
  /** Collects the lines of a message; null outside of DATA. */
  #content: string[] | null = null
  #contentBytes = 0
  /** The next line is the answer to a question of AUTH. */
  #answer: ((line: string) => string) | null = null

  constructor(socket: Socket, rules: Rules) {
    this.#socket = socket
    this.#rules = rules
    this.#isEncrypted = socket instanceof TLSSocket
  }

  begin(): void {
    this.#listen()
    this.#say(this.#rules.greeting)
    if (!this.#rules.greeting.startsWith('220')) this.#socket.end()
  }

  #listen(): void {
    // A client that disconnects in the middle of a command.
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk])
      for (let end = this.#buffer.indexOf('\r\n'); end >= 0; end = this.#buffer.indexOf('\r\n')) {
        // One character per byte, because a message may have any encoding.
        const line = this.#buffer.subarray(0, end).toString('latin1')
        this.#buffer = this.#buffer.subarray(end + 2)
        if (this.#take(line) === 'stop') return
      }
      if (this.#content === null && this.#buffer.length > MAX_LINE) this.#socket.destroy()
    })
  }

  #say(...lines: string[]): void {
    const [last = ''] = lines.slice(-1)
    const text = [...lines.slice(0, -1).map((line) => `250-${line}`), last].join('\r\n')
    if (this.#socket.writable) this.#socket.write(`${text}\r\n`)
  }

  #take(line: string): 'stop' | undefined {
    if (this.#content !== null) return this.#takeContent(this.#content, line)
    if (this.#answer) {
      const answer = this.#answer
      this.#answer = null
      this.#say(answer(line))
      return
    }
    const [verb = '', ...args] = line.split(' ')
    switch (verb.toUpperCase()) {
      case 'EHLO':
        return void this.#greet()
      case 'STARTTLS':
        if (this.#rules.encryption !== 'starttls' || this.#isEncrypted) return void this.#say('502 5.5.1 Not available')
        this.#say('220 2.0.0 Ready to start TLS')
        this.#secure()
        return 'stop'
      case 'AUTH':
        return void this.#say(this.#authenticate(args[0]?.toUpperCase(), args[1]))
      case 'MAIL':
        if (!this.#user) return void this.#say('530 5.7.0 Authentication required')
        this.#from = /<([^<>]*)>/.exec(line)?.[1] ?? ''
        this.#to = []
        return void this.#say('250 2.1.0 Ok')
      case 'RCPT':
        return void this.#say(this.#recipient(/<([^<>]*)>/.exec(line)?.[1] ?? ''))
      case 'DATA':
        if (this.#to.length === 0) return void this.#say('503 5.5.1 RCPT first')
        this.#content = []
        this.#contentBytes = 0
        return void this.#say('354 End data with <CR><LF>.<CR><LF>')
      case 'RSET':
        this.#from = null
        this.#to = []
        return void this.#say('250 2.0.0 Ok')
      case 'NOOP':
        return void this.#say('250 2.0.0 Ok')
      case 'QUIT':
        this.#say('221 2.0.0 Bye')
        this.#socket.end()
        return 'stop'
      default:
        this.#say('502 5.5.2 Command not recognized')
    }
  }

  #greet(): void {
    const isOpen = this.#isEncrypted || this.#rules.encryption === 'none'
    const last = isOpen ? '250 AUTH PLAIN LOGIN' : '250 STARTTLS'
    this.#say(HOST, `SIZE ${this.#rules.maxBytes}`, '8BITMIME', last)
  }

  #secure(): void {
    this.#socket.removeAllListeners('data')
    // Discards data received before the handshake (STARTTLS injection).
    this.#buffer = Buffer.alloc(0)
    this.#isEncrypted = true
    this.#socket = this.#rules.secure(this.#socket)
    this.#listen()
  }

  #authenticate(mechanism: string | undefined, initial: string | undefined): string {
    const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8')
    const check = (user: string, password: string) => {
      if (!this.#rules.isPassword(user, password)) return '535 5.7.8 Authentication credentials invalid'
      this.#user = user
      return '235 2.7.0 Authentication successful'
    }
    const plain = (response: string) => {
      const [, user = '', password = ''] = decoded(response).split('\0')
      return check(user, password)
    }
    if (mechanism === 'PLAIN') {
      if (initial) return plain(initial)
      this.#answer = plain
      return '334 '
    }
    if (mechanism !== 'LOGIN') return '504 5.5.4 Unknown mechanism'
    this.#answer = (user) => {
      this.#answer = (password) => check(decoded(user), decoded(password))
      return '334 UGFzc3dvcmQ6'
    }
    return '334 VXNlcm5hbWU6'
  }

  #recipient(address: string): string {
    if (this.#from === null) return '503 5.5.1 MAIL first'
    const reply = this.#rules.recipientReply(address)
    if (reply.startsWith('250')) this.#to.push(address)
    return reply
  }

  #takeContent(lines: string[], line: string): 'stop' | undefined {
    if (line !== '.') {
      this.#contentBytes += line.length + 2
      if (this.#contentBytes <= this.#rules.maxBytes) lines.push(line.startsWith('.') ? line.slice(1) : line)
      return
    }
    this.#content = null
    if (this.#contentBytes > this.#rules.maxBytes) return void this.#say('552 5.3.4 Message too big')
    return this.#store(lines.join('\r\n'))
  }

  #store(raw: string): 'stop' | undefined {
    const { headers, text, html } = parseMime(raw)
    const mail: ReceivedMail = {
      message_id: (headers['message-id'] ?? '').replace(/^<|>$/g, ''),
      from: this.#from ?? '',
      to: this.#to,
      user: this.#user,
      is_encrypted: this.#isEncrypted,
      headers,
      text,
      html,
      raw,
      is_confirmed: false,
    }
    const behaviour = this.#rules.contentBehaviour(this.#to)
    this.#rules.store(mail)
    if (behaviour?.do === 'stall') return
    if (behaviour?.do === 'drop') {
      this.#socket.destroy()
      return 'stop'
    }
    const confirm = () => {
      mail.is_confirmed = true
      this.#say('250 2.0.0 Ok: queued')
      this.#rules.notify()
    }
    if (behaviour?.do === 'slow') setTimeout(confirm, behaviour.ms)
    else confirm()
  }
}
