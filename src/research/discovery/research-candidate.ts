import { daysBefore } from '../../days.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import type { Firmographics } from '../../providers/types.ts'
import { insertAccounts, markScanned } from '../../resources/accounts/store.ts'
import type { ResearchContext } from '../context.ts'
import { findSignals, type WantedSignal } from '../find-signals.ts'
import { type Discovered, ingest } from '../ingest.ts'
import { profileFrom } from '../profile.ts'
import { researchCompany, visibleSignals, whyNothing, withUnread } from '../research.ts'
import { type CandidateOutcome, type ClaimedCandidate, endCandidate } from './candidate-store.ts'
import { type DiscoverySpec, filterOf, knownOf, MOST_DAYS, matchesRule, outside, recencyDays } from './rule.ts'
import { type Company, findCompaniesByDomain, markResearched } from './universe-store.ts'

export type Discovery = {
  workspace_id: string
  run_id: string
  spec: DiscoverySpec
  context: ResearchContext
  /** Every signal of the rule and every active one: an account begins with all that is known. */
  signals: WantedSignal[]
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
  const { workspace_id, run_id, spec, context, signals } = discovery
  const { domain } = candidate
  const end = (state: 'unmatched' | 'failed', reason: string, sources: CandidateOutcome['sources']) =>
    db.transaction().execute(async (db) => {
      await endCandidate(db, workspace_id, run_id, domain, { state, reason, account_id: null, sources })
      // Whoever cannot be read now stands aside, too: the next run begins with others.
      await markResearched(db, workspace_id, [domain])
    })
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
  const documents = [...research.documents, ...(candidate.documents ?? [])]
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
      foreign: { account_id: null },
    },
  )
  const sources = withUnread(research.sources, research.documents, unread, foreign)
  const visible = visibleSignals(
    { sources },
    signals.map(({ id }) => id),
  )
  const match = matchesRule(spec, findings, visible, context.today)
  if (match.state !== 'matched') return end(match.state, match.reason, sources)
  await suggestAccount(deps, discovery, { name, domain }, sources, {
    // What was imported counts before what the sources say.
    firmographics: company ? [importedProfile(company), ...research.firmographics] : research.firmographics,
    documents,
    findings,
    technologies: research.technologies,
    visible: context.signals.map(({ id }) => id).filter((id) => visible.includes(id)),
  })
}

/** Makes a match an account with its detections, all or nothing. One that became an account meanwhile stays as it is. */
async function suggestAccount(
  deps: Deps,
  { workspace_id, run_id, context }: Discovery,
  { name, domain }: { name: string; domain: string },
  sources: CandidateOutcome['sources'],
  discovered: Discovered,
): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
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
    await ingest({ ...deps, db }, context, { workspace_id, account_id: added.id, run_id }, discovered, 'account')
  })
}

export class AlreadyDone extends Error {}

/** What the universe says a company is like, as a source. */
function importedProfile(company: Company): Firmographics {
  const { employees, industry, location, country, network_url, short_description, founded_year } = company
  const imported = { employees, industry, location, country, network_url, short_description, founded_year }
  return Object.fromEntries(Object.entries(imported).filter(([, value]) => value !== null)) as Firmographics
}
