import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { EMPTY_EMAIL_FINDING, type EmailFinding, type EmailVerifier, type ProviderDeps } from '../types.ts'
import { checkRecipients, type SmtpDialogueResult } from './smtp-dialogue.ts'

/** All of them together, as people know them. */
export const MAIL_SERVERS = 'Mail servers'

const PORT = 25
const CONNECT_MS = 10_000
/** Careful servers let an unknown caller wait for ten seconds before they greet. */
const REPLY_MS = 20_000
const MAX_SERVERS = 2
/** Where none is configured, one for as long as the process lives. */
const OWN_KEY = randomBytes(32)

/** Asks the domain's own mail server, up to the point where a mail would begin. */
export const smtp: EmailVerifier = {
  name: 'smtp',
  isOn: ({ EMAIL_VERIFY_FROM }) => EMAIL_VERIFY_FROM !== null,
  async verify(deps, domain, addresses) {
    const check = new Check(deps, domain, addresses)
    try {
      const servers = await deps.outbound.mailServers(domain)
      if (servers.length === 0) return undecided(`${domain} takes no mail.`, { whole: true, refused: addresses })
      const finding = await check.untilDecided(servers)
      if (!finding.verified && deps.signal.aborted) throw new OutboundError('aborted')
      // That one says nothing tells little about the others; that one answered is noted.
      if (finding.verified || finding.refused.length > 0) await deps.health.report(MAIL_SERVERS, null)
      return finding
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      // The caller's own end is not an answer about the address.
      if (deps.signal.aborted) throw error
      // A server that cannot be reached is an answer: many networks close port 25, and asking again soon would not help.
      // A name that cannot be looked up is none.
      return { ...undecided(reasonFor(error, domain), { whole: true }), failed: error.kind === 'dns' }
    }
  },
}

function reasonFor({ kind }: OutboundError, domain: string): string {
  if (kind === 'dns') return `The mail server of ${domain} could not be looked up.`
  if (kind === 'timeout') return `The mail server of ${domain} did not answer in time.`
  if (kind === 'protocol') return `The mail server of ${domain} did not answer as mail servers do.`
  return `The mail server of ${domain} could not be reached.`
}

/** What is asked about some addresses of one domain, within EMAIL_VERIFY_SECONDS of talking and waiting for the server. */
class Check {
  readonly #deps: ProviderDeps
  readonly #domain: string
  readonly #addresses: readonly string[]
  /** Waiting for our own turn does not count: the server is not slow while others of ours talk to it. */
  #leftMs: number
  readonly #control: string

  constructor(deps: ProviderDeps, domain: string, addresses: readonly string[]) {
    this.#deps = deps
    this.#domain = domain
    this.#addresses = addresses
    this.#leftMs = deps.config.EMAIL_VERIFY_SECONDS * 1000
    this.#control = `${controlFor(deps.config, addresses)}@${domain}`
  }

  /** A server that says "later" is asked again, a few times and for the same addresses. */
  async untilDecided(servers: readonly string[]): Promise<EmailFinding> {
    const { config, signal } = this.#deps
    for (const pause of [...config.EMAIL_GREYLIST_SECONDS, null]) {
      const finding = read(this.#domain, await this.#askServers(servers), this.#addresses)
      if (finding.verified || !finding.later || pause === null) return finding
      this.#leftMs -= pause * 1000
      if (this.#leftMs <= 0) return finding
      const waited = await wait(pause * 1000, true, { signal }).catch(() => false)
      if (!waited) return finding
    }
    throw new Error('unreachable: the last round returns')
  }

  /** The preferred server, or the next one when that cannot be reached. */
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
 * A name that nobody has, and that nobody outside can foresee and give a mailbox to. Another for everybody who is asked
 * about, yet the same when they are asked about again: greylisting lets it through only as a repeat.
 */
function controlFor({ SECRETS_KEY, EMAIL_VERIFY_FROM }: Config, addresses: readonly string[]): string {
  const key = SECRETS_KEY ?? OWN_KEY
  const text = [EMAIL_VERIFY_FROM, ...addresses.toSorted()].join(' ')
  return createHmac('sha256', key).update(`smtp control ${text}`).digest('hex').slice(0, 24)
}

/** Nothing is verified unless the server also refused an address that nobody has. */
function read(domain: string, { control, verdicts }: SmtpDialogueResult, addresses: readonly string[]): EmailFinding {
  if (control === 'accepted') return undecided(`${domain} takes mail for any address.`, { whole: true })
  const later = control === 'later' || verdicts.includes('later')
  if (control === 'later') {
    return { ...undecided(`The mail server of ${domain} asked to come back later.`, { whole: true }), later }
  }
  if (control === 'blocked')
    return undecided(`The mail server of ${domain} does not say who is there.`, { whole: true })
  const refused = addresses.filter((_, at) => verdicts[at] === 'no_mailbox')
  const verified = addresses[verdicts.indexOf('accepted')] ?? null
  if (verified || refused.length === addresses.length) {
    return { ...EMPTY_EMAIL_FINDING, verified, refused }
  }
  return { ...undecided(`The mail server of ${domain} did not decide about every address.`, { refused }), later }
}

function undecided(
  reason: string,
  { whole = false, refused = [] }: { whole?: boolean; refused?: readonly string[] },
): EmailFinding {
  return { ...EMPTY_EMAIL_FINDING, refused: [...refused], undecided: reason, whole_domain: whole }
}
