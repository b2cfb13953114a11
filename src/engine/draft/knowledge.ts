// What a message says of the sender: sentences of the knowledge base, one that says what we bring and one that proves it.
// They are chosen, not written: only what has no verb or no subject of its own gets one, so that it reads as a sentence.
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../signals/index.ts'
import type { EventSummary } from './event.ts'
import { type KnowledgeSection, PITCH_TYPES, prepareSections, wordStems } from './sections.ts'
import { toSentence } from './statements.ts'

export type Offer = { pitch: string | null; more: string | null; proof: string | null }

/** The sentences that fit the event best, each ready to be read on its own. */
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
      // Beside hard news, what does not help with it is out of place; what we are may be said.
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
  // Where nothing proves it, the sentence that follows says more.
  const second = proof === null && kind !== 'hardship' && pitch !== null ? (followers.get(pitch) ?? null) : null
  const said = pitch && toSentence(pitch, company, 'What you get')
  return { pitch: said, more: second && !isAstray(second) ? second : null, proof }
}

const best = (rows: readonly { text: string; score: number }[]) =>
  rows.reduce<{ text: string; score: number } | null>((top, row) => (!top || row.score > top.score ? row : top), null)
    ?.text ?? null
