// Chooses the sentences about the sender from the knowledge base: one with the offer and one that proves it. Sentences are
// chosen, not written: only fragments get a subject or a verb, so that they read as sentences.
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../signals/index.ts'
import type { EventSummary } from './event.ts'
import { type KnowledgeSection, PITCH_TYPES, prepareSections, wordStems } from './sections.ts'
import { toSentence } from './statements.ts'

export type Offer = { pitch: string | null; more: string | null; proof: string | null }

/** The sentences that fit the event best, each complete on its own. */
export function chooseOffer(
  sections: readonly KnowledgeSection[],
  { angle, kind }: Pick<EventSummary, 'angle' | 'kind'>,
  event: string,
  company?: string,
): Offer {
  const { pitches, proofs, followers } = prepareSections(sections, company)
  const wanted = wordStems(event)
  const words = findBuiltinSignal(angle ?? '')?.draft
  const isNear = (text: string) => words?.near.test(text) === true
  const isAstray = (text: string) => BUILTIN_SIGNALS.some(({ id, draft }) => id !== angle && draft.about?.test(text))
  const fits = ({ text, stems }: { text: string; stems: ReadonlySet<string> }) =>
    stems.intersection(wanted).size +
    (isNear(text) ? 1.5 : 0) -
    (isAstray(text) && !words?.about?.test(text) ? 1.5 : 0) +
    (/\b(?:we|our|us)\b/i.test(text) || (company && text.includes(company)) ? 0.5 : 0)
  const pitch = best(
    pitches
      // With hard news only an introduction or an offer that helps with the event is appropriate.
      .filter(({ text, type }) => kind !== 'hardship' || type === 'overview' || (isNear(text) && !isAstray(text)))
      .map((one) => ({
        text: one.text,
        score: fits(one) + (PITCH_TYPES.length - one.rank) * 0.75 - (one.isProof ? 2 : 0),
      })),
  )
  const others = proofs
    .filter(({ source }) => source !== pitch)
    .map((one) => ({ text: one.text, score: one.score + fits(one) }))
  const proof = best(others)
  // Without a proof, the sentence after the offer is added.
  const second = proof === null && kind !== 'hardship' && pitch !== null ? (followers.get(pitch) ?? null) : null
  const sentence = pitch && toSentence(pitch, company, 'What you get')
  return { pitch: sentence, more: second && !isAstray(second) ? second : null, proof }
}

const best = (rows: readonly { text: string; score: number }[]) =>
  rows.reduce<{ text: string; score: number } | null>((top, row) => (!top || row.score > top.score ? row : top), null)
    ?.text ?? null
