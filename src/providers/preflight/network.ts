import type { Config } from '../../config/config.ts'
import type { Outbound } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { checkMailServer, type Mailer } from '../../outbound/mail.ts'
import { smtp } from '../email/smtp.ts'
import { outboundErrorReason } from '../web/response.ts'

/** The result of one check: a sentence for people, and for a failure what to do about it. */
export type PreflightResult = { state: 'works' | 'failing' | 'off'; message: string }
type NetworkCheck = PreflightResult & { id: 'internet' | 'dns' | 'mail_servers' | 'smtp'; label: string }

type Parts = { config: Config; outbound: Outbound; mailer: Mailer | null }

export const OFFLINE =
  'This server has no internet access: allow outgoing DNS and HTTPS (port 443) in its firewall or container network, or name a gateway in OUTBOUND_CONNECT_TO.'

/** The messages of hosts that could not be reached, as they end the reasons of failed sources. */
const UNREACHABLE = (['dns', 'connect', 'timeout', 'circuit_open'] as const).flatMap((kind) => {
  const error = new OutboundError(kind)
  return [error.message, outboundErrorReason(error)]
})

/** Whether a source failed because its host could not be reached. */
export function isUnreachableReason(reason: string | null): boolean {
  return UNREACHABLE.some((message) => reason?.endsWith(message))
}

const TIMEOUTS = { headers: 5_000, body: 5_000, total: 6_000 }
const SMTP_TIMEOUTS = { connect: 5_000, reply: 6_000, total: 8_000 }
const LIMIT_MS = 6_000
const SMTP_LIMIT_MS = 8_000

/** Limits a call of which name lookups ignore the signal. Throws OutboundError. */
async function within<T>(limitMs: number, call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new OutboundError('timeout')), limitMs)
  try {
    return await Promise.race([call, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Checks what this server can reach, all at once. Throws only when the signal aborts. */
export async function checkNetwork(parts: Parts, signal: AbortSignal): Promise<NetworkCheck[]> {
  const results = await Promise.all([
    checkInternet(parts, signal).then((result) => ({ id: 'internet' as const, label: 'Internet', ...result })),
    checkDns(parts).then((result) => ({ id: 'dns' as const, label: 'DNS', ...result })),
    checkPort25(parts, signal).then((result) => ({
      id: 'mail_servers' as const,
      label: 'Email verification',
      ...result,
    })),
    checkSmtp(parts, signal).then((result) => ({ id: 'smtp' as const, label: 'Outgoing mail', ...result })),
  ])
  signal.throwIfAborted()
  return results
}

/**
 * How many seconds the clock of this server is ahead of the first host that responds with a date; null when none does.
 * Precise to a second, as the header is.
 */
export async function findClockLead({ outbound, config }: Pick<Parts, 'outbound' | 'config'>, signal: AbortSignal) {
  for (const host of config.PREFLIGHT_HOSTS) {
    try {
      const { headers } = await requestHead({ outbound }, `https://${host}/`, signal)
      const lead = Date.now() - Date.parse(String(headers.date))
      if (!Number.isNaN(lead)) return { host, seconds: Math.round(lead / 1000) }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
    }
  }
  return null
}

function requestHead({ outbound }: Pick<Parts, 'outbound'>, url: string, signal: AbortSignal) {
  const options = { method: 'HEAD', redirects: 'refuse', timeouts: TIMEOUTS, signal, keepAlive: false } as const
  return within(LIMIT_MS, outbound.request(url, options))
}

/** Why a host cannot be reached; null when it responds, whatever it responds. */
export async function findHostProblem(parts: Pick<Parts, 'outbound'>, url: string, signal: AbortSignal) {
  try {
    await requestHead(parts, url, signal)
    return null
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error
  }
}

async function checkInternet(parts: Parts, signal: AbortSignal): Promise<PreflightResult> {
  const hosts = parts.config.PREFLIGHT_HOSTS
  const errors = await Promise.all(hosts.map((host) => findHostProblem(parts, `https://${host}/`, signal)))
  const failed = hosts.filter((_, at) => errors[at])
  const reached = hosts.length - failed.length
  if (reached === 0) {
    if (errors.every((error) => error?.kind === 'tls')) {
      return {
        state: 'failing',
        message:
          'HTTPS is intercepted: add the certificate authority of your network with OUTBOUND_CA, so that hosts can prove their identity.',
      }
    }
    return { state: 'failing', message: OFFLINE }
  }
  const message = `${reached} of ${hosts.length} hosts responded.`
  if (failed.length === 0) return { state: 'works', message }
  return { state: 'works', message: `${message} No response from ${failed.join(', ')}.` }
}

/** The lookup of mail servers uses the name servers directly, unlike that of the hosts above. */
async function checkDns({ config, outbound }: Parts): Promise<PreflightResult> {
  const domain = config.PREFLIGHT_MAIL_DOMAIN
  try {
    const servers = await within(LIMIT_MS, outbound.mailServers(domain))
    if (servers.length > 0) return { state: 'works', message: 'Name servers respond.' }
    return { state: 'failing', message: `The name server does not know ${domain}: use one that resolves public names.` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      state: 'failing',
      message: 'No name server responds: check /etc/resolv.conf, and allow outgoing port 53 (UDP and TCP).',
    }
  }
}

const PORT_25 =
  'Mail servers cannot be reached on port 25: ask your hosting provider to open it, or set ZEROBOUNCE_API_KEY; until then only published addresses are found.'

async function checkPort25({ config, outbound }: Parts, signal: AbortSignal): Promise<PreflightResult> {
  if (!smtp.isOn(config)) {
    return { state: 'off', message: 'Off: set a sender address in Settings → Sources, or EMAIL_VERIFY_FROM.' }
  }
  try {
    const [host] = await within(LIMIT_MS, outbound.mailServers(config.PREFLIGHT_MAIL_DOMAIN))
    if (!host) throw new OutboundError('dns')
    const greet = outbound.converse({ host, port: 25, timeouts: SMTP_TIMEOUTS, signal }, async (lines) => {
      await lines.read()
      lines.write('QUIT')
    })
    await within(SMTP_LIMIT_MS, greet)
    return { state: 'works', message: 'Mail servers respond on port 25.' }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { state: 'failing', message: PORT_25 }
  }
}

async function checkSmtp({ mailer }: Parts, signal: AbortSignal): Promise<PreflightResult> {
  if (!mailer) return { state: 'off', message: 'Off: set SMTP_URL and MAIL_FROM to send alerts by email.' }
  const problem = await within(SMTP_LIMIT_MS, checkMailServer(mailer, signal)).catch((error) => {
    if (error instanceof OutboundError) return error.message
    throw error
  })
  return problem === null
    ? { state: 'works', message: `Mail is sent from ${mailer.from.address}.` }
    : { state: 'failing', message: problem }
}
