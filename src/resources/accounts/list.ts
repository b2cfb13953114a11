import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { Conditions, readPage, streamRows } from '../../db/page-query.ts'
import { clampPage, type Page, toPage } from '../../http/schema.ts'
import { isId } from '../../ids.ts'
import { containing } from '../../search-text.ts'
import type { AccountsQuery, ListedAccount } from './schema.ts'
import { LIST_COLUMNS } from './store.ts'

type Listed = Static<typeof ListedAccount>
type Filters = Omit<AccountsQuery, 'page' | 'per_page'>

/** Ordering is total: ties are broken by id, so paging shows every account once. */
const ORDER = {
  'score desc': 'score desc, id desc',
  'score asc': 'score asc, id asc',
  'created_at desc': 'created_at desc, id desc',
  'created_at asc': 'created_at asc, id asc',
  'last_signal_at desc': 'last_signal_at desc nulls last, id desc',
  'last_signal_at asc': 'last_signal_at asc nulls last, id asc',
} as const

export async function listAccounts(db: Db, workspaceId: string, filters: AccountsQuery): Promise<Page<Listed>> {
  const request = clampPage(filters)
  const query = accountsQuery(workspaceId, filters)
  if (!query) return toPage([], 0, request)
  const { rows, total } = await readPage<Listed>(db, query, request)
  return toPage(rows, total, request)
}

/** Every account the filters match, for an export. */
export async function* streamAccounts(db: Db, workspaceId: string, filters: Filters): AsyncGenerator<Listed> {
  const query = accountsQuery(workspaceId, filters)
  if (query) yield* streamRows<Listed>(db, query)
}

/** null: a filter names something that cannot be, so nothing matches. */
function accountsQuery(
  workspaceId: string,
  { status, owner_id, tag, domain, industry, min_score, search, sort, order }: Filters,
) {
  if (owner_id !== undefined && !isId(owner_id)) return null
  const where = new Conditions('accounts', workspaceId)
  if (status) where.and(`status = ${where.value(status)}`)
  if (owner_id) where.and(`owner_id = ${where.value(owner_id)}`)
  if (tag !== undefined) where.andSelective(`tags @> array[${where.value(tag)}::text]`)
  if (domain) where.andSelective(`domain like ${where.value(containing(domain))}`)
  if (industry) where.andSelective(`search_fold(industry) like ${where.value(containing(industry))}`)
  if (min_score !== undefined) where.and(`score >= ${where.value(min_score)}`)
  if (search) where.andSelective(`search_text like ${where.value(containing(search))}`)
  return {
    workspaceId,
    lists: ['accounts' as const],
    columns: LIST_COLUMNS.join(', '),
    table: 'accounts',
    where,
    orderBy: ORDER[`${sort} ${order}`],
  }
}
