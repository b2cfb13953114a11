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
import { verificationConfig, verificationProblem } from '../../resources/integrations/email-verification.ts'
import { refreshWorkItem } from '../../resources/work-items/rank.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { type ContactRecord, findColleagues, getContactRecord, saveEmail } from '../contact-store.ts'
import { findSuppressedHashes } from '../erasure-store.ts'
import { lookUpOnce } from '../lookup.ts'
import { hashEmail } from '../suppression.ts'
import { workEmailCandidates } from './work-email-candidates.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'jobs'> & ProviderParts

export type EmailLookupResult = {
  email: string | null
  /** Why there is no address. */
  reason: string | null
  /** The reason applies to every address of the domain. */
  whole_domain: boolean
  /** The mail server deferred the request and may accept it later. */
  later: boolean
}

const NONE: EmailLookupResult = { email: null, reason: null, whole_domain: false, later: false }

/** Maximum number of colleagues from whom patterns are learnt and among whom namesakes are detected. */
const MAX_COLLEAGUES = 5_000

/**
 * Returns the stored address, or looks it up and stores the result. The next lookup runs after EMAIL_RECHECK_DAYS at the
 * earliest, unless `again`. Throws not_found, and the abort reason of the signal.
 */
export async function lookUpEmail(
  parts: Parts,
  workspaceId: string,
  id: string,
  signal: AbortSignal,
  { again = false } = {},
): Promise<EmailLookupResult> {
  const { db, config } = parts
  const read = () => getContactRecord(db, workspaceId, id, config.EMAIL_RECHECK_DAYS)
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
    run: async () => findWorkEmail(parts, workspaceId, await read(), signal),
  })
}

async function findWorkEmail(
  parts: Parts,
  workspaceId: string,
  person: ContactRecord,
  signal: AbortSignal,
): Promise<EmailLookupResult> {
  const { db } = parts
  const config = await verificationConfig(parts, workspaceId)
  const { domain } = person
  if (person.left_on) return withoutEmail('They have left the company.')
  if (!domain) return withoutEmail('The account has no domain.')
  if (isFreeAddress(`@${domain}`))
    return withoutEmail('The account’s domain belongs to a mail provider, which has no work emails.')
  const verifiers = EMAIL_VERIFIERS.filter((verifier) => verifier.isOn(config))
  const candidates = await candidatesFor(parts, workspaceId, person, domain)
  // The candidates exclude a published address of another domain and one that is also published for a colleague.
  const published = candidates.find((email) => email === person.published_email) ?? null
  const unverified = verificationProblem(config)
  if (unverified !== null && !published) return withoutEmail(unverified)
  if (candidates.length === 0)
    return withoutEmail('Every address that fits this name might also belong to a colleague.')
  const deps = toProviderDeps({ ...parts, config }, signal)
  let finding: EmailFinding = EMPTY_EMAIL_FINDING
  for (const verifier of verifiers) {
    const open = candidates.filter((email) => !finding.refused.includes(email))
    const found = await verifyByHost(deps, verifier, open)
    if (found.verified) return saveVerified(parts, workspaceId, person, found.verified, verifier.name)
    // An address that one verifier rejects stays rejected; the next verifier may decide about the others.
    finding = { ...found, refused: [...finding.refused, ...found.refused], later: finding.later || found.later }
    if (finding.undecided === null) break
  }
  // The company publishes the address for this person by name, so only its mail server can disprove it.
  if (published && !finding.refused.includes(published)) {
    return saveVerified(parts, workspaceId, person, published, 'published')
  }
  if (finding.failed) return { ...withoutEmail(finding.undecided ?? ''), whole_domain: finding.whole_domain }
  const note = finding.undecided ?? 'None of the addresses that fit this name exists.'
  const saved = await saveEmail(db, workspaceId, person.id, { email: null, source: null, note })
  const { whole_domain, later } = finding
  return { email: saved.email, reason: saved.email ? null : note, whole_domain, later }
}

/** Verifies candidates one host at a time, because they may include subdomains of the company's domain. */
async function verifyByHost(
  deps: ProviderDeps,
  verifier: EmailVerifier,
  candidates: readonly string[],
): Promise<EmailFinding> {
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

async function candidatesFor(
  { db }: Parts,
  workspaceId: string,
  person: ContactRecord,
  domain: string,
): Promise<string[]> {
  const others = await findColleagues(db, workspaceId, person.account_id, person.id, MAX_COLLEAGUES)
  return workEmailCandidates({
    full_name: person.full_name,
    domain,
    employees: person.employees,
    published: person.published_email,
    given: withoutNulls([person.email, person.given_email]),
    colleagues: others
      .filter((other) => !isSamePerson(other, person))
      .map((other) => ({
        full_name: other.full_name,
        addresses: withoutNulls([other.email, other.published_email, other.given_email]),
      })),
  })
}

const withoutNulls = (addresses: readonly (string | null)[]) => addresses.filter((address) => address !== null)

type Named = Pick<ContactRecord, 'full_name' | 'network_url'>

/** The same name is more likely the same person from another source than a namesake, unless both have different profile pages. */
function isSamePerson(a: Named, b: Named): boolean {
  if (searchFold(a.full_name) !== searchFold(b.full_name)) return false
  return !a.network_url || !b.network_url || profileUrlKey(a.network_url) === profileUrlKey(b.network_url)
}

/** Stores a verified address, unless it belonged to an erased person. */
function saveVerified(
  { db, jobs, secrets, now }: Parts,
  workspaceId: string,
  { id, account_id }: Pick<ContactRecord, 'id' | 'account_id'>,
  email: string,
  source: EmailSource,
) {
  return db.transaction().execute(async (db): Promise<EmailLookupResult> => {
    await lockWorkspaceShared(db, workspaceId)
    const hash = hashEmail(secrets, workspaceId, email)
    const isErased = (await findSuppressedHashes(db, workspaceId, [hash])).size > 0
    const note = isErased ? 'The address belongs to a person who was erased.' : null
    const result = isErased ? { email: null, source: null, note } : { email, source, note }
    const saved = await saveEmail(db, workspaceId, id, result)
    await refreshWorkItem({ db, jobs, now }, workspaceId, account_id)
    return { ...NONE, email: saved.email, reason: saved.email ? null : note }
  })
}

/** A result that is not stored, because nothing was looked up. */
function withoutEmail(reason: string): EmailLookupResult {
  return { ...NONE, reason }
}
