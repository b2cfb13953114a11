// Writes a message to one person: the event, why it concerns them, the offer, its proof, and one question.
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
import { escapeMarkdown } from './quoting.ts'

/** Not counting greeting and signature. */
const MAX_WORDS = 110
const MAX_SUBJECT_CHARS = 70

export type MessageInput = {
  /** The account's name as people write it. */
  account: string
  event: EventSummary
  /** The date of the company's announcement, in words; null when the source is not the company's. */
  announced: string | null
  to: Addressee
  offer: Offer
  sender: { name?: string; company?: string }
  /** Chooses between equivalent sentences: equal seeds give equal messages. */
  seed: string
}

export function writeMessage({ account, event, announced, to, offer, sender, seed }: MessageInput): string {
  const { kind } = event
  const parts: PhraseParts = { ...event, account, announced }
  const pick: Pick = (slot, list) => list[hash(`${slot} ${seed}`) % list.length] as never
  /** One sentence of the first group with a usable sentence. */
  const say = (slot: string, groups: readonly (readonly Phrase[])[], limit = Number.POSITIVE_INFINITY): string => {
    for (const group of groups) {
      const usable = group.map((phrase) => phrase(parts)).filter((text) => text !== null && text.length <= limit)
      if (usable.length > 0) return pick(slot, usable) as string
    }
    return ''
  }
  const isNew = to.is_new && to.title !== null
  const opening = say('opening', isNew ? [NEW_POSITION(to.title as string)] : OPENINGS[kind])
  const pitch = offer.pitch && introduced(offer.pitch, sender.company)
  // With hard news and no offer, the sender at least introduces themselves.
  const who =
    !pitch && kind === 'hardship' && sender.company ? `I am with ${sender.company}. What we do can wait.` : null
  // Figures of other customers are inappropriate with hard news.
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
  // Without an offer, "this may be useful" would be empty.
  return hasOffer ? pick('bridge', FOR_ROLE)(area) : null
}

/** Adds the sender's company where the sentence does not name it. */
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
  // FNV-1a alone gives similar texts similar low bits.
  value ^= value >>> 15
  return Math.imul(value, 0x2c1b3c6d) >>> 0
}
