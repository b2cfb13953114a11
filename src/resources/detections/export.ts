import type { Db } from '../../db/connect.ts'
import { findQuote, segmentSentences } from '../../engine/text/passage.ts'
import { type JudgedProof, streamJudgedProofs } from './feedback-store.ts'

/** All proofs with feedback, as labelled documents for the engine's evaluation (docs/engine.md). */
export async function* exportFeedback(db: Db, workspaceId: string): AsyncGenerator<object> {
  for await (const judged of streamJudgedProofs(db, workspaceId)) {
    const { detection_id, place, signal_id, verdict, reason, confidence, account_name } = judged
    const { title, sents, matching } = textOf(judged)
    yield {
      id: `feedback-${detection_id}-${place}`,
      genre: 'feedback',
      title,
      sents,
      companies: [{ name: account_name, also: [], signals: verdict === 'right' ? { [signal_id]: matching } : {} }],
      feedback: { finding: detection_id, signal_id, verdict, reason, confidence },
    }
  }
}

/** The judged text: the document, or the sentence alone where the document was deleted or has changed. */
function textOf({ proof: { quote }, title, text }: JudgedProof) {
  if (!quote) return { title: null, sents: [], matching: [] }
  if (title !== null && text !== null && findQuote(title, quote))
    return { title, sents: sentencesOf(text), matching: [0] }
  const place = text === null ? null : findQuote(text, quote)
  if (text === null || !place) return { title: null, sents: [quote], matching: [1] }
  const [start, end] = place
  const before = sentencesOf(text.slice(0, start))
  // The title counts as the first sentence.
  return { title, sents: [...before, quote, ...sentencesOf(text.slice(end))], matching: [before.length + 1] }
}

const sentencesOf = (text: string) => segmentSentences(text).map((sentence) => sentence.trim())
