import type { Deps } from '../../deps/deps.ts'
import { storeRedacted } from '../../people/redact/redact-findings.ts'
import { findAccount, markScanned } from '../../resources/accounts/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { findSignals, judgedOf } from '../find-signals.ts'
import { ingest } from '../ingest.ts'
import { listKnownEvents } from '../known-events.ts'
import { mergeFindings } from '../merge.ts'
import { researchCompany, visibleSignals, whyNothing, withUnread } from '../research.ts'
import { type CandidateOutcome, type ClaimedCandidate, endCandidate } from './candidate-store.ts'
import { AlreadyDone, type Discovery, SOURCE_MS, SPARED } from './research-candidate.ts'
import { filterOf, MOST_DAYS, matchesRule, outside, recencyDays } from './rule.ts'

/**
 * Looks at an active account for a run that monitors: what is found is kept as by a scan, and whether it fulfils the rule
 * is the run's answer. Throws when the signal ends the work.
 */
export async function checkAccount(
  deps: Deps,
  { workspace_id, run_id, spec, context, signals }: Discovery,
  candidate: ClaimedCandidate,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = deps
  const { domain } = candidate
  const { account_id } = candidate
  const account = account_id === null ? undefined : await findAccount(db, workspace_id, account_id)
  if (account_id === null || account?.status !== 'active') {
    const gone = { state: 'unmatched', reason: 'It is no active account any more.', sources: [] } as const
    // A deleted account cannot be named.
    await endCandidate(db, workspace_id, run_id, domain, { ...gone, account_id: account ? account_id : null })
    return
  }
  const end = async (on: Deps['db'], outcome: Omit<CandidateOutcome, 'account_id'>) => {
    if (!(await endCandidate(on, workspace_id, run_id, domain, { ...outcome, account_id }))) throw new AlreadyDone()
  }
  const reason = outside(filterOf(spec), account, { final: true })
  if (reason) return end(db, { state: 'unmatched', reason, sources: [] })
  const days = recencyDays(spec)
  const windowDays = days === null ? null : Math.max(days, config.SCAN_WINDOW_DAYS)
  const since = daysBefore(context.today, windowDays ?? MOST_DAYS)
  const research = await researchCompany(deps, account, { since, sourceMs: SOURCE_MS, without: SPARED }, signal)
  const { documents, boards, firmographics, technologies } = research
  const failure = whyNothing(research.sources)
  if (failure) return end(db, { state: 'failed', reason: failure, sources: research.sources })
  const options = { today: context.today, windowDays, signal, model: { account_id } }
  const { findings, unread, foreign } = await findSignals(
    deps,
    workspace_id,
    account,
    documents,
    boards,
    signals,
    options,
  )
  const discovered = { firmographics, documents: judgedOf(documents, unread), findings, technologies }
  await storeRedacted(deps, workspace_id, account_id, discovered, async (db, { found: kept, state, failed }) => {
    const sources = withUnread(research.sources, documents, [...unread, ...failed], foreign)
    const visible = visibleSignals(
      { sources },
      signals.map(({ id }) => id),
    )
    // What somebody said is wrong fulfils no rule.
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
