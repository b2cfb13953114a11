import { RELATIONSHIPS } from '../../lib/relationships.ts'
import { booleanParam, enumParam, textParam } from '../../lib/search-params.ts'

/** The search parameters of the page. */
export function readFeedSearch(raw: Record<string, unknown>): FeedSearch {
  return {
    signal: textParam(raw, 'signal', 1_000),
    owner: textParam(raw, 'owner', 40),
    tag: textParam(raw, 'tag', 60),
    hot: booleanParam(raw, 'hot') || undefined,
    relationship: enumParam(raw, 'relationship', RELATIONSHIPS),
  }
}

export type FeedSearch = {
  /** Comma-separated signal ids. */
  signal?: string | undefined
  owner?: string | undefined
  tag?: string | undefined
  hot?: true | undefined
  relationship?: (typeof RELATIONSHIPS)[number] | undefined
}

/** The filters as API parameters. */
export function feedFilters({ signal, owner, tag, hot, relationship }: FeedSearch) {
  return {
    ...(signal && { signal_id: signal }),
    ...(owner && { owner_id: owner }),
    ...(tag && { tag }),
    ...(hot && { hot }),
    ...(relationship && { relationship }),
  }
}

export type FeedQueryFilters = ReturnType<typeof feedFilters>
