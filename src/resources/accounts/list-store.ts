import type { Static } from 'typebox'
import { Conditions } from '../../db/conditions.ts'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import type { ListCache } from '../../db/list-cache.ts'
import { accountTotal } from '../../db/list-versions.ts'
import {
  emptyPage,
  type ListPage,
  type ListReader,
  readListIds,
  readListPage,
  streamRows,
} from '../../db/page-query.ts'
import { textForm } from '../../db/record-text.ts'
import { likePattern, searchFold } from '../../engine/text/fold.ts'
import { isId } from '../../shared/ids.ts'
import { hasRelationship } from './crm-store.ts'
import { type AccountsFilter, type AccountsQuery, type ListedAccount, MAX_IDS } from './schema.ts'
import { LIST_COLUMNS } from './store.ts'
import { UNQUALIFIED_REASON } from './suggestion-store.ts'

type Listed = Static<typeof ListedAccount>

const COLUMN_KINDS = {
  id: 'word',
  status: 'word',
  score: 'number',
  employees: 'number',
  tags: 'texts',
  owner_id: 'word',
  created_at: 'time',
  last_signal_at: 'time',
  is_hot: 'flag',
  qualified: 'flag',
  relationship: 'word',
} as const

const FORM = textForm(LIST_COLUMNS, COLUMN_KINDS)

const WITH_LATEST = textForm([...LIST_COLUMNS, 'latest_finding', 'unqualified_reason'], {
  ...COLUMN_KINDS,
  latest_finding: 'json',
})

/** The latest finding of each account, of a signal that the run searched for if there is one. $1 is the workspace. */
const latestFinding = (run: string | null) =>
  `(select json_build_object('signal_id', d.signal_id, 'headline', ${FINDING_HEADLINE}, 'detected_at', d.detected_at)
    from signal_detections as d join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
    where d.workspace_id = $1 and d.account_id = accounts.id and d.is_shown and signals.enabled
    order by ${
      run === null
        ? ''
        : `exists (select from runs where runs.workspace_id = $1 and runs.id = ${run}
          and (runs.spec #> '{signals,any_of}' ? d.signal_id or runs.spec #> '{signals,must_have}' ? d.signal_id)) desc,`
    } d.detected_at desc, d.created_at desc, d.id desc limit 1)`

/** Ordering is total: ties are broken by id, so that paging shows every account once. */
const ORDER = {
  'score desc': 'accounts.score desc, accounts.id desc',
  'score asc': 'accounts.score asc, accounts.id asc',
  'created_at desc': 'accounts.created_at desc, accounts.id desc',
  'created_at asc': 'accounts.created_at asc, accounts.id asc',
  'last_signal_at desc': 'accounts.last_signal_at desc nulls last, accounts.id desc',
  'last_signal_at asc': 'accounts.last_signal_at asc nulls last, accounts.id asc',
} as const

/** The page as JSON text. */
export async function listAccounts(
  db: Db,
  workspaceId: string,
  filters: AccountsQuery,
  reader: ListReader,
): Promise<ListPage> {
  const query = accountsQuery(workspaceId, filters)
  return query ? readListPage(db, query, filters, reader) : emptyPage(filters)
}

/** The ids of the matching accounts, in the order of the list. */
export async function listAccountIds(db: Db, workspaceId: string, filters: AccountsFilter, lists: ListCache) {
  const query = accountsQuery(workspaceId, filters)
  return query ? readListIds(db, query, MAX_IDS, lists) : { ids: [], total: 0, truncated: false }
}

/** All matching accounts, for an export. */
export async function* streamAccounts(db: Db, workspaceId: string, filters: AccountsFilter): AsyncGenerator<Listed> {
  const query = accountsQuery(workspaceId, filters)
  if (query) yield* streamRows<Listed>(db, query)
}

/** null: a filter has an impossible value, so nothing matches. */
function accountsQuery(workspaceId: string, filters: AccountsFilter & Pick<AccountsQuery, 'latest_finding'>) {
  const { status, owner_id, tag, domain, industry, min_score, search, hot, country, sort, order } = filters
  const { run_id, import_id, relationship } = filters
  if ([owner_id, run_id, import_id].some((id) => id !== undefined && !isId(id))) return null
  const where = new Conditions('accounts', workspaceId)
  if (status) where.and(`status = ${where.value(status)}`)
  // As a literal, because a generic plan cannot use the partial index of hot accounts.
  if (hot !== undefined) where.and(hot ? 'is_hot' : 'not is_hot')
  const counted = where.count
  if (owner_id) where.and(`owner_id = ${where.value(owner_id)}`)
  if (tag !== undefined) where.andMatching(tag, (value) => `tags @> array[${value}::text]`)
  if (domain) where.andSelective(`domain like ${where.value(likePattern(domain))}`)
  if (industry) where.andContaining(industry, (pattern) => `search_fold(industry) like ${pattern}`)
  if (min_score !== undefined) where.and(`score >= ${where.value(min_score)}`)
  if (search) where.andContaining(search, (pattern) => `search_text like ${pattern}`)
  if (relationship) where.and(hasRelationship(relationship))
  if (country) {
    const condition = `search_fold(country) = ${where.value(searchFold(country.trim()))}`
    // The index on the score returns them in the order of the list.
    if (sort === 'score') where.and(condition)
    else where.andSelective(condition)
  }
  if (import_id) where.andSelective(`import_id = ${where.value(import_id)}`)
  const run = run_id ? where.value(run_id) : null
  if (run) {
    where.andSelective(`id in (select account_id from run_candidates
      where workspace_id = $1 and run_id = ${run} and state = 'matched')`)
  }
  return {
    // Runs have no list version, so this filter is not cached.
    lists: run_id ? [] : ['accounts' as const],
    total: where.count === counted ? accountTotal(status, hot) : undefined,
    columns: LIST_COLUMNS,
    form: FORM,
    // Only on request, because it takes a lookup per account.
    ...(filters.latest_finding && {
      shownFrom: ['detections' as const],
      computed: { latest_finding: latestFinding(run), unqualified_reason: UNQUALIFIED_REASON },
      form: WITH_LATEST,
    }),
    table: 'accounts',
    where,
    orderBy: ORDER[`${sort} ${order}`],
  }
}
