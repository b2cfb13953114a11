import { enumParam, textParam } from '../../lib/search-params.ts'

const SHOWN = ['on', 'off', 'own'] as const

type Search = { q?: string | undefined; show?: (typeof SHOWN)[number] | undefined }

/** What the address of this page holds beside its path. */
export function readSignalsSearch(raw: Record<string, unknown>): Search {
  return { q: textParam(raw, 'q'), show: enumParam(raw, 'show', SHOWN) }
}
