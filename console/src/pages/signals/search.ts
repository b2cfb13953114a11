import { oneOf, text } from '../../lib/search-params.ts'

const SHOWN = ['on', 'off', 'own'] as const

type Search = { q?: string | undefined; show?: (typeof SHOWN)[number] | undefined }

/** What the address of this page holds beside its path. */
export function readSearch(raw: Record<string, unknown>): Search {
  return { q: text(raw, 'q'), show: oneOf(raw, 'show', SHOWN) }
}
