import type { Deps } from '../../deps/deps.ts'
import { type RedactedFindings, storeRedacted } from '../../people/redact/redact-findings.ts'
import { openLead } from '../../providers/news/stories.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { insertAccounts, markScanned } from '../../resources/accounts/store.ts'
import { findCompaniesBySite } from '../../resources/companies/by-site.ts'
import { markResearched } from '../../resources/companies/store.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { newId } from '../../shared/ids.ts'
import type { ResearchContext } from '../context.ts'
import type { WantedSignal } from '../detector.ts'
import { excludeNotJudged, findSignals } from '../find-signals.ts'
import { ingest, type ResearchResult } from '../ingest.ts'
import { companyFirmographics, mergeFirmographics } from '../profile.ts'
import { type Research, researchCompany } from '../research.ts'
import type { OwnCompany } from '../resolve-leads.ts'
import { observableSignals, reportUnread, totalFailureReason } from '../source-reports.ts'
import { type CandidateOutcome, type ClaimedCandidate, endCandidate } from './candidate-store.ts'
import {
  buildDiscoveryFilter,
  combineFacts,
  type DiscoverySpec,
  filterMismatch,
  MAX_DAYS,
  matchesRule,
  recencyDays,
} from './rule.ts'

export type DiscoveryWork = {
  workspace_id: string
  run_id: string
  spec: DiscoverySpec
  context: ResearchContext
  /** The signals of the rule and all active signals, so that a new account has all its detections. */
  signals: WantedSignal[]
  own: OwnCompany
}

/** Keeps a slow source from delaying a run. */
export const CANDIDATE_SOURCE_MS = 90_000
/** Their rate limits do not suffice for hundreds of companies. */
export const EXCLUDED_SOURCES = ['github', 'gleif', 'companies-house']

/** Researches one candidate and stores the outcome; a match becomes an account. Throws when the signal aborts. */
export async function researchCandidate(
  deps: Deps,
  discovery: DiscoveryWork,
  candidate: ClaimedCandidate,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  const { workspace_id, spec, context, signals, own } = discovery
  const { domain } = candidate
  const end = (state: 'unmatched' | 'failed', reason: string, sources: CandidateOutcome['sources']) =>
    db.transaction().execute((db) => endWithout(db, discovery, domain, { state, reason, sources }))
  const filter = buildDiscoveryFilter(spec)
  const company = (await findCompaniesBySite(db, workspace_id, [domain])).get(domain)
  const already = company ? filterMismatch(filter, combineFacts(company, {}), { final: false }) : null
  if (already) return end('unmatched', already, [])
  const days = recencyDays(spec)
  const windowDays = days === null ? null : Math.max(days, deps.config.SCAN_WINDOW_DAYS)
  const name = company?.name ?? candidate.name
  const since = daysBefore(context.today, windowDays ?? MAX_DAYS)
  const scope = { since, sourceMs: CANDIDATE_SOURCE_MS, without: EXCLUDED_SOURCES }
  const research = await researchCompany(deps, { name, domain }, scope, signal)
  const leads = await openLeads(deps, candidate.documents ?? [], signal)
  const documents = [...research.documents, ...leads]
  // The domain itself, or the one its home page redirects to.
  if ([domain, ...homesOf(research)].some(own.hasDomain))
    return end('unmatched', 'It is your own company.', research.sources)
  const failure = totalFailureReason(research.sources)
  if (failure && documents.length === 0) return end('failed', failure, research.sources)
  const reason = filterMismatch(filter, combineFacts(company, mergeFirmographics(research.firmographics, deps.now())), {
    final: true,
  })
  if (reason) return end('unmatched', reason, research.sources)
  const { findings, unread, skipped } = await findSignals(
    deps,
    workspace_id,
    { name, domain },
    documents,
    research.positions,
    signals,
    {
      today: context.today,
      windowDays,
      signal,
      model: { account_id: null },
    },
  )
  const sources = reportUnread(research.sources, research.documents, unread, skipped)
  const visible = observableSignals(
    sources,
    signals.map(({ id }) => id),
  )
  const match = matchesRule(spec, findings, visible, context.today)
  if (match.state !== 'matched') return end(match.state, match.reason, sources)
  const universe = companyFirmographics(company)
  const discovered = {
    firmographics: research.firmographics,
    ...(universe && { universe }),
    documents: excludeNotJudged(documents, unread),
    findings,
    technologies: research.technologies,
    visible: context.signals.map(({ id }) => id).filter((id) => visible.includes(id)),
  }
  await storeRedacted(deps, workspace_id, { name, domain }, discovered, async (db, redacted) => {
    const { found, failed } = redacted
    const reported = reportUnread(sources, research.documents, failed)
    // The matching documents may be among those that could not be redacted.
    const still = failed.length > 0 ? matchesRule(spec, found.findings, visible, context.today) : match
    if (still.state === 'matched') {
      return suggestAccount({ ...deps, db }, discovery, { name, domain }, reported, redacted)
    }
    await endWithout(db, discovery, domain, { ...still, sources: reported })
  })
}

/** The full text of the documents that led to the candidate; those that cannot be fetched are left out. */
async function openLeads(deps: Deps, documents: readonly SourcedDocument[], signal: AbortSignal) {
  const opened = await Promise.all(documents.map((document) => openLead(toProviderDeps(deps, signal), document)))
  return opened.filter((document) => document !== null)
}

const homesOf = ({ pages }: Research) => pages.flatMap(({ kind, url }) => (kind === 'home' ? url : []))

/**
 * Ends a candidate that does not become an account. It moves to the end of the order even after a failure, so that the
 * next run starts with other companies.
 */
async function endWithout(
  db: Deps['db'],
  { workspace_id, run_id }: DiscoveryWork,
  domain: string,
  outcome: Omit<CandidateOutcome, 'account_id'>,
): Promise<void> {
  await endCandidate(db, workspace_id, run_id, domain, { ...outcome, account_id: null })
  await markResearched(db, workspace_id, [domain])
}

/**
 * Creates an account with its detections for a match, in the transaction of `storeRedacted`. An account that was
 * created in the meantime does not change.
 */
async function suggestAccount(
  deps: Deps,
  { workspace_id, run_id, context }: DiscoveryWork,
  { name, domain }: { name: string; domain: string },
  sources: CandidateOutcome['sources'],
  discovered: RedactedFindings<ResearchResult>,
): Promise<void> {
  const { db } = deps
  const [added] = await insertAccounts(db, workspace_id, 'discovery', [
    { id: newId(), name, domain, tags: [], owner_id: null },
  ])
  const state = added ? 'matched' : 'existing'
  const outcome = { state, reason: null, account_id: added?.id ?? null, sources } as const
  // Another worker has already stored the outcome: roll back.
  if (!(await endCandidate(db, workspace_id, run_id, domain, outcome))) throw new CandidateAlreadyEnded()
  await markResearched(db, workspace_id, [domain])
  if (!added) return
  await markScanned(db, workspace_id, added.id)
  await ingest(deps, context, { workspace_id, account_id: added.id, run_id }, discovered, 'account')
}

export class CandidateAlreadyEnded extends Error {}
