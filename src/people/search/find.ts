import type { Deps } from '../../deps/deps.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { AppError } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import { redactQuery } from '../redact/redact-findings.ts'
import { PeopleSearcher, type SearchHit } from './people-searcher.ts'
import { type CompiledRequest, compileRequest, NO_ROLE_MESSAGE, toTierSummaries } from './request.ts'
import { findPeopleByIds, findSearchableAccounts, finishPeopleSearch, insertPeopleSearch } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'secrets'> & ProviderParts
type Request = { query: string; account_ids?: string[]; max_accounts?: number; search_id?: string }

const DEFAULT_ACCOUNTS = 20
const MAX_ACCOUNTS = 50
/** Part of the time budget reserved for building the response. */
const RESERVE_MS = 500
/** A search that has not finished this long after its budget counts as interrupted. */
const GRACE_SECONDS = 60

/**
 * Finds people at active accounts. The request is compiled to a cascade of tiers, which is applied to each account until
 * enough people are found, in the roster and beyond it. Hits are stored with their tier and get a verified work email or
 * the reason why there is none. An account that fails does not end the search, and on timeout the hits so far are returned;
 * both are reported in `problems`. The search can be read by its id while it runs. Throws account_not_searchable with the
 * accounts that cannot be searched, and invalid_request for too many accounts or an id that is already used.
 */
export async function findPeople(parts: Parts, viewer: Viewer, memberId: string, request: Request) {
  const { config, db } = parts
  const accountIds = await selectAccountsToSearch(parts, viewer, request)
  const signal = AbortSignal.timeout(Math.max(config.FIND_BUDGET_SECONDS * 1000 - RESERVE_MS, RESERVE_MS))
  const id = request.search_id?.toLowerCase() ?? newId()
  await insertPeopleSearch(db, viewer.workspace_id, {
    id,
    // The search uses the query as typed; erased people are removed only from the stored query.
    query: await redactQuery(parts, viewer.workspace_id, request.query),
    created_by: memberId,
    accounts: accountIds.length,
    lastsSeconds: config.FIND_BUDGET_SECONDS + GRACE_SECONDS,
  })
  const compiled = await compileRequest(parts, request.query, signal)
  const search = new PeopleSearcher(parts, { workspaceId: viewer.workspace_id, id, signal, ...compiled })
  // A request without tiers cannot match any person.
  if (compiled.cascade.tiers.length > 0) await search.run(accountIds)
  await finishPeopleSearch(db, viewer.workspace_id, id, search.problems)
  const contacts = await contactsOf(db, viewer, search.hitsOf(accountIds))
  // A name or title words without a match are not reported as tiers.
  const tiers = compiled.role || contacts.length > 0 ? compiled.cascade.tiers : []
  return {
    found: contacts.length,
    found_with_email: contacts.filter(({ email }) => email !== null).length,
    accountsSearched: search.searched,
    tiers: tiers.length,
    cascade: toTierSummaries(tiers),
    contacts,
    search_id: id,
    message: contacts.length > 0 ? null : noHitsMessage(compiled, accountIds.length, search.isComplete),
    complete: search.isComplete,
    problems: search.problems,
    notice: compiled.notice,
  }
}

function noHitsMessage({ role, cascade }: CompiledRequest, accounts: number, isComplete: boolean): string {
  const { tiers, names = [], places = [], credentials = [] } = cascade
  if (tiers.length === 0 || (!role && names.length + places.length + credentials.length === 0)) return NO_ROLE_MESSAGE
  if (accounts === 0) return 'There is no active account to search.'
  const message = role
    ? 'No person with this role or an adjacent one was found.'
    : names.length > 0
      ? `No person named ${names.map((name) => `"${name.join(' ')}"`).join(' or ')} was found, and the request names no role.`
      : 'No person with this location or credential was found, and the request names no role.'
  return isComplete ? message : `${message} Not everything could be searched: see problems.`
}

/**
 * Returns the accounts named in the request, all of which must be searchable, or the latest active ones. Throws
 * account_not_searchable, and invalid_request when more accounts are named than one call searches.
 */
export async function selectAccountsToSearch(
  { db }: Pick<Parts, 'db'>,
  viewer: Viewer,
  { account_ids, max_accounts }: Request,
) {
  if (!account_ids) {
    const limit = Math.min(max_accounts ?? DEFAULT_ACCOUNTS, MAX_ACCOUNTS)
    return (await findSearchableAccounts(db, viewer, { limit })).map(({ id }) => id)
  }
  const all = [...new Set(account_ids.map((id) => id.toLowerCase()))]
  rejectTooMany(all.length, max_accounts)
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

function rejectTooMany(named: number, max_accounts = MAX_ACCOUNTS): void {
  const path = max_accounts < MAX_ACCOUNTS ? 'max_accounts' : 'account_ids'
  if (named <= Math.min(max_accounts, MAX_ACCOUNTS)) return
  const message =
    path === 'max_accounts'
      ? `${named} accounts are named, but max_accounts is ${max_accounts}. Leave max_accounts out, or name fewer accounts.`
      : `${named} accounts are named, and one call searches at most ${MAX_ACCOUNTS}. Name them in several calls.`
  throw new AppError('invalid_request', message, { details: [{ path, message }] })
}

/** Returns the hits as they are stored now, without people who were erased or reassigned concurrently, with the tier of this search. */
async function contactsOf(db: Parts['db'], viewer: Viewer, hits: readonly SearchHit[]) {
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
