import { RELATIONSHIPS } from '../../lib/relationships.ts'
import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

export const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new'] as const
const SORTS = ['score', 'last_signal_at', 'created_at'] as const

function read(raw: Record<string, unknown>) {
  return {
    search: textParam(raw, 'search', 300),
    status: enumParam(raw, 'status', STATUSES),
    owner: textParam(raw, 'owner'),
    tag: textParam(raw, 'tag'),
    industry: textParam(raw, 'industry'),
    country: textParam(raw, 'country'),
    relationship: enumParam(raw, 'relationship', RELATIONSHIPS),
    min_score: integerParam(raw, 'min_score'),
    hot: booleanParam(raw, 'hot'),
    run: textParam(raw, 'run'),
    import: textParam(raw, 'import'),
    sort: enumParam(raw, 'sort', SORTS),
    order: enumParam(raw, 'order', ['asc', 'desc']),
    page: integerParam(raw, 'page'),
    /** The Add account dialog is open. */
    add: booleanParam(raw, 'add'),
    /** The name in that dialog. */
    name: textParam(raw, 'name', 300),
  }
}

export type AccountsSearch = Partial<ReturnType<typeof read>>

/** The search parameters of the page. */
export const readAccountsSearch = (raw: Record<string, unknown>): AccountsSearch => read(raw)

/** The id of the import on the page. */
export const readImportSearch = (raw: Record<string, unknown>): { id?: string | undefined } => ({
  id: textParam(raw, 'id'),
})

/** The filters of the URL as API parameters. */
export function accountFilters({ owner, run, import: importId, page, add, name, ...rest }: AccountsSearch) {
  return { ...rest, owner_id: owner, run_id: run, import_id: importId }
}
