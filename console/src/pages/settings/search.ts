import { booleanParam, integerParam, textParam } from '../../lib/search-params.ts'

type Search = {
  /** The Add dialog is open. */
  add?: boolean | undefined
  /** The id of the record in the Edit dialog. */
  edit?: string | undefined
  page?: number | undefined
}

/** The search parameters of the page. */
export function readSettingsSearch(raw: Record<string, unknown>): Search {
  return { add: booleanParam(raw, 'add'), edit: textParam(raw, 'edit', 40), page: integerParam(raw, 'page') }
}
