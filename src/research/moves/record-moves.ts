import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { defineJob } from '../../jobs/define.ts'
import { findKnownMoves, listUnresolvedMoves, setMoveAccount } from '../../people/moves/move-store.ts'
import { moveKey, type NewMove, type ReportedJob, recordMoves } from '../../people/moves/record.ts'
import type { FoundDocument, SiteHints } from '../../providers/types.ts'
import { findCustomerDomains } from '../../resources/accounts/crm-store.ts'
import { findCompanyAccounts, insertSuggestion } from '../../resources/accounts/suggestion-store.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { isoDate } from '../../shared/days.ts'
import { newId } from '../../shared/ids.ts'
import { loadOwnCompany, resolveLeads } from '../resolve-leads.ts'

/** A move with the document that reports it. `hints`: may lead to the site of the new company. */
export type FoundMove = NewMove & { document: FoundDocument; source: string; hints?: SiteHints }

/** The time limit for resolving domains; without a domain the move is recorded and no company is suggested. */
const RESOLVE_MS = 60_000

/**
 * Records moves in one workspace, queues alerts, and suggests the new companies that are neither accounts nor customers
 * in the CRM and whose domain is proven, in one transaction. Idempotent.
 */
export async function recordFoundMoves(
  deps: Deps,
  workspaceId: string,
  found: readonly FoundMove[],
  today: string,
  signal: AbortSignal,
): Promise<void> {
  const { moves, retried } = await withCompanies(deps, workspaceId, found, signal)
  const own = await loadOwnCompany(deps, workspaceId)
  const domains = moves.flatMap(({ to }) => to?.domain ?? [])
  const customers = new Set(await findCustomerDomains(deps.db, workspaceId, domains))
  await deps.db.transaction().execute(async (db) => {
    await lockWorkspaceShared(db, workspaceId)
    const written = await recordMoves({ ...deps, db }, workspaceId, moves, today)
    for (const { id, person_id, key, is_new, sends_alert, move } of written) {
      const { to } = move
      // A company is suggested once.
      if (!is_new && !retried.has(`${person_id} ${key}`)) continue
      if (!sends_alert || move.kind !== 'joined' || !to?.domain || to.account_id) continue
      if (own.hasDomain(to.domain) || customers.has(to.domain)) continue
      const company = { id: newId(), name: to.employer, domain: to.domain, suggested_by: id }
      const accountId =
        (await insertSuggestion(db, workspaceId, company)) ??
        (await findCompanyAccounts(db, workspaceId, [company])).map(({ id }) => id)[0]
      if (accountId) await setMoveAccount(db, workspaceId, id, accountId)
    }
  })
}

/**
 * Adds to each move the account, or else the domain, of the new company. Known moves are not looked up again, except
 * those whose company was not resolved recently (`retried`, as `person key`).
 */
async function withCompanies(
  deps: Deps,
  workspaceId: string,
  found: readonly FoundMove[],
  signal: AbortSignal,
): Promise<{ moves: FoundMove[]; retried: Set<string> }> {
  const { db, log } = deps
  const keyed = found.map((move) => ({ person_id: move.person_id, key: moveKey(move) }))
  const known = await findKnownMoves(db, workspaceId, keyed)
  const knownAt = (at: number) => known.get(`${keyed[at]?.person_id} ${keyed[at]?.key}`)
  const isNew = (_: FoundMove, at: number) => knownAt(at)?.is_unresolved ?? true
  const retried = new Set([...known].filter(([, { is_unresolved }]) => is_unresolved).map(([key]) => key))
  const fresh = await withAccounts(deps, workspaceId, found.filter(isNew))
  const leads = fresh.flatMap(({ to, document, source, hints }) =>
    to && !to.account_id
      ? [
          {
            ...{ company: { name: to.employer, domain: to.domain }, signal_id: 'leadership_change', document, source },
            ...(hints ? { hints } : {}),
          },
        ]
      : [],
  )
  const old = found.filter((move, at) => !isNew(move, at))
  if (leads.length === 0) return { moves: [...old, ...fresh], retried }
  const deadline = AbortSignal.timeout(RESOLVE_MS)
  const { candidates, reports } = await resolveLeads(deps, workspaceId, leads, signal, deadline)
  for (const { name, reason } of reports) log.warn({ source: name, reason }, 'failed to resolve companies of moves')
  const domains = new Map([...candidates.values()].map(({ name, domain }) => [companyKey(name), domain]))
  const resolved = fresh.map((move) =>
    // A domain that the document gives is already proven.
    withJob(move, (to) => ({ domain: domains.get(companyKey(to.employer)) ?? to.domain })),
  )
  return { moves: [...old, ...(await withAccounts(deps, workspaceId, resolved))], retried }
}

async function withAccounts({ db }: Deps, workspaceId: string, moves: FoundMove[]): Promise<FoundMove[]> {
  const companies = moves.map(({ to }) => ({ name: to?.employer ?? '', domain: to?.domain ?? null }))
  const accounts = companies.length > 0 ? await findCompanyAccounts(db, workspaceId, companies) : []
  return moves.map((move, at) => {
    const account = accounts.find((one) => one.at === at)
    return account
      ? withJob(move, (to) => ({ account_id: to.account_id ?? account.id, domain: to.domain ?? account.domain }))
      : move
  })
}

function withJob(move: FoundMove, change: (to: ReportedJob) => Partial<ReportedJob>): FoundMove {
  return move.to ? { ...move, to: { ...move.to, ...change(move.to) } } : move
}

/** The daily limit of retried moves, the newest first. */
const MAX_RETRIED = 200

type Unresolved = Awaited<ReturnType<typeof listUnresolvedMoves>>[number]

/** Retries daily to resolve the companies of moves: a site or a source may have been unavailable. */
export const retryMoves = defineJob<object>({
  name: 'retry-moves',
  schedule: '41 5 * * *',
  concurrency: 1,
  timeout: 3_600,
  async run(deps, _payload, { signal, progressed }) {
    const today = isoDate(deps.now())
    const moves = await listUnresolvedMoves(deps.db, MAX_RETRIED)
    for (const [workspaceId, rows] of Map.groupBy(moves, ({ workspace_id }) => workspace_id)) {
      signal.throwIfAborted()
      await recordFoundMoves(deps, workspaceId, rows.flatMap(moveOf), today, signal)
      await progressed()
    }
  },
})

/** The move as it was recorded, with its quotes as the document that leads to the company. */
function moveOf(row: Unresolved): FoundMove[] {
  const { person_id, account_id, from_employer, from_title, to_employer, to_title, happened_on, evidence } = row
  const [first] = evidence
  if (!first || to_employer === null) return []
  const job = (employer: string, title: string | null) => ({ employer, title, domain: null, account_id: null })
  const { url, source, seen_on } = first
  const text = evidence.flatMap(({ quote }) => quote ?? []).join('\n')
  return [
    {
      ...{ person_id, account_id, kind: 'joined', happened_on, evidence, is_gone: false, source },
      from: from_employer === null ? null : job(from_employer, from_title),
      to: job(to_employer, to_title),
      // A vendor's profile page of a person does not lead to a company's site.
      ...(first.quote === undefined ? { hints: { named: [], witnesses: [] } } : {}),
      document: { url, kind: 'article', title: null, text, published_date: seen_on },
    },
  ]
}
