import { compileCustomSignal, previewCustomSignal } from '../../engine/detect/custom-signal.ts'
import type { PreviewSignal } from './schema.ts'

/** Tries a description on a text as if the text were about the company. Nothing is stored. */
export function previewSignal({ description, title = '', text }: PreviewSignal) {
  const matcher = compileCustomSignal('preview', description)
  return {
    terms: matcher.terms.map(([first = '', ...synonyms]) => ({ term: first, synonyms })),
    required: matcher.required,
    matches: previewCustomSignal(matcher, title, text),
  }
}
