import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { findKnownMoves, setMoveAccount } from '../../people/moves/move-store.ts'
import { moveKey, type NewMove, type ReportedJob, recordMoves } from '../../people/moves/record.ts'
import type { FoundDocument, SiteHints } from '../../providers/types.ts'
import { findCompanyAccounts, insertSuggestion } from '../../resources/accounts/suggestion-store.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { newId } from '../../shared/ids.ts'
import { resolveLeads } from '../leads/resolve-leads.ts'
import { readOwnCompany } from '../own-company.ts'

/** A move as something that was read tells it. `hints`: what may lead to the site of the company somebody has come to. */
export type FoundMove = NewMove & { document: FoundDocument; source: string; hints?: SiteHints }

/** Sites of companies are looked for no longer; without one there is the move and no suggestion. */
const RESOLVE_MS = 60_000

/**
 * Keeps moves in one workspace, has the team told, and suggests the companies to which people have come that are no accounts and
 * whose domain is proven: all of it, or nothing, so that it can be done again. The same again adds nothing.
 */
export async function keepMoves(
  deps: Deps,
  workspaceId: string,
  found: readonly FoundMove[],
  today: string,
  signal: AbortSignal,
): Promise<void> {
  const { moves, retried } = await withCompanies(deps, workspaceId, found, signal)
  const isOwn = await readOwnCompany(deps, workspaceId)
  await deps.db.transaction().execute(async (db) => {
    await lockWorkspaceShared(db, workspaceId)
    const written = await recordMoves({ ...deps, db }, workspaceId, moves, today)
    for (const { id, person_id, key, is_new, sends_alert, move } of written) {
      const { to } = move
      // A company that was suggested before is not suggested again.
      if (!is_new && !retried.has(`${person_id} ${key}`)) continue
      if (!sends_alert || move.kind !== 'joined' || !to?.domain || to.account_id || isOwn(to.domain)) continue
      const company = { id: newId(), name: to.employer, domain: to.domain, suggested_by: id }
      const accountId =
        (await insertSuggestion(db, workspaceId, company)) ??
        (await findCompanyAccounts(db, workspaceId, [company])).map(({ id }) => id)[0]
      if (accountId) await setMoveAccount(db, workspaceId, id, accountId)
    }
  })
}

/**
 * The moves with the account, or else the domain, of the company that somebody has come to. What is known is not looked up again,
 * but for the companies of which nothing could be found out lately (`retried`, as `person key`).
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
  for (const { name, reason } of reports)
    log.warn({ source: name, reason }, 'companies of moves could not be looked up')
  const domains = new Map([...candidates.values()].map(({ name, domain }) => [companyKey(name), domain]))
  const resolved = fresh.map((move) =>
    // The text's own domain is proven, or it gives none.
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
