import { booleanParam, textParam } from '../../lib/search-params.ts'

/** The search parameters of the page. */
export function readFeedSearch(raw: Record<string, unknown>): FeedSearch {
  return {
    signal: textParam(raw, 'signal', 1_000),
    owner: textParam(raw, 'owner', 40),
    tag: textParam(raw, 'tag', 60),
    hot: booleanParam(raw, 'hot') || undefined,
  }
}

export type FeedSearch = {
  /** Comma-separated signal ids. */
  signal?: string | undefined
  owner?: string | undefined
  tag?: string | undefined
  hot?: true | undefined
}

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
