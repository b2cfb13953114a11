import { flag, oneOf, text, whole } from '../../lib/search-params.ts'

export const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new'] as const
const SORTS = ['score', 'last_signal_at', 'created_at'] as const

function read(raw: Record<string, unknown>) {
  return {
    search: text(raw, 'search', 300),
    status: oneOf(raw, 'status', STATUSES),
    owner: text(raw, 'owner'),
    tag: text(raw, 'tag'),
    industry: text(raw, 'industry'),
    country: text(raw, 'country'),
    min_score: whole(raw, 'min_score'),
    hot: flag(raw, 'hot'),
    run: text(raw, 'run'),
    sort: oneOf(raw, 'sort', SORTS),
    order: oneOf(raw, 'order', ['asc', 'desc']),
    page: whole(raw, 'page'),
    /** The dialog that adds one is open. */
    add: flag(raw, 'add'),
  }
}

export type AccountsSearch = Partial<ReturnType<typeof read>>

/** What the address of this page holds beside its path. */
export const readSearch = (raw: Record<string, unknown>): AccountsSearch => read(raw)

/** The import whose progress is shown. */
export const readImportSearch = (raw: Record<string, unknown>): { id?: string | undefined } => ({ id: text(raw, 'id') })

/** The filters of the address as the API takes them. */
export function filtersOf({ owner, run, page, add, ...rest }: AccountsSearch) {
  return { ...rest, owner_id: owner, run_id: run }
}
