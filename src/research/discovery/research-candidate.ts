import { daysBefore } from '../../days.ts'
import type { Db } from '../../db/connect.ts'
import { queueAlert } from '../../delivery/alerts/queue.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import type { Firmographics } from '../../providers/types.ts'
import {
  type AccountFields,
  getAccount,
  insertAccounts,
  markScanned,
  updateAccountRow,
} from '../../resources/accounts/store.ts'
import type { Context } from '../context.ts'
import { type SourcedDocument, saveDocuments } from '../document-store.ts'
import { profileFrom } from '../enrich.ts'
import { type Finding, findSignals, type WantedSignal } from '../find-signals.ts'
import { recordFindings } from '../record.ts'
import { researchCompany, visibleSignals, whyNothing } from '../research.ts'
import { wordDetections } from '../rewrite-texts.job.ts'
import { type Claimed, endCandidate, type Outcome } from './candidate-store.ts'
import { type DiscoverySpec, filterOf, judge, knownOf, MOST_DAYS, outside, recencyDays } from './rule.ts'
import { type Company, findCompaniesByDomain, markResearched } from './universe-store.ts'

export type Discovery = {
  workspace_id: string
  run_id: string
  spec: DiscoverySpec
  context: Context
  /** Every signal of the rule and every active one: an account begins with all that is known. */
  signals: WantedSignal[]
}

/** A source that trickles must not hold a run up. */
const SOURCE_MS = 90_000

/** Researches one candidate and stores what became of it; a match becomes an account. Throws when the signal ends the work. */
export async function lookInto(
  deps: Deps,
  discovery: Discovery,
  candidate: Claimed,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  const { workspace_id, run_id, spec, context, signals } = discovery
  const { domain } = candidate
  const end = (state: 'unmatched' | 'failed', reason: string, sources: Outcome['sources']) =>
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
  const research = await researchCompany(deps, { name, domain }, { since, sourceMs: SOURCE_MS }, signal)
  const { sources, boards } = research
  const profile = profileFrom(research.firmographics, deps.now())
  const documents = [...research.documents, ...(candidate.documents ?? [])]
  const failure = whyNothing(sources)
  if (failure && documents.length === 0) return end('failed', failure, sources)
  const findings = findSignals({ name, domain }, documents, boards, signals, { today: context.today, windowDays })
  const reason = outside(filter, knownOf(company, profile), { final: true })
  if (reason) return end('unmatched', reason, sources)
  const visible = visibleSignals(
    research,
    signals.map(({ id }) => id),
  )
  const verdict = judge(spec, findings, visible, context.today)
  if (verdict.state !== 'matched') return end(verdict.state, verdict.reason, sources)
  await suggest(deps, discovery, {
    name,
    domain,
    fields: fieldsOf(company, profile),
    documents,
    findings,
    visible,
    sources,
  })
}

type Match = {
  name: string
  domain: string
  fields: Partial<AccountFields>
  documents: SourcedDocument[]
  findings: Finding[]
  /** Signals that the sources would have shown. */
  visible: string[]
  sources: Outcome['sources']
}

/** Makes a match an account with its detections, all or nothing. One that became an account meanwhile stays as it is. */
async function suggest(deps: Deps, discovery: Discovery, match: Match): Promise<void> {
  const { workspace_id, run_id, context } = discovery
  const { name, domain, fields, documents, findings, visible, sources } = match
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
    if (Object.keys(fields).length > 0) await updateAccountRow(db, workspace_id, added.id, fields)
    const lookedFor = context.signals.map(({ id }) => id).filter((id) => visible.includes(id))
    const target = { accountId: added.id, runId: run_id }
    const recorded = await recordFindings(db, workspace_id, target, findings, context, lookedFor)
    await saveDocuments(db, workspace_id, added.id, documents)
    await markScanned(db, workspace_id, added.id)
    await tell({ ...deps, db }, workspace_id, run_id, added.id, recorded?.added ?? [])
  })
}

export class AlreadyDone extends Error {}

/** Has people told, and the texts worded. Whom the knowledge base rules out is kept, but nobody is told of it. */
async function tell(deps: Deps & { db: Db }, workspaceId: string, runId: string, accountId: string, added: string[]) {
  const { db, config, jobs } = deps
  const { status } = await getAccount(db, workspaceId, accountId)
  if (status === 'suggested')
    await queueAlert(deps, workspaceId, { type: 'account.suggested', run_id: runId, account_ids: [accountId] })
  if (config.LLM_BASE_URL && added.length > 0)
    await jobs.enqueue(db, wordDetections, { workspace_id: workspaceId, detection_ids: added })
}

/** What is known of a company as an account's fields: what was imported counts before what the sources say. */
function fieldsOf(company: Company | undefined, told: Firmographics): Partial<AccountFields> {
  if (!company) return told
  const { employees, industry, location, country, network_url, short_description, founded_year } = company
  const imported = { employees, industry, location, country, network_url, short_description, founded_year }
  return { ...told, ...Object.fromEntries(Object.entries(imported).filter(([, value]) => value !== null)) }
}
