// A message to one person: what happened, why it concerns them, what we bring, what proves it, one question.
import type { Addressee } from './addressee.ts'
import { findWorkArea } from './areas.ts'
import type { EventKind, EventSummary } from './event.ts'
import type { Offer } from './knowledge.ts'
import {
  ASKS,
  ASKS_ALONE,
  ASKS_LATER,
  ASKS_SAME,
  FOR_ROLE,
  FOR_TITLE,
  NEW_POSITION,
  OPENINGS,
  type Phrase,
  type PhraseParts,
  SUBJECTS,
} from './phrases.ts'
import { escapeMarkdown } from './wording.ts'

/** Without greeting and signature. */
const MAX_WORDS = 110
const MAX_SUBJECT_CHARS = 70

export type MessageInput = {
  /** The account's name as people write it. */
  account: string
  event: EventSummary
  /** The day of the company's own announcement, in words; null for somebody else's. */
  announced: string | null
  to: Addressee
  offer: Offer
  sender: { name?: string; company?: string }
  /** What decides between sentences that say the same: equal seeds make equal messages. */
  seed: string
}

export function writeMessage({ account, event, announced, to, offer, sender, seed }: MessageInput): string {
  const { kind } = event
  const parts: PhraseParts = { ...event, account, announced }
  const pick: Pick = (slot, list) => list[hash(`${slot} ${seed}`) % list.length] as never
  /** One sentence of the first group of which any can be said. */
  const say = (slot: string, groups: readonly (readonly Phrase[])[], limit = Number.POSITIVE_INFINITY): string => {
    for (const group of groups) {
      const sayable = group.map((phrase) => phrase(parts)).filter((text) => text !== null && text.length <= limit)
      if (sayable.length > 0) return pick(slot, sayable) as string
    }
    return ''
  }
  const isNew = to.is_new && to.title !== null
  const opening = say('opening', isNew ? [NEW_POSITION(to.title as string)] : OPENINGS[kind])
  const pitch = offer.pitch && introduced(offer.pitch, sender.company)
  // Beside hard news, whoever writes at least says who they are.
  const who =
    !pitch && kind === 'hardship' && sender.company ? `I am with ${sender.company}. What we do can wait.` : null
  // Figures of other customers are out of place beside hard news.
  const proof = kind === 'hardship' ? null : offer.proof
  const bridge = isNew ? null : bridgeOf(event, to, pitch !== null || proof !== null, pick)
  const ask = say('ask', [asksFor(kind, pitch, proof)])
  const subject = isNew ? `Your new role at ${account}` : say('subject', SUBJECTS[kind], MAX_SUBJECT_CHARS)

  const body = (withBridge: boolean, withProof: boolean) =>
    [
      join(opening, withBridge ? bridge : null),
      join(pitch ?? who, withProof ? (proof ?? offer.more) : null),
      ask,
    ].filter((text) => text)
  const shorter = [body(true, true), body(false, true), body(false, false)]
  const fitting = shorter.find((paragraphs) => wordsIn(paragraphs.join(' ')) <= MAX_WORDS) ?? body(false, false)
  const signature = sender.name ? [sender.name, ...(sender.company ? [sender.company] : [])] : []
  return [
    `**Subject:** ${escapeMarkdown(subject || `A question for ${account}`)}`,
    to.given ? `Hi ${escapeMarkdown(to.given)},` : 'Hello,',
    ...fitting.map((paragraph) => escapeMarkdown(paragraph)),
    ...(signature.length > 0 ? [`Best regards,\n${signature.map(escapeMarkdown).join('\n')}`] : []),
  ].join('\n\n')
}

type Pick = <T>(slot: string, list: readonly T[]) => T

function asksFor(kind: EventKind, pitch: string | null, proof: string | null): readonly Phrase[] {
  if (kind === 'hardship') return pitch ? ASKS.hardship : ASKS_LATER
  if (pitch) return ASKS[kind]
  return proof ? ASKS_SAME : ASKS_ALONE
}

function bridgeOf(
  { kind, angle }: EventSummary,
  { title, department }: Addressee,
  hasOffer: boolean,
  pick: Pick,
): string | null {
  const area = department && findWorkArea(kind, angle, department)
  if (!area) return null
  if (title) return pick('bridge', FOR_TITLE)(area, title)
  // Without an offer there is nothing that could be of use to anybody.
  return hasOffer ? pick('bridge', FOR_ROLE)(area) : null
}

/** Who "we" are, said where the sentence does not say it. */
function introduced(pitch: string, company: string | undefined): string {
  if (!company || pitch.includes(company)) return pitch
  if (pitch.startsWith('We ')) return `At ${company}, we ${pitch.slice(3)}`
  if (pitch.startsWith('Our ')) return `I am with ${company}, and our ${pitch.slice(4)}`
  return `I am with ${company}. ${pitch}`
}

const join = (...sentences: (string | null)[]) => sentences.filter((one) => one).join(' ')
const wordsIn = (text: string) => text.split(/\s+/).length

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  // The low bits of neighbouring texts are alike.
  value ^= value >>> 15
  return Math.imul(value, 0x2c1b3c6d) >>> 0
}
