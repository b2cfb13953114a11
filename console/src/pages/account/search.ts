import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

export const ACCOUNT_TABS = ['findings', 'timeline', 'people', 'runs'] as const
export type AccountTab = (typeof ACCOUNT_TABS)[number]

/** The search parameters of the page. */
export type AccountSearch = {
  /** Default: findings. */
  tab?: AccountTab | undefined
  /** The open dialog. */
  open?: 'edit' | 'push' | 'delete' | undefined
  /** Timeline: includes checks without changes. */
  all?: true | undefined
  /** Findings: includes those marked wrong. */
  wrong?: true | undefined
  /** People: the page number. */
  page?: number | undefined
  /** Scans: the open scan. */
  run?: string | undefined
}

export function readAccountSearch(raw: Record<string, unknown>): AccountSearch {
  return {
    tab: enumParam(raw, 'tab', ACCOUNT_TABS),
    open: enumParam(raw, 'open', ['edit', 'push', 'delete']),
    all: booleanParam(raw, 'all') || undefined,
    wrong: booleanParam(raw, 'wrong') || undefined,
    page: integerParam(raw, 'page', 2),
    run: textParam(raw, 'run', 60),
  }
}
