// Previews a described signal on a text before it is saved: every sentence that it would find.

import type { DocumentClassifier } from '../classifier/index.ts'
import { findCompanyMentions } from '../companies/company-names.ts'
import { type CustomSignal, isExcludedSentence } from './custom-signal.ts'
import { parseDocument, sentenceText } from './document.ts'
import { MIN_CONFIDENCE } from './index.ts'

export type PreviewMatch = { sentence: string; confidence: number }

/**
 * Treats the text as being about the company, or else about the first name in it. Returns the most likely sentence
 * first.
 */
export async function previewSignalOnText(
  classifier: DocumentClassifier,
  signal: CustomSignal,
  { title, text, company }: { title: string; text: string; company: string | null },
): Promise<{ judged_by: string; matches: PreviewMatch[] }> {
  const document = parseDocument(title, text)
  const { tokens, lower, titleEnd } = document
  const name = company ?? firstName(`${title} ${text}`)
  const mentions = name ? findCompanyMentions(tokens, lower, { name }, titleEnd).mentions : []
  const question = { document, mentions, builtins: false, descriptions: [signal.description] }
  const [judgement] = await classifier.judge([question])
  const matches = (judgement?.described[0] ?? [])
    .filter(
      ({ confidence, sentence }) => confidence >= MIN_CONFIDENCE && !isExcludedSentence(document, signal, sentence),
    )
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ confidence, sentence }) => ({
      sentence: sentenceText(document, sentence).sentence,
      confidence: Math.round(confidence * 1000) / 1000,
    }))
  return { judged_by: classifier.version, matches }
}

const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}&.-]*(?: \p{Lu}[\p{L}\p{N}&.-]*)*/gu
const NO_NAME = new Set(
  'the a an in on at for with it we our this that these those after when as to and but'.split(' '),
)

/** The first capitalised words that are more than the opening of a sentence. */
function firstName(text: string): string | null {
  for (const [run] of text.slice(0, 500).matchAll(NAME)) {
    const words = run.split(' ')
    const name = (NO_NAME.has((words[0] as string).toLowerCase()) ? words.slice(1) : words).join(' ').replace(/\.$/, '')
    if (name.length > 1) return name
  }
  return null
}
