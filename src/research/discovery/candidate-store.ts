import { sql } from 'kysely'
import type { CandidateState } from '../../db/company-tables.ts'
import type { Db } from '../../db/connect.ts'
import { type LeasedQueue, leasedQueue } from '../../db/leases.ts'
import { findBrandDomains } from '../../resources/account-relations/store.ts'
import { findCustomerDomains } from '../../resources/accounts/crm-store.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'

/** The source of candidates that are active accounts, to be checked again. */
export const ACTIVE_ACCOUNTS = 'accounts'

/** A company for a run to research, with the documents that led to it. */
export type NewCandidate = {
  domain: string
  name: string
  source: string
  documents: SourcedDocument[] | null
}

/**
 * Adds candidates in the given order. One that is already an account or its brand, or a customer in the CRM, gets the state `existing`,
 * unless it is to be checked again.
 */
export async function insertCandidates(
  db: Db,
  workspaceId: string,
  runId: string,
  candidates: NewCandidate[],
): Promise<void> {
  if (candidates.length === 0) return
  const rows = candidates.map((candidate, position) => ({ ...candidate, position }))
  const domains = candidates.map(({ domain }) => domain)
  const customers = await findCustomerDomains(db, workspaceId, domains)
  const brands = await findBrandDomains(db, workspaceId, domains)
  await sql`
    insert into run_candidates (workspace_id, run_id, domain, name, source, position, documents, state, account_id)
    select ${workspaceId}::uuid, ${runId}::uuid, given.domain, given.name, given.source, given.position, given.documents,
      case when given.source = ${ACTIVE_ACCOUNTS} then 'pending'
        when account.id is not null or given.domain = any(${[...customers, ...brands]}::text[]) then 'existing' else 'pending' end, account.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (domain text, name text, source text, position integer, documents jsonb)
    left join accounts as account on account.workspace_id = ${workspaceId} and account.domain = given.domain
    on conflict do nothing`.execute(db)
}

export type ClaimedCandidate = {
  domain: string
  name: string
  source: string
  documents: SourcedDocument[] | null
  /** The account of a candidate that is to be checked again; null when it was deleted in the meantime. */
  account_id: string | null
}

/** The candidates of a run without an outcome. */
export function pendingCandidates(db: Db, workspaceId: string, runId: string): LeasedQueue<ClaimedCandidate> {
  return leasedQueue(db, workspaceId, {
    table: 'run_candidates',
    key: ['run_id', 'domain'],
    open: sql`run_id = ${runId} and state = 'pending'`,
    order: sql`position`,
    columns: ['domain', 'name', 'source', 'documents', 'account_id'],
  })
}

/** The outcome of researching a candidate. */
export type CandidateOutcome = {
  state: Exclude<CandidateState, 'pending'>
  reason: string | null
  account_id: string | null
  sources: readonly SourceReport[]
}

/** Writes the outcome of a candidate. Returns false when another worker has already done so. */
export async function endCandidate(
  db: Db,
  workspaceId: string,
  runId: string,
  domain: string,
  { state, reason, account_id, sources }: CandidateOutcome,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update run_candidates set state = ${state}, reason = ${reason}, account_id = ${account_id}::uuid,
      sources = ${JSON.stringify(sources)}::jsonb, documents = null, lease_id = null, lease_until = null
    where workspace_id = ${workspaceId} and run_id = ${runId} and domain = ${domain} and state = 'pending'`.execute(db)
  return numAffectedRows === 1n
}

export type DiscoveryProgress = {
  states: Record<CandidateState, number>
  accounts: number
  monitored: number
  sources: SourceReport[]
}

/** The progress of a run: candidates by state, new accounts, and the outcome of each source over all candidates. */
export async function readDiscoveryProgress(db: Db, workspaceId: string, runId: string): Promise<DiscoveryProgress> {
  const [states, sources] = await Promise.all([
    sql<{ state: CandidateState; count: number; accounts: number; monitored: number }>`
      select state, count(*)::int as count, count(account_id)::int as accounts,
        count(*) filter (where source = ${ACTIVE_ACCOUNTS})::int as monitored
      from run_candidates
      where workspace_id = ${workspaceId} and run_id = ${runId} group by state`.execute(db),
    sql<{ name: string; items: number; companies: number; failed: number; reason: string | null }>`
      select source.name, sum(source.items)::int as items, count(*)::int as companies,
        count(*) filter (where source.outcome = 'failed')::int as failed, min(source.reason) as reason
      from run_candidates cross join lateral jsonb_to_recordset(sources) as source
        (name text, outcome text, items integer, reason text)
      where run_candidates.workspace_id = ${workspaceId} and run_id = ${runId}
      group by source.name order by source.name`.execute(db),
  ])
  const counts = { pending: 0, matched: 0, unmatched: 0, existing: 0, failed: 0 }
  for (const { state, count } of states.rows) counts[state] = count
  return {
    states: counts,
    accounts: states.rows.find(({ state }) => state === 'matched')?.accounts ?? 0,
    monitored: states.rows.reduce((sum, { monitored }) => sum + monitored, 0),
    sources: sources.rows.map(({ name, items, companies, failed, reason }) => ({
      name,
      outcome: failed === companies ? 'failed' : items > 0 ? 'items' : 'nothing',
      items,
      reason: failed === 0 ? reason : `It failed for ${failed} of ${companies} companies. ${reason}`,
    })),
  }
}

/** The number of seconds until a candidate can be claimed; null when none is left. */
export async function secondsUntilClaimable(db: Db, workspaceId: string, runId: string): Promise<number | null> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from coalesce(lease_until, now()) - now())::float8 as wait from run_candidates
    where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending'
    order by 1 limit 1`.execute(db)
  return rows[0] ? Math.max(0, rows[0].wait) : null
}
