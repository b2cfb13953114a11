import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

/** A repeated parameter, because the values may contain commas. */
function list(raw: Record<string, unknown>, name: string): string[] | undefined {
  const given = [raw[name]].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return given.length > 0 ? given.slice(0, 100).map((one) => one.slice(0, 200)) : undefined
}

export const RECENCIES = ['30', '90', '180', '365', 'all'] as const
export const MODES = ['discovery', 'monitor', 'both'] as const

function read(raw: Record<string, unknown>) {
  return {
    any: list(raw, 'any'),
    must: list(raw, 'must'),
    without: list(raw, 'without'),
    places: list(raw, 'places'),
    industries: list(raw, 'industries'),
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
