import { booleanParam, textParam } from '../../lib/search-params.ts'

/** What the address of this page holds beside its path: which findings are shown. */
export function readFeedSearch(raw: Record<string, unknown>) {
  return {
    /** Ids of signals with commas between them. */
    signal: textParam(raw, 'signal', 1_000),
    owner: textParam(raw, 'owner', 40),
    tag: textParam(raw, 'tag', 60),
    hot: booleanParam(raw, 'hot') || undefined,
  }
}

export type FeedSearch = ReturnType<typeof readFeedSearch>

/** The same as filters of the API. */
export function feedFilters({ signal, owner, tag, hot }: FeedSearch) {
  return {
    ...(signal && { signal_id: signal }),
    ...(owner && { owner_id: owner }),
    ...(tag && { tag }),
    ...(hot && { hot }),
  }
}

export type FeedQueryFilters = ReturnType<typeof feedFilters>
