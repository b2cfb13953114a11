import { flag, oneOf, text, whole } from '../../lib/search-params.ts'

export const TABS = ['findings', 'timeline', 'people', 'runs'] as const
export type Tab = (typeof TABS)[number]

/** What the address of this page holds beside its path. */
export type Search = {
  /** Absent: the findings. */
  tab?: Tab | undefined
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

export function readSearch(raw: Record<string, unknown>): Search {
  return {
    tab: oneOf(raw, 'tab', TABS),
    open: oneOf(raw, 'open', ['edit', 'push', 'delete']),
    all: flag(raw, 'all') || undefined,
    wrong: flag(raw, 'wrong') || undefined,
    page: whole(raw, 'page', 2),
    run: text(raw, 'run', 60),
  }
}
