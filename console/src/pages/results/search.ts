import { enumParam, integerParam, textParam } from '../../lib/search-params.ts'

export type ResultsSearch = {
  from?: string | undefined
  to?: string | undefined
  by?: 'source' | 'owner' | undefined
  window?: number | undefined
}

const dayParam = (raw: Record<string, unknown>, name: string) => {
  const day = textParam(raw, name, 10)
  return day && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined
}

/** The search parameters of the page. */
export function readResultsSearch(raw: Record<string, unknown>): ResultsSearch {
  return {
    from: dayParam(raw, 'from'),
    to: dayParam(raw, 'to'),
    by: enumParam(raw, 'by', ['source', 'owner']),
    window: integerParam(raw, 'window'),
  }
}

/** The parameters as the API has them. */
export function resultsQuery({ from, to, by, window = 90 }: ResultsSearch) {
  return {
    ...(from && { from }),
    ...(to && { to }),
    group_by: by ?? ('signal' as const),
    window_days: Math.min(window, 365),
  }
}
