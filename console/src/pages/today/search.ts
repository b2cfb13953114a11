import { flag, text } from '../../lib/search-params.ts'

/** What the address of this page holds beside its path: which findings are shown. */
export function readSearch(raw: Record<string, unknown>) {
  return {
    /** Ids of signals with commas between them. */
    signal: text(raw, 'signal', 1_000),
    owner: text(raw, 'owner', 40),
    tag: text(raw, 'tag', 60),
    hot: flag(raw, 'hot') || undefined,
  }
}

export type Search = ReturnType<typeof readSearch>

/** The same as filters of the API. */
export function filtersOf({ signal, owner, tag, hot }: Search) {
  return {
    ...(signal && { signal_id: signal }),
    ...(owner && { owner_id: owner }),
    ...(tag && { tag }),
    ...(hot && { hot }),
  }
}

export type Filters = ReturnType<typeof filtersOf>
