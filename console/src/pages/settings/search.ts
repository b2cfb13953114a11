import { booleanParam, integerParam, textParam } from '../../lib/search-params.ts'

type Search = {
  /** Something new is being added. */
  add?: boolean | undefined
  /** The id of what is being changed. */
  edit?: string | undefined
  page?: number | undefined
}

/** What the address of this page holds beside its path. */
export function readSettingsSearch(raw: Record<string, unknown>): Search {
  return { add: booleanParam(raw, 'add'), edit: textParam(raw, 'edit', 40), page: integerParam(raw, 'page') }
}
