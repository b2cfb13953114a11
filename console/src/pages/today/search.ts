import { booleanParam, textParam } from '../../lib/search-params.ts'

/** The search parameters of the page. */
export function readFeedSearch(raw: Record<string, unknown>) {
  return {
    /** Comma-separated signal ids. */
    signal: textParam(raw, 'signal', 1_000),
    owner: textParam(raw, 'owner', 40),
    tag: textParam(raw, 'tag', 60),
    hot: booleanParam(raw, 'hot') || undefined,
  }
}

export type FeedSearch = ReturnType<typeof readFeedSearch>

/** The filters as API parameters. */
export function feedFilters({ signal, owner, tag, hot }: FeedSearch) {
  return {
    ...(signal && { signal_id: signal }),
    ...(owner && { owner_id: owner }),
    ...(tag && { tag }),
    ...(hot && { hot }),
  }
}

export type FeedQueryFilters = ReturnType<typeof feedFilters>
