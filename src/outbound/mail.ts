import { cutText } from '../engine/text/storable.ts'
import type { Mailbox } from '../shared/config-values.ts'
import { type Clock, systemClock } from './clock.ts'
import type { ConnectTo } from './connector.ts'
import { OutboundError } from './errors.ts'
import { Pacing } from './pacing.ts'
import { trustedContext } from './trusted-context.ts'

export type Mail = {
  /** Identifies the mail in every attempt, so that a mail server or a mail program can deduplicate it. */
  message_id: string
  to: Mailbox
  subject: string
  text: string
  html: string
  /** Accepts the one-click request of RFC 8058. */
  unsubscribe_url: string | null
}

export type MailResult = {
  /** sent: the mail server accepted it. retry: another attempt may succeed. failed: the mail server refused it. */
  result: 'sent' | 'retry' | 'failed'
  /** The SMTP reply code. */
  status: number | null
  /** The reason of the failure, in a sentence. */
  message: string | null
  /** Always null, because SMTP has no such reply. */
  retryAfter: number | null
}

export type Mailer = {
  from: Mailbox
  /** Sends a message when the rate limit allows it. Throws the errors of the transport, and aborted while waiting. */
  send: (message: Message, signal: AbortSignal) => Promise<{ response: string }>
  /** Connects and signs in, without sending a message. Throws the errors of the transport. */
  verify: () => Promise<unknown>
  /** Closes all connections. A message that is being sent fails. */
  close: () => void
}

type Message = {
  envelope: { from: string; to: string }
  from: Mailbox
  to: Mailbox
  messageId: string
  subject: string
  text: string
  html: string
  headers: Record<string, string | { prepared: true; value: string }>
}

type Options = {
  /** `smtp:` or `smtps:`. */
  url: string
  from: Mailbox
  tls: 'required' | 'opportunistic' | 'none'
  perMinute: number
  connectTo?: ConnectTo
  /** Certificate authorities in addition to the default ones, as PEM. */
  ca?: string | null
  clock?: Clock
  timeouts?: Partial<typeof TIMEOUTS>
}

/** A mail server may scan the content before it replies to it; retrying too early sends the mail twice. */
const TIMEOUTS = { connect: 10_000, reply: 60_000 }
const MAX_CONNECTIONS = 5

/** The pooled transport to the configured mail server. Its library is loaded with the first mail. */
export function createMailer({
  url,
  from,
  tls,
  perMinute,
  connectTo,
  ca = null,
  clock = systemClock,
  timeouts,
}: Options): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const at = port || (secure ? '465' : '587')
  const instead = connectTo?.get(`${hostname}:${at}`) ?? connectTo?.get(`*:${at}`)
  const address = instead ? new URL(`smtp://${instead}`) : { hostname: host, port: at }
  const { connect, reply } = { ...TIMEOUTS, ...timeouts }
  const options = {
    pool: true as const,
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: Number(address.port),
    // Only the address changes: TLS still checks the name in the URL.
    servername: host,
    secure,
    requireTLS: tls === 'required' && !secure,
    ignoreTLS: tls === 'none',
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    maxConnections: MAX_CONNECTIONS,
    // For a connection that the server closed while it was idle. All other retries are up to the caller.
    maxRequeues: 1,
    connectionTimeout: connect,
    greetingTimeout: connect,
    socketTimeout: reply,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ ...options, tls: { secureContext: trustedContext(ca) } })
  }
  let opening: ReturnType<typeof open> | undefined
  const transport = () => {
    opening ??= open()
    return opening
  }
  const pacing = new Pacing(clock)
  const pace = { kind: 'mail', intervalMs: 60_000 / perMinute, concurrency: MAX_CONNECTIONS }
  return {
    from,
    send: (message, signal) => pacing.run(pace, host, async () => (await transport()).sendMail(message), signal),
    verify: async () => (await transport()).verify(),
    // A library that could not be loaded has failed the mails that needed it.
    close: () => void opening?.then(({ transporter }) => transporter.close?.({ force: true })).catch(() => {}),
  }
}

