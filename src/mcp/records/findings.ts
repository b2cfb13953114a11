import type { Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ClosedObject } from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE, visibleText } from '../shared/untrusted-text.ts'

/** How much of a finding is shown, in proofs and characters. */
type Amount = { proofs: number; headline: number; sentence: number; written: number }
/** Without the texts generated from the evidence: the reason and the draft. */
export const BRIEF_FINDING: Amount = { proofs: 1, headline: 120, sentence: 200, written: 0 }
export const FULL_FINDING: Amount = { proofs: 10, headline: 300, sentence: 600, written: 4000 }

export const FindingRecord = ClosedObject({
  id: Type.String(),
  signal_id: Type.String(),
  detected_at: Type.String({ description: 'Date of the event' }),
  strength: Type.Integer({ description: '0 to 100' }),
  confidence: Type.Number({ description: 'Probability that it is true, 0 to 1' }),
  quoted: ClosedObject(
    {
      headline: Nullable(Type.String()),
      why_reach_out: Type.Optional(Nullable(Type.String())),
      draft: Type.Optional(
        Nullable(Type.String({ description: 'A message written from the evidence, for a person to review' })),
      ),
      evidence: Type.Array(
        ClosedObject({
          quote: Type.String({ description: 'The sentence of the page that proves it, or the claim' }),
          source_url: Nullable(Type.String()),
          published_date: Nullable(Type.String()),
        }),
      ),
      more_evidence: Type.Integer({ description: 'Proofs that are not shown; read_account with full shows them' }),
    },
    { description: UNTRUSTED_NOTICE },
  ),
})
export type FindingRecord = Static<typeof FindingRecord>

export function toFindingRecord(
  one: Schemas['SignalDetection'],
  { proofs, headline, sentence, written }: Amount,
): FindingRecord {
  const cut = (text: string | null) => text && visibleText(text, written)
  return {
    ...{ id: one.id, signal_id: one.signal_id, detected_at: one.detected_at },
    ...{ strength: one.alpha, confidence: Math.round(one.confidence * 100) / 100 },
    quoted: {
      headline: one.headline && singleLine(one.headline, headline),
      ...(written > 0 ? { why_reach_out: cut(one.why_reach_out_md), draft: cut(one.drafted_message_md) } : {}),
      evidence: one.evidence.slice(0, proofs).map(({ claim, quote, source_url, published_date }) => ({
        ...{ quote: singleLine(quote ?? claim, sentence), source_url, published_date },
      })),
      more_evidence: Math.max(0, one.evidence.length - proofs),
    },
  }
}

/** The event, its date and its sources; `about` names the account in a list of several accounts. */
export function formatFinding({ signal_id, detected_at, strength, quoted }: FindingRecord, about = ''): string {
  const { headline, why_reach_out, draft, evidence, more_evidence } = quoted
  const lines = [
    `**${signal_id}** ${detected_at}, strength ${strength}${about}${headline ? `: ${quoteName(headline, FULL_FINDING.headline)}` : ''}`,
  ]
  for (const proof of evidence) lines.push(blockQuote(proof.quote, proof.source_url))
  if (more_evidence > 0) lines.push(`(more proofs: ${more_evidence}; read_account with full: true shows all)`)
  if (why_reach_out) lines.push('Why reach out:', blockQuote(why_reach_out))
  if (draft) lines.push('Draft, for a person to review:', blockQuote(draft))
  return lines.join('\n')
}
