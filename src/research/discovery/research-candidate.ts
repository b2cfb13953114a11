import type { Deps } from '../../deps/deps.ts'
import { storeWithoutErased, type WithoutErased } from '../../people/redact/found.ts'
import { openLead } from '../../providers/news/stories.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { insertAccounts, markScanned } from '../../resources/accounts/store.ts'
import { findCompaniesByDomain, markResearched } from '../../resources/companies/store.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { newId } from '../../shared/ids.ts'
import type { ResearchContext } from '../context.ts'
import { findSignals, judgedOf, type WantedSignal } from '../find-signals.ts'
import { type Discovered, ingest } from '../ingest.ts'
import type { IsOwnCompany } from '../own-company.ts'
import { profileFrom } from '../profile.ts'
import { type Research, researchCompany, visibleSignals, whyNothing, withUnread } from '../research.ts'
import { universeProfile } from '../universe-profile.ts'
import { type CandidateOutcome, type ClaimedCandidate, endCandidate } from './candidate-store.ts'
import { type DiscoverySpec, filterOf, knownOf, MOST_DAYS, matchesRule, outside, recencyDays } from './rule.ts'

export type Discovery = {
  workspace_id: string
  run_id: string
  spec: DiscoverySpec
  context: ResearchContext
  /** Every signal of the rule and every active one: an account begins with all that is known. */
  signals: WantedSignal[]
  isOwn: IsOwnCompany
}

/** A source that trickles must not hold a run up. */
export const SOURCE_MS = 90_000
/** Hundreds of companies would use up within minutes what GitHub answers in an hour. */
export const SPARED = ['github']

/** Researches one candidate and stores what became of it; a match becomes an account. Throws when the signal ends the work. */
export async function researchCandidate(
  deps: Deps,
  discovery: Discovery,
  candidate: ClaimedCandidate,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  const { workspace_id, spec, context, signals, isOwn } = discovery
  const { domain } = candidate
  const end = (state: 'unmatched' | 'failed', reason: string, sources: CandidateOutcome['sources']) =>
    db.transaction().execute((db) => endWithout(db, discovery, domain, { state, reason, sources }))
  const filter = filterOf(spec)
  const [company] = await findCompaniesByDomain(db, workspace_id, [domain])
  const already = company ? outside(filter, knownOf(company, {}), { final: false }) : null
  if (already) return end('unmatched', already, [])
  const days = recencyDays(spec)
  const windowDays = days === null ? null : Math.max(days, deps.config.SCAN_WINDOW_DAYS)
  const name = company?.name ?? candidate.name
  const since = daysBefore(context.today, windowDays ?? MOST_DAYS)
  const scope = { since, sourceMs: SOURCE_MS, without: SPARED }
  const research = await researchCompany(deps, { name, domain }, scope, signal)
  const { boards } = research
  const told = await openLeads(deps, candidate.documents ?? [], signal)
  const documents = [...research.documents, ...told]
  // Its domain, or where its home page redirects to.
  if ([domain, ...homesOf(research)].some(isOwn)) return end('unmatched', 'It is your own company.', research.sources)
  const failure = whyNothing(research.sources)
  if (failure && documents.length === 0) return end('failed', failure, research.sources)
  const reason = outside(filter, knownOf(company, profileFrom(research.firmographics, deps.now())), { final: true })
  if (reason) return end('unmatched', reason, research.sources)
  const { findings, unread, foreign } = await findSignals(
    deps,
    workspace_id,
    { name, domain },
    documents,
    boards,
    signals,
    {
      today: context.today,
      windowDays,
      signal,
      model: { account_id: null },
    },
  )
  const sources = withUnread(research.sources, research.documents, unread, foreign)
  const visible = visibleSignals(
    { sources },
    signals.map(({ id }) => id),
  )
  const match = matchesRule(spec, findings, visible, context.today)
  if (match.state !== 'matched') return end(match.state, match.reason, sources)
  const universe = universeProfile(company)
  const discovered = {
    firmographics: research.firmographics,
    ...(universe && { universe }),
    documents: judgedOf(documents, unread),
    findings,
    technologies: research.technologies,
    visible: context.signals.map(({ id }) => id).filter((id) => visible.includes(id)),
  }
  await storeWithoutErased(deps, workspace_id, { name, domain }, discovered, async (db, redacted) => {
    const { found, failed } = redacted
    const reported = withUnread(sources, research.documents, failed)
    // The documents that matched may be among those that are left out.
    const still = failed.length > 0 ? matchesRule(spec, found.findings, visible, context.today) : match
    if (still.state === 'matched') {
      return suggestAccount({ ...deps, db }, discovery, { name, domain }, reported, redacted)
    }
    await endWithout(db, discovery, domain, { ...still, sources: reported })
  })
}

/** What led to the candidate, as far as it can be read. */
async function openLeads(deps: Deps, documents: readonly SourcedDocument[], signal: AbortSignal) {
  const opened = await Promise.all(documents.map((document) => openLead(toProviderDeps(deps, signal), document)))
  return opened.filter((document) => document !== null)
}

const homesOf = ({ pages }: Research) => pages.flatMap(({ kind, url }) => (kind === 'home' ? url : []))

/** Ends a candidate that becomes no account. One that cannot be read now comes later, too: the next run begins with others. */
async function endWithout(
  db: Deps['db'],
  { workspace_id, run_id }: Discovery,
  domain: string,
  outcome: Omit<CandidateOutcome, 'account_id'>,
): Promise<void> {
  await endCandidate(db, workspace_id, run_id, domain, { ...outcome, account_id: null })
  await markResearched(db, workspace_id, [domain])
}

/**
 * Makes a match an account with its detections, in the transaction of `storeWithoutErased`. One that became an account meanwhile
 * stays as it is.
 */
async function suggestAccount(
  deps: Deps,
  { workspace_id, run_id, context }: Discovery,
  { name, domain }: { name: string; domain: string },
  sources: CandidateOutcome['sources'],
  discovered: WithoutErased<Discovered>,
): Promise<void> {
  const { db } = deps
  const [added] = await insertAccounts(db, workspace_id, 'discovery', [
    { id: newId(), name, domain, tags: [], owner_id: null },
  ])
  const state = added ? 'matched' : 'existing'
  const outcome = { state, reason: null, account_id: added?.id ?? null, sources } as const
  // Somebody else has stored this candidate: then nothing of this counts.
  if (!(await endCandidate(db, workspace_id, run_id, domain, outcome))) throw new AlreadyDone()
  await markResearched(db, workspace_id, [domain])
  if (!added) return
  await markScanned(db, workspace_id, added.id)
  await ingest(deps, context, { workspace_id, account_id: added.id, run_id }, discovered, 'account')
}

export class AlreadyDone extends Error {}
