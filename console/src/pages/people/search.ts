import { booleanParam, enumParam, integerParam, listParam, textParam } from '../../lib/search-params.ts'

export const JOB_LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff'] as const
export const SOURCES = ['waterfall', 'employee', 'crm'] as const
const SORTS = ['name'] as const
const VIEWS = ['find'] as const

/** The search parameters of the page. */
export function readPeopleSearch(raw: Record<string, unknown>): PeopleSearch {
  return read(raw)
}

function read(raw: Record<string, unknown>) {
  return {
    q: textParam(raw, 'q'),
    account: textParam(raw, 'account', 40),
    level: enumParam(raw, 'level', JOB_LEVELS),
    country: textParam(raw, 'country', 2),
    email: booleanParam(raw, 'email'),
    source: enumParam(raw, 'source', SOURCES),
    list: textParam(raw, 'list', 40),
    owner: textParam(raw, 'owner', 40),
    sort: enumParam(raw, 'sort', SORTS),
    page: integerParam(raw, 'page'),
    /** The Find people view: query, account ids and id of the search. */
    view: enumParam(raw, 'view', VIEWS),
    ask: textParam(raw, 'ask', 2_000),
    at: listParam(raw, 'at', 50),
    search: textParam(raw, 'search', 40),
  }
}

export type PeopleSearch = Partial<ReturnType<typeof read>>

export const PER_PAGE = 50

/** The filters as API parameters. */
export function peopleFilters({ q, account, level, country, email, source, list, owner, sort }: PeopleSearch) {
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
