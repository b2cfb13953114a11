// Tries a described signal on a text before it is saved: every sentence that would be found.
import { findCompany } from '../company-names.ts'
import type { Reader } from '../reader/index.ts'
import { type CustomMatcher, isRuledOut, previewCustomSignal } from './custom-signal.ts'
import { buildLexicon, readDocument } from './document.ts'
import { MIN_CONFIDENCE, sentenceText } from './index.ts'

export type PreviewMatch = { sentence: string; confidence: number }

/** The text as if it were about the company; without a name nobody is marked in it. The likeliest sentence comes first. */
export async function previewOnText(
  reader: Reader,
  matcher: CustomMatcher,
  { title, text, company }: { title: string; text: string; company: string | null },
): Promise<{ judged_by: string; matches: PreviewMatch[] }> {
  const status = await reader.status()
  if (!status.ready) {
    const matches = previewCustomSignal(matcher, title, text).map(({ sentence, confidence }) => ({
      sentence,
      confidence,
    }))
    return { judged_by: 'linear', matches }
  }
  const document = readDocument(buildLexicon(), title, text)
  const { tokens, lower, titleEnd } = document
  const mentions = company ? findCompany(tokens, lower, { name: company }, titleEnd).mentions : []
  const question = { document, mentions, linear: null, descriptions: [matcher.description] }
  const [judgement] = await reader.judge([question])
  const matches = (judgement?.described[0] ?? [])
    .filter(({ confidence, sentence }) => confidence >= MIN_CONFIDENCE && !isRuledOut(document, matcher, sentence))
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ confidence, sentence }) => ({
      sentence: sentenceText(document, sentence).sentence,
      confidence: Math.round(confidence * 1000) / 1000,
    }))
  return { judged_by: status.version, matches }
}