/** Why the mail server accepts no mail from this server; null when it does. Throws aborted. */
export async function checkMailServer(mailer: Mailer, signal: AbortSignal): Promise<string | null> {
  const gone = Promise.withResolvers<never>()
  const abort = () => gone.reject(new OutboundError('aborted', { cause: signal.reason }))
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([mailer.verify(), gone.promise])
    return null
  } catch (error) {
    signal.throwIfAborted()
    return classifyError(error).message
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

export const MAIL_NOT_CONFIGURED = 'No mail server is configured: set SMTP_URL and MAIL_FROM.'
const WRONG_PASSWORD = 'The mail server does not accept the user name or password: check SMTP_URL.'
const NO_TLS =
  'No encrypted connection to the mail server: check SMTP_TLS, and OUTBOUND_CA if its certificate is not signed by a public authority.'

/**
 * Sends a mail; the reply of the mail server decides the result. The signal ends the wait for the rate limit. A mail that is
 * being sent is finished, because the mail server may have accepted it already.
 */
export async function sendMail(
  { mailer }: { mailer: Mailer | null },
  { message_id, to, subject, text, html, unsubscribe_url }: Mail,
  signal: AbortSignal,
): Promise<MailResult> {
  if (!mailer) return failed(MAIL_NOT_CONFIGURED)
  if (!ADDRESS.test(to.address)) return failed('The email address of the recipient is not valid.')
  // Our own identifiers never contain other characters.
  if (!/^[\w.+-]{1,200}$/.test(message_id)) throw new Error('A message id must be letters, digits, dots and dashes.')
  const { from } = mailer
  const unsubscribe = unsubscribe_url === null ? null : new URL(unsubscribe_url).href
  try {
    const { response } = await mailer.send(
      {
        envelope: { from: from.address, to: to.address },
        from,
        to: { name: toHeaderText(to.name), address: to.address },
        messageId: `<${message_id}@${from.address.split('@')[1]}>`,
        subject: toHeaderText(subject),
        text: withoutControls(text),
        html: withoutControls(html),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe && {
            // Prepared, because mail programs do not decode this header.
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      },
      signal,
    )
    return { result: 'sent', status: Number.parseInt(response, 10) || null, message: null, retryAfter: null }
  } catch (error) {
    return classifyError(error)
  }
}

/** The fields of errors of the transport. */
type TransportError = { code?: string; originalCode?: string; responseCode?: number; response?: string }

function classifyError(error: unknown): MailResult {
  if (error instanceof OutboundError) return retry(error.message)
  if (!(error instanceof Error)) throw error
  const { code = '', originalCode = '', responseCode: status = null, response = '' } = error as TransportError
  if (code === 'ETLS' || isCertificateError(originalCode)) return retry(NO_TLS, status)
  const isTemporary = status !== null && status < 500
  if (code === 'EAUTH' && !isTemporary) return failed(WRONG_PASSWORD, status)
  if (status !== null) {
    const message = `The mail server ${isTemporary ? 'asks to try again later' : 'refused the message'}: ${toSentence(response)}`
    return isTemporary ? retry(message, status) : failed(message, status)
  }
  if (UNREACHABLE.has(code)) return retry('The mail server could not be reached, or did not answer in time.')
  if (code === 'EMESSAGE' || code === 'EENVELOPE')
    return failed('The mail server does not accept a message of this size or to this address.')
  // The pool gives this error no code.
  if (error.message === 'Connection pool was closed') return retry('The service stopped before the mail was sent.')
  throw error
}

const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EPROTOCOL'])

const isCertificateError = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA)/.test(code)

function retry(message: string, status: number | null = null): MailResult {
  return { result: 'retry', status, message, retryAfter: null }
}

function failed(message: string, status: number | null = null): MailResult {
  return { result: 'failed', status, message, retryAfter: null }
}

const MAX_REPLY = 300

/** The reply of a mail server as printable text that ends a sentence. */
function toSentence(reply: string): string {
  const text = toHeaderText(reply.replaceAll(/(^|\n)\d{3}[ -]/g, '$1 '))
  const cut = text.length > MAX_REPLY ? `${cutText(text, MAX_REPLY - 1)}…` : text
  return /[.!?…]$/.test(cut) ? cut : `${cut || 'no reason given'}.`
}

/** One address without quoting; special characters would change the recipient or the header. */
const ADDRESS = /^[^\p{C}\s<>()[\]\\,;:"@]{1,64}@[^\p{C}\s<>()[\]\\,;:"@]{1,253}$/u

/**
 * Control characters would start another header, direction marks can disguise a name, and mail programs would decode
 * `=?utf-8?…?=` to either.
 */
function toHeaderText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll('=?', '= ?')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}
