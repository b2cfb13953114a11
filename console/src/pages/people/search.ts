import { flag, oneOf, several, text, whole } from '../../lib/search-params.ts'

export const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff'] as const
export const SOURCES = ['waterfall', 'employee'] as const
const SORTS = ['name'] as const
const VIEWS = ['find'] as const

/** What the address of this page holds beside its path. */
export function readSearch(raw: Record<string, unknown>): Search {
  return read(raw)
}

function read(raw: Record<string, unknown>) {
  return {
    q: text(raw, 'q'),
    account: text(raw, 'account', 40),
    level: oneOf(raw, 'level', LEVELS),
    country: text(raw, 'country', 2),
    email: flag(raw, 'email'),
    source: oneOf(raw, 'source', SOURCES),
    list: text(raw, 'list', 40),
    owner: text(raw, 'owner', 40),
    sort: oneOf(raw, 'sort', SORTS),
    page: whole(raw, 'page'),
    /** Find People instead of the list: what is asked, at which accounts, and the search it became. */
    view: oneOf(raw, 'view', VIEWS),
    ask: text(raw, 'ask', 2_000),
    at: several(raw, 'at', 50),
    search: text(raw, 'search', 40),
  }
}

export type Search = Partial<ReturnType<typeof read>>

export const PER_PAGE = 50

/** The same as filters of the API. */
export function filtersOf({ q, account, level, country, email, source, list, owner, sort }: Search) {
  return {
    ...(q && { search: q }),
    ...(account && { account_id: account }),
    ...(level && { job_level: level }),
    ...(country && { country_code: country }),
    ...(email !== undefined && { has_email: email }),
    ...(source && { source }),
    ...(list && { list_id: list }),
    ...(owner && { owner_id: owner }),
    ...(sort && { sort: 'full_name' as const, order: 'asc' as const }),
  }
}
