import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

export const ACCOUNT_TABS = ['findings', 'timeline', 'people', 'runs'] as const
export type AccountTab = (typeof ACCOUNT_TABS)[number]

/** What the address of this page holds beside its path. */
export type AccountSearch = {
  /** Absent: the findings. */
  tab?: AccountTab | undefined
  /** The dialog that is open. */
  open?: 'edit' | 'push' | 'delete' | undefined
  /** Timeline: also looks that found nothing new. */
  all?: true | undefined
  /** Findings: those marked wrong, too. */
  wrong?: true | undefined
  /** People: the page of the list. */
  page?: number | undefined
  /** Runs: the one that is shown. */
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
