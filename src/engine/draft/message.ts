// A message to one person: what happened, why it concerns them, what we bring, what proves it, one question.
import type { Addressee } from './addressee.ts'
import type { ToldEvent } from './event.ts'
import type { Offer } from './knowledge.ts'
import {
  AREAS,
  ASKS,
  ASKS_ALONE,
  FOR_ROLE,
  FOR_TITLE,
  NEW_POSITION,
  OPENINGS,
  type Parts,
  type Phrase,
  SUBJECTS,
} from './phrases.ts'
import { escapeMarkdown } from './wording.ts'

const MAX_WORDS = 120
const MAX_SUBJECT_CHARS = 70

export type MessageInput = {
  /** The account's name as people write it. */
  account: string
  event: ToldEvent
  /** The day of the company's own announcement, in words; null for somebody else's. */
  announced: string | null
  to: Addressee
  offer: Offer
  sender: { name?: string; company?: string }
  /** What decides between sentences that say the same: equal seeds make equal messages. */
  seed: string
}

export function messageOf({ account, event, announced, to, offer, sender, seed }: MessageInput): string {
  const parts: Parts = { ...event, account, announced }
  const pick = <T>(slot: string, list: readonly T[]): T => list[hash(`${slot} ${seed}`) % list.length] as T
  const say = (slot: string, phrases: readonly Phrase[]): string | null => {
    const sayable = phrases.map((phrase) => phrase(parts)).filter((text) => text !== null)
    return sayable.length > 0 ? pick(slot, sayable) : null
  }
  const first = <T>(groups: readonly T[], read: (group: T) => string | null): string =>
    groups.reduce<string | null>((found, group) => found ?? read(group), null) ?? ''

  const isOwn = to.is_new && to.title !== null
  const opening = isOwn
    ? say('opening', NEW_POSITION(to.title as string))
    : first(OPENINGS[event.kind], (group) => say('opening', group))
  const bridge = isOwn ? null : bridgeOf(event, to, pick)
  const pitch = offer.pitch && introduced(offer.pitch, sender.company)
  // Figures of other customers are out of place beside hard news.
  const proof = event.kind === 'hardship' ? null : offer.proof
  const ask =
    offer.pitch || offer.proof
      ? say('ask', ASKS[event.kind])
      : event.kind === 'hardship'
        ? say('ask', ASKS.hardship)
        : say('ask', ASKS_ALONE)
  const subjects = SUBJECTS[event.kind]
    .map((phrase) => phrase(parts))
    .filter((text) => text !== null && text.length <= MAX_SUBJECT_CHARS)
  const subject = isOwn
    ? `Your new role at ${account}`
    : subjects.length > 0
      ? pick('subject', subjects)
      : `A question for ${account}`

  const body = (withBridge: boolean, withProof: boolean) =>
    [join(opening, withBridge ? bridge : null), join(pitch, withProof ? proof : null), ask].filter(
      (paragraph) => paragraph,
    )
  const fitting = [body(true, true), body(false, true), body(false, false)]
  const text = fitting.find((paragraphs) => wordsIn(paragraphs.join(' ')) <= MAX_WORDS - 8) ?? fitting[2]
  const signature = [sender.name, sender.name ? sender.company : undefined].filter((line) => line)
  return [
    `**Subject:** ${escapeMarkdown(subject as string)}`,
    to.given ? `Hi ${escapeMarkdown(to.given)},` : 'Hello,',
    ...(text as string[]).map(escapeMarkdown),
    ...(signature.length > 0
      ? [`Best regards,\n${signature.map((line) => escapeMarkdown(line as string)).join('\n')}`]
      : []),
  ].join('\n\n')
}

function bridgeOf(
  { kind }: ToldEvent,
  { title, department }: Addressee,
  pick: <T>(slot: string, list: readonly T[]) => T,
): string | null {
  if (kind === 'hardship' || kind === 'other' || !department) return null
  const area = AREAS[kind][department] ?? AREAS[kind].Other
  return title ? pick('bridge', FOR_TITLE)(area, title) : pick('bridge', FOR_ROLE)(area)
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
