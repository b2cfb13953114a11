import { enumParam, textParam } from '../../lib/search-params.ts'

export type SuggestedSearch = { id?: string | undefined; sort?: 'score' | 'last_signal_at' | 'created_at' | undefined }

/** The search parameters of the page. */
export function readSuggestedSearch(raw: Record<string, unknown>): SuggestedSearch {
  return { id: textParam(raw, 'id'), sort: enumParam(raw, 'sort', ['score', 'last_signal_at', 'created_at']) }
}
