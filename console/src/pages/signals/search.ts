import { enumParam, textParam } from '../../lib/search-params.ts'

const SHOWN = ['on', 'off', 'own'] as const

type Search = { q?: string | undefined; show?: (typeof SHOWN)[number] | undefined }

/** The search parameters of the page. */
export function readSignalsSearch(raw: Record<string, unknown>): Search {
  return { q: textParam(raw, 'q'), show: enumParam(raw, 'show', SHOWN) }
}
