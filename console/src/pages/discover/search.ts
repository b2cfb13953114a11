import { booleanParam, enumParam, integerParam, listParam, textParam } from '../../lib/search-params.ts'

export const RECENCIES = ['30', '90', '180', '365', 'all'] as const
export const MODES = ['discovery', 'monitor', 'both'] as const

function read(raw: Record<string, unknown>) {
  return {
    any: listParam(raw, 'any'),
    must: listParam(raw, 'must'),
    without: listParam(raw, 'without'),
    places: listParam(raw, 'places'),
    industries: listParam(raw, 'industries'),
    min: integerParam(raw, 'min', 0),
    max: integerParam(raw, 'max', 0),
    recency: enumParam({ recency: String(raw.recency) }, 'recency', RECENCIES),
    mode: enumParam(raw, 'mode', MODES),
    name: textParam(raw, 'name'),
    /** The run with visible results. */
    run: textParam(raw, 'run'),
    /** The Import companies dialog is open. */
    companies: booleanParam(raw, 'companies'),
  }
}

export type DiscoverSearch = Partial<ReturnType<typeof read>>

/** The search parameters of the page: the form values. */
export const readDiscoverSearch = (raw: Record<string, unknown>): DiscoverSearch => read(raw)
