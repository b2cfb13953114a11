import { oneOf, text } from '../../lib/search-params.ts'

export type SuggestedSearch = { id?: string | undefined; sort?: 'score' | 'last_signal_at' | 'created_at' | undefined }

/** What the address of this page holds beside its path. */
export function readSearch(raw: Record<string, unknown>): SuggestedSearch {
  return { id: text(raw, 'id'), sort: oneOf(raw, 'sort', ['score', 'last_signal_at', 'created_at']) }
}
