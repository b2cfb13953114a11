import { flag, text, whole } from '../../lib/search-params.ts'

type Search = {
  /** Something new is being added. */
  add?: boolean | undefined
  /** The id of what is being changed. */
  edit?: string | undefined
  page?: number | undefined
}

/** What the address of this page holds beside its path. */
export function readSearch(raw: Record<string, unknown>): Search {
  return { add: flag(raw, 'add'), edit: text(raw, 'edit', 40), page: whole(raw, 'page') }
}
