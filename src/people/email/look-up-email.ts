import type { EmailSource } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { isFreeAddress } from '../../engine/email-patterns/index.ts'
import { profileUrlKey } from '../../engine/people/profile-url.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { EMAIL_VERIFIERS } from '../../providers/email/index.ts'
import {
  EMPTY_EMAIL_FINDING,
  type EmailFinding,
  type EmailVerifier,
  type ProviderDeps,
  type ProviderParts,
  toProviderDeps,
} from '../../providers/types.ts'
import { verificationConfig, whyUnverified } from '../../resources/integrations/email-verification.ts'
import { shareWorkspace } from '../../resources/workspaces/store.ts'
import { findColleagues, getReachable, type Reachable, saveEmail } from '../contact-store.ts'
import { findSuppressed } from '../erasure-store.ts'
import { lookUpOnce } from '../lookup.ts'
import { addressHash } from '../suppression.ts'
import { workEmailCandidates } from './work-email.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts

export type Revealed = {
  email: string | null
  /** Why there is none. */
  reason: string | null
  /** The reason holds for everybody at the company. */
  whole_domain: boolean
  /** The mail server asked to come back, and may tell then. */
  later: boolean
}

const NONE: Revealed = { email: null, reason: null, whole_domain: false, later: false }

/** As many of an account's people as patterns are learnt from and namesakes looked for among. */
const MAX_COLLEAGUES = 5_000

/**
 * A known address as it is; otherwise one lookup, whose result is kept, and not another before EMAIL_RECHECK_DAYS unless
 * `again`. Throws not_found, and what the signal throws.
 */
export async function lookUpEmail(
  parts: Parts,
  workspaceId: string,
  id: string,
  signal: AbortSignal,
  { again = false } = {},
): Promise<Revealed> {
  const { db, config } = parts
  const read = () => getReachable(db, workspaceId, id, config.EMAIL_RECHECK_DAYS)
  const before = await read()
  return lookUpOnce(parts, workspaceId, {
    subject: `email:${id}`,
    signal,
    known: async () => {
      const person = await read()
      const isNew = person.email_checked_at !== before.email_checked_at
      const isSettled = isNew || (person.is_email_recent && !again)
      if (person.email === null && !isSettled) return null
      return { ...NONE, email: person.email, reason: person.email ? null : person.email_note }
    },
    run: async () => look(parts, workspaceId, await read(), signal),
  })
}

async function look(parts: Parts, workspaceId: string, person: Reachable, signal: AbortSignal): Promise<Revealed> {
  const { db } = parts
  const config = await verificationConfig(parts, workspaceId)
  const { domain } = person
  if (person.left_on) return none('They have left the company.')
  if (!domain) return none('The account has no domain.')
  if (isFreeAddress(`@${domain}`))
    return none('The account’s domain is a mail provider’s: nobody’s work email is there.')
  const verifiers = EMAIL_VERIFIERS.filter((verifier) => verifier.isOn(config))
  const candidates = await candidatesFor(parts, workspaceId, person, domain)
  // Left out where it is at another domain than the account's, or stands with somebody else too.
  const published = candidates.find((email) => email === person.published_email) ?? null
  const unverified = whyUnverified(config)
  if (unverified !== null && !published) return none(unverified)
  if (candidates.length === 0) return none('No address can be made of this name that might not be a colleague’s.')
  const deps = toProviderDeps({ ...parts, config }, signal)
  let finding: EmailFinding = EMPTY_EMAIL_FINDING
  for (const verifier of verifiers) {
    const open = candidates.filter((email) => !finding.refused.includes(email))
    const found = await ask(deps, verifier, open)
    if (found.verified) return keep(parts, workspaceId, person.id, found.verified, verifier.name)
    // What one has refused stays refused; about the rest the next may know better.
    finding = { ...found, refused: [...finding.refused, ...found.refused], later: finding.later || found.later }
    if (finding.undecided === null) break
  }
  // The company itself gives the address for this person by name; only its own mail server knows better.
  if (published && !finding.refused.includes(published)) {
    return keep(parts, workspaceId, person.id, published, 'published')
  }
  if (finding.failed) return { ...none(finding.undecided ?? ''), whole_domain: finding.whole_domain }
  const note = finding.undecided ?? 'None of the addresses that fit this name exists.'
  const saved = await saveEmail(db, workspaceId, person.id, { email: null, source: null, note })
  const { whole_domain, later } = finding
  return { email: saved.email, reason: saved.email ? null : note, whole_domain, later }
}

/** A domain at a time: a company's people may have addresses under one of its subdomains. */
async function ask(deps: ProviderDeps, verifier: EmailVerifier, candidates: readonly string[]): Promise<EmailFinding> {
  let all = EMPTY_EMAIL_FINDING
  for (const [host, addresses] of Map.groupBy(candidates, (address) => address.split('@')[1] ?? '')) {
    const found = await verifier.verify(deps, host, addresses)
    all = {
      ...found,
      refused: [...all.refused, ...found.refused],
      undecided: all.undecided ?? found.undecided,
      failed: all.failed || found.failed,
      later: all.later || found.later,
    }
    if (found.verified) break
  }
  return all
}

async function candidatesFor({ db }: Parts, workspaceId: string, person: Reachable, domain: string): Promise<string[]> {
  const others = await findColleagues(db, workspaceId, person.account_id, person.id, MAX_COLLEAGUES)
  return workEmailCandidates({
    full_name: person.full_name,
    domain,
    employees: person.employees,
    published: person.published_email,
    given: given([person.email, person.given_email]),
    colleagues: others
      .filter((other) => !isSamePerson(other, person))
      .map((other) => ({
        full_name: other.full_name,
        addresses: given([other.email, other.published_email, other.given_email]),
      })),
  })
}

const given = (addresses: readonly (string | null)[]) => addresses.filter((address) => address !== null)

type Named = Pick<Reachable, 'full_name' | 'network_url'>

/** The same name is more likely the same person from another source than a namesake, unless each has their own page. */
function isSamePerson(a: Named, b: Named): boolean {
  if (searchFold(a.full_name) !== searchFold(b.full_name)) return false
  return !a.network_url || !b.network_url || profileUrlKey(a.network_url) === profileUrlKey(b.network_url)
}

/** Stores a proven address, unless it was somebody's who asked to be erased. */
function keep({ db, secrets }: Parts, workspaceId: string, id: string, email: string, source: EmailSource) {
  return db.transaction().execute(async (db): Promise<Revealed> => {
    await shareWorkspace(db, workspaceId)
    const hash = addressHash(secrets, workspaceId, email)
    const isErased = (await findSuppressed(db, workspaceId, [hash])).size > 0
    const note = isErased ? 'The address is that of somebody who was erased.' : null
    const result = isErased ? { email: null, source: null, note } : { email, source, note }
    const saved = await saveEmail(db, workspaceId, id, result)
    return { ...NONE, email: saved.email, reason: saved.email ? null : note }
  })
}

/** Nothing was looked up, so nothing is kept as looked up. */
function none(reason: string): Revealed {
  return { ...NONE, reason }
}
