import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { type EmailFinding, type EmailVerifier, NOTHING_LEARNT, type ProviderDeps } from '../types.ts'
import { askMailServer, type Dialogue } from './smtp-dialogue.ts'

const PORT = 25
const CONNECT_MS = 10_000
/** Careful servers let an unknown caller wait for ten seconds before they greet. */
const REPLY_MS = 20_000
const MAX_SERVERS = 2

/** Asks the domain's own mail server, up to the point where a mail would begin. */
export const smtp: EmailVerifier = {
  name: 'smtp',
  isOn: ({ EMAIL_VERIFY_FROM }) => EMAIL_VERIFY_FROM !== null,
  async verify(deps, domain, addresses) {
    const { config, outbound } = deps
    const deadline = AbortSignal.timeout(config.EMAIL_VERIFY_SECONDS * 1000)
    const bounded = { ...deps, signal: AbortSignal.any([deps.signal, deadline]) }
    try {
      const servers = await outbound.mailServers(domain)
      if (servers.length === 0) return undecided(`${domain} takes no mail.`, { whole: true, refused: addresses })
      const finding = await askUntilDecided(bounded, domain, servers, addresses)
      if (!finding.verified && deps.signal.aborted) throw new OutboundError('aborted')
      return finding
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      // The caller's own end is not an answer about the address.
      if (deps.signal.aborted) throw error
      if (error.kind === 'dns')
        return { ...undecided(`The mail server of ${domain} could not be looked up.`, { whole: true }), failed: true }
      const late = error.kind === 'timeout' || deadline.aborted
      return undecided(
        late
          ? `The mail server of ${domain} did not answer in time.`
          : `The mail server of ${domain} could not be reached.`,
        { whole: true },
      )
    }
  },
}

/** A server that says "later" is asked again, a few times and for the same addresses. */
async function askUntilDecided(
  deps: ProviderDeps,
  domain: string,
  servers: readonly string[],
  addresses: readonly string[],
): Promise<EmailFinding> {
  // The same in every dialogue, now and later: greylisting lets it through only as a repeat.
  const local = hash('sha256', `${deps.config.EMAIL_VERIFY_FROM} ${domain}`, 'hex').slice(0, 24)
  const control = `${local}@${domain}`
  for (const pause of [...deps.config.EMAIL_GREYLIST_SECONDS, null]) {
    const dialogue = await askServers(deps, domain, servers, control, addresses)
    const finding = read(domain, dialogue, addresses)
    if (finding.verified || !finding.later || pause === null) return finding
    const waited = await wait(pause * 1000, true, { signal: deps.signal }).catch(() => false)
    if (!waited) return finding
  }
  throw new Error('unreachable: the last round returns')
}

/** The preferred server, or the next one when that cannot be reached. */
async function askServers(
  deps: ProviderDeps,
  domain: string,
  servers: readonly string[],
  control: string,
  addresses: readonly string[],
): Promise<Dialogue> {
  const { config, outbound, signal } = deps
  const from = config.EMAIL_VERIFY_FROM as string
  let failure: unknown
  for (const host of servers.slice(0, MAX_SERVERS)) {
    try {
      const question = { host, helo: from.split('@')[1] as string, from, control, addresses }
      return await outbound.converse(conversation(config, domain, host, signal), (lines) =>
        askMailServer(lines, question),
      )
    } catch (error) {
      if (signal.aborted) throw error
      failure = error
    }
  }
  throw failure
}

function conversation(config: Config, domain: string, host: string, signal: AbortSignal) {
  const total = config.EMAIL_VERIFY_SECONDS * 1000
  return {
    host,
    port: PORT,
    timeouts: { connect: Math.min(CONNECT_MS, total), reply: Math.min(REPLY_MS, total), total },
    signal,
    pace: { kind: 'smtp', intervalMs: config.EMAIL_DELAY_MS, concurrency: 1 },
    paceFor: domain,
  }
}

/** Nothing is verified unless the server also refused an address that nobody has. */
function read(domain: string, { control, verdicts }: Dialogue, addresses: readonly string[]): EmailFinding {
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
    return { ...NOTHING_LEARNT, verified, refused }
  }
  return { ...undecided(`The mail server of ${domain} did not decide about every address.`, { refused }), later }
}

function undecided(
  reason: string,
  { whole = false, refused = [] }: { whole?: boolean; refused?: readonly string[] },
): EmailFinding {
  return { ...NOTHING_LEARNT, refused: [...refused], undecided: reason, whole_domain: whole }
}
