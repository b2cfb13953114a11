import type { Deps } from '../../deps/deps.ts'
import { storeRedacted } from '../../people/redact/redact-findings.ts'
import { readIdentity, toNamedCompany } from '../../resources/account-relations/identity-store.ts'
import { findAccount, markScanned } from '../../resources/accounts/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { excludeNotJudged, findSignals } from '../find-signals.ts'
import { ingest } from '../ingest.ts'
import { findUniverseFirmographics } from '../profile.ts'
import { listKnownEvents, mergeFindings } from '../record-findings.ts'
import { researchCompany } from '../research.ts'
import { observableSignals, reportUnread, totalFailureReason } from '../source-reports.ts'
import { type CandidateOutcome, type ClaimedCandidate, endCandidate } from './candidate-store.ts'
import {
  CANDIDATE_SOURCE_MS,
  CandidateAlreadyEnded,
  type DiscoveryWork,
  EXCLUDED_SOURCES,
} from './research-candidate.ts'
import { buildDiscoveryFilter, filterMismatch, MAX_DAYS, matchesRule, recencyDays } from './rule.ts'

/**
 * Researches an active account for a run in the mode monitor or both: findings are stored as by a scan, and the outcome
 * of the candidate is whether they match the rule. Throws when the signal aborts.
 */
export async function checkActiveAccount(
  deps: Deps,
  { workspace_id, run_id, spec, context, signals }: DiscoveryWork,
  candidate: ClaimedCandidate,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = deps
  const { domain } = candidate
  const { account_id } = candidate
  const account = account_id === null ? undefined : await findAccount(db, workspace_id, account_id)
  if (account_id === null || account?.status !== 'active') {
    const gone = { state: 'unmatched', reason: 'It is no active account any more.', sources: [] } as const
    // The outcome cannot reference a deleted account.
    await endCandidate(db, workspace_id, run_id, domain, { ...gone, account_id: account ? account_id : null })
    return
  }
  const end = async (on: Deps['db'], outcome: Omit<CandidateOutcome, 'account_id'>) => {
    if (!(await endCandidate(on, workspace_id, run_id, domain, { ...outcome, account_id })))
      throw new CandidateAlreadyEnded()
  }
  const reason = filterMismatch(buildDiscoveryFilter(spec), account, { final: true })
  if (reason) return end(db, { state: 'unmatched', reason, sources: [] })
  const days = recencyDays(spec)
  const windowDays = days === null ? null : Math.max(days, config.SCAN_WINDOW_DAYS)
  const since = daysBefore(context.today, windowDays ?? MAX_DAYS)
  const research = await researchCompany(
    deps,
    account,
    { since, sourceMs: CANDIDATE_SOURCE_MS, without: EXCLUDED_SOURCES },
    signal,
  )
  const { documents, positions, firmographics, technologies } = research
  const failure = totalFailureReason(research.sources)
  if (failure) return end(db, { state: 'failed', reason: failure, sources: research.sources })
  const options = { today: context.today, windowDays, signal, model: { account_id } }
  const { findings, unread, skipped } = await findSignals(
    deps,
    workspace_id,
    toNamedCompany(await readIdentity(db, workspace_id, account)),
    documents,
    positions,
    signals,
    options,
  )
  const universe = await findUniverseFirmographics(db, workspace_id, account.domain)
  const discovered = {
    firmographics,
    ...(universe && { universe }),
    documents: excludeNotJudged(documents, unread),
    findings,
    technologies,
  }
  await storeRedacted(deps, workspace_id, account_id, discovered, async (db, { found: kept, state, failed }) => {
    const sources = reportUnread(research.sources, documents, [...unread, ...failed], skipped)
    const visible = observableSignals(
      sources,
      signals.map(({ id }) => id),
    )
    // Events that a member called wrong do not match a rule.
    const { known, openings } = await listKnownEvents(db, workspace_id, account_id, kept.findings)
    const { shown } = await mergeFindings(account.name, known, kept.findings, openings)
    const match = matchesRule(spec, shown, visible, context.today)
    await end(db, { state: match.state, reason: match.state === 'matched' ? null : match.reason, sources })
    await markScanned(db, workspace_id, account_id)
    const active = context.signals.map(({ id }) => id).filter((id) => visible.includes(id))
    const target = { workspace_id, account_id, run_id }
    await ingest({ ...deps, db }, context, target, { found: { ...kept, visible: active }, state }, 'detections')
  })
}
