import type { Deps } from '../../deps/deps.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { AppError } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import { requestWithoutErased } from '../redact/found.ts'
import { type CompiledRequest, compileRequest, NO_ROLE, shownTiers } from './request.ts'
import { type Hit, PeopleSearcher } from './search.ts'
import { findPeopleByIds, findSearchableAccounts, finishSearch, insertSearch } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'secrets'> & ProviderParts
type Request = { query: string; account_ids?: string[]; max_accounts?: number; search_id?: string }

const DEFAULT_ACCOUNTS = 20
const MAX_ACCOUNTS = 50
/** Kept back from the budget for the answer itself. */
const RESERVE_MS = 500
/** A search that has not finished so long after its budget never will. */
const GRACE_SECONDS = 60

/**
 * Finds people at active accounts: the request becomes a cascade of tiers, which is run at each account until enough are
 * found, in the roster and beyond it; hits are kept with their tier and get a verified work email, or the reason why
 * not. One broken account does not end the search, and at the end of the time it answers with what it has; both are
 * said. It is readable under its id while it runs. Throws account_not_searchable naming the accounts that cannot be
 * searched, and invalid_request for more accounts than one call searches and for an id that another search has.
 */
export async function find(parts: Parts, viewer: Viewer, memberId: string, request: Request) {
  const { config, db } = parts
  const accountIds = await accountsToSearch(parts, viewer, request)
  const signal = AbortSignal.timeout(Math.max(config.FIND_BUDGET_SECONDS * 1000 - RESERVE_MS, RESERVE_MS))
  const id = request.search_id?.toLowerCase() ?? newId()
  await insertSearch(db, viewer.workspace_id, {
    id,
    // What was typed is searched for; whoever was erased is not kept with it.
    query: await requestWithoutErased(parts, viewer.workspace_id, request.query),
    created_by: memberId,
    accounts: accountIds.length,
    lastsSeconds: config.FIND_BUDGET_SECONDS + GRACE_SECONDS,
  })
  const compiled = await compileRequest(parts, request.query, signal)
  const search = new PeopleSearcher(parts, { workspaceId: viewer.workspace_id, id, signal, ...compiled })
  // A request that asks for nobody is no reason to look anywhere.
  if (compiled.cascade.tiers.length > 0) await search.run(accountIds)
  await finishSearch(db, viewer.workspace_id, id, search.problems)
  const contacts = await contactsOf(db, viewer, search.hitsOf(accountIds))
  // A name that nobody bears, or words that nobody has in their title, mean nothing here.
  const tiers = compiled.role || contacts.length > 0 ? compiled.cascade.tiers : []
  return {
    found: contacts.length,
    found_with_email: contacts.filter(({ email }) => email !== null).length,
    accountsSearched: search.searched,
    tiers: tiers.length,
    cascade: shownTiers(tiers),
    contacts,
    search_id: id,
    message: contacts.length > 0 ? null : whyNobody(compiled, accountIds.length, search.isComplete),
    complete: search.isComplete,
    problems: search.problems,
    notice: compiled.notice,
  }
}

function whyNobody({ role, cascade }: CompiledRequest, accounts: number, isComplete: boolean): string {
  const { tiers, names = [], places = [], credentials = [] } = cascade
  if (tiers.length === 0 || (!role && names.length + places.length + credentials.length === 0)) return NO_ROLE
  if (accounts === 0) return 'There is no active account to search.'
  const nobody = role
    ? 'Nobody with this role, or with one close to it, was found.'
    : names.length > 0
      ? `Nobody named ${names.map((name) => `"${name.join(' ')}"`).join(' or ')} was found, and the request names no role.`
      : 'Nobody known to be there, or to have that, was found, and the request names no role.'
  return isComplete ? nobody : `${nobody} Not everything could be searched: see problems.`
}

/**
 * The accounts named, all of which must be searchable, or the latest active ones. Throws account_not_searchable, and
 * invalid_request where more are named than one call searches: the caller asked for all of them.
 */
export async function accountsToSearch(
  { db }: Pick<Parts, 'db'>,
  viewer: Viewer,
  { account_ids, max_accounts }: Request,
) {
  if (!account_ids) {
    const limit = Math.min(max_accounts ?? DEFAULT_ACCOUNTS, MAX_ACCOUNTS)
    return (await findSearchableAccounts(db, viewer, { limit })).map(({ id }) => id)
  }
  const all = [...new Set(account_ids.map((id) => id.toLowerCase()))]
  refuseTooMany(all.length, max_accounts)
  const found = await findSearchableAccounts(db, viewer, { ids: account_ids.filter(isId) })
  const searchable = new Set(found.map(({ id }) => id))
  const named = [...new Set(account_ids)]
  const others = named.filter((id) => !searchable.has(id.toLowerCase()))
  if (others.length > 0) {
    throw new AppError(
      'account_not_searchable',
      'Some accounts cannot be searched: they are not active, or not visible to you.',
      { details: others.slice(0, 100).map((id) => ({ path: 'account_ids', message: id })) },
    )
  }
  return all
}

function refuseTooMany(named: number, max_accounts = MAX_ACCOUNTS): void {
  const path = max_accounts < MAX_ACCOUNTS ? 'max_accounts' : 'account_ids'
  if (named <= Math.min(max_accounts, MAX_ACCOUNTS)) return
  const message =
    path === 'max_accounts'
      ? `${named} accounts are named, but max_accounts is ${max_accounts}. Leave max_accounts out, or name fewer accounts.`
      : `${named} accounts are named, and one call searches at most ${MAX_ACCOUNTS}. Name them in several calls.`
  throw new AppError('invalid_request', message, { details: [{ path, message }] })
}

/** The hits as they are stored now, without those erased or handed on meanwhile; the tier is this search's, whatever another saved. */
async function contactsOf(db: Parts['db'], viewer: Viewer, hits: readonly Hit[]) {
  const stored = await findPeopleByIds(
    db,
    viewer,
    hits.map(({ id }) => id),
  )
  const byId = new Map(stored.map((person) => [person.id, person]))
  return hits.flatMap(({ id, tier, reason }) => {
    const person = byId.get(id)
    return person ? [{ ...person, icp_tier: tier, email_reason: person.email ? null : reason }] : []
  })
}
