import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { EMPTY_EMAIL_FINDING, type EmailFinding, type EmailVerifier, type ProviderDeps } from '../types.ts'
import { CATCH_ALL, checkRecipients, type SmtpDialogueResult } from './smtp-dialogue.ts'

/** The display name of all mail servers together. */
export const MAIL_SERVERS = 'Mail servers'

const PORT = 25
const CONNECT_MS = 10_000
/** Some servers delay the greeting to unknown clients by ten seconds. */
const REPLY_MS = 20_000
const MAX_SERVERS = 2
/** The key when SECRETS_KEY is not set; valid for the lifetime of the process. */
const PROCESS_KEY = randomBytes(32)

/** Asks the domain's mail server, in a dialogue that ends before a mail is sent. */
export const smtp: EmailVerifier = {
  name: 'smtp',
  isOn: ({ EMAIL_VERIFY_FROM }) => EMAIL_VERIFY_FROM !== null,
  async verify(deps, domain, addresses) {
    const check = new AddressCheck(deps, domain, addresses)
    try {
      const servers = await deps.outbound.mailServers(domain)
      if (servers.length === 0) return undecided(`${domain} accepts no mail.`, { whole: true, refused: addresses })
      const finding = await check.untilDecided(servers)
      if (!finding.verified && deps.signal.aborted) throw new OutboundError('aborted')
      // An undecided check says little about other servers; only decisions are reported.
      if (finding.verified || finding.refused.length > 0) await deps.health.report(MAIL_SERVERS, null)
      return finding
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      // An abort by the caller decides nothing about the address.
      if (deps.signal.aborted) throw error
      // An unreachable server is a result, not a failure: many networks block port 25, and a retry would not help. A
      // DNS error is a failure.
      return { ...undecided(reasonFor(error, domain), { whole: true }), failed: error.kind === 'dns' }
    }
  },
}

function reasonFor({ kind }: OutboundError, domain: string): string {
  if (kind === 'dns') return `DNS lookup of the mail server of ${domain} failed.`
  if (kind === 'timeout') return `The mail server of ${domain} did not respond in time.`
  if (kind === 'protocol') return `The mail server of ${domain} sent a reply that is not valid SMTP.`
  return `The mail server of ${domain} could not be reached.`
}

/** Checks addresses of one domain within EMAIL_VERIFY_SECONDS, which covers the dialogue and greylisting delays. */
class AddressCheck {
  readonly #deps: ProviderDeps
  readonly #domain: string
  readonly #addresses: readonly string[]
  /** Excludes the time in our queue, since that is no delay of the server. */
  #leftMs: number
  readonly #control: string

  constructor(deps: ProviderDeps, domain: string, addresses: readonly string[]) {
    this.#deps = deps
    this.#domain = domain
    this.#addresses = addresses
    this.#leftMs = deps.config.EMAIL_VERIFY_SECONDS * 1000
    this.#control = `${controlLocalPart(deps.config, addresses)}@${domain}`
  }

  /** Repeats a deferred check for the same addresses, as often as EMAIL_GREYLIST_SECONDS has entries. */
  async untilDecided(servers: readonly string[]): Promise<EmailFinding> {
    const { config, signal } = this.#deps
    for (const pause of [...config.EMAIL_GREYLIST_SECONDS, null]) {
      const finding = toFinding(this.#domain, await this.#askServers(servers), this.#addresses)
      if (finding.verified || !finding.later || pause === null) return finding
      this.#leftMs -= pause * 1000
      if (this.#leftMs <= 0) return finding
      const waited = await wait(pause * 1000, true, { signal }).catch(() => false)
      if (!waited) return finding
    }
    throw new Error('unreachable: the last round returns')
  }

  /** Tries the preferred server, then the next one when it cannot be reached. */
  async #askServers(servers: readonly string[]): Promise<SmtpDialogueResult> {
    let failure: unknown
    for (const host of servers.slice(0, MAX_SERVERS)) {
      try {
        return await this.#ask(host)
      } catch (error) {
        if (this.#deps.signal.aborted) throw error
        failure = error
      }
      if (this.#leftMs <= 0) break
    }
    throw failure
  }

  #ask(host: string): Promise<SmtpDialogueResult> {
    const { config, outbound, signal } = this.#deps
    const from = config.EMAIL_VERIFY_FROM as string
    const helo = from.split('@')[1] as string
    const question = { host, helo, from, control: this.#control, addresses: this.#addresses }
    const total = this.#leftMs
    const options = {
      host,
      port: PORT,
      timeouts: { connect: Math.min(CONNECT_MS, total), reply: Math.min(REPLY_MS, total), total },
      signal,
      pace: { kind: 'smtp', intervalMs: config.EMAIL_DELAY_MS, concurrency: 1 },
      paceFor: this.#domain,
    }
    return outbound.converse(options, async (lines) => {
      const start = performance.now()
      try {
        return await checkRecipients(lines, question)
      } finally {
        this.#leftMs -= performance.now() - start
      }
    })
  }
}

/**
 * A nonexistent local part that outsiders cannot predict and create. It differs for each set of addresses and stays the
 * same for repeats, because greylisting accepts only repeats.
 */
function controlLocalPart({ SECRETS_KEY, EMAIL_VERIFY_FROM }: Config, addresses: readonly string[]): string {
  const key = SECRETS_KEY ?? PROCESS_KEY
  const text = [EMAIL_VERIFY_FROM, ...addresses.toSorted()].join(' ')
  return createHmac('sha256', key).update(`smtp control ${text}`).digest('hex').slice(0, 24)
}

/** Verifies nothing unless the server rejected the nonexistent address. */
function toFinding(
  domain: string,
  { control, verdicts }: SmtpDialogueResult,
  addresses: readonly string[],
): EmailFinding {
  if (control === 'accepted') return undecided(CATCH_ALL, { whole: true })
  const later = control === 'later' || verdicts.includes('later')
  if (control === 'later') {
    return { ...undecided(`The mail server of ${domain} deferred the check (greylisting).`, { whole: true }), later }
  }
  if (control === 'blocked')
    return undecided(`The mail server of ${domain} does not verify recipients.`, { whole: true })
  const refused = addresses.filter((_, at) => verdicts[at] === 'no_mailbox')
  const verified = addresses[verdicts.indexOf('accepted')] ?? null
  if (verified || refused.length === addresses.length) {
    return { ...EMPTY_EMAIL_FINDING, verified, refused }
  }
  return { ...undecided(`The mail server of ${domain} did not verify every address.`, { refused }), later }
}

function undecided(
  reason: string,
  { whole = false, refused = [] }: { whole?: boolean; refused?: readonly string[] },
): EmailFinding {
  return { ...EMPTY_EMAIL_FINDING, refused: [...refused], undecided: reason, whole_domain: whole }
}
