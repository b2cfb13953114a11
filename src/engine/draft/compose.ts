// Composes a message to one person: the event, its consequence, the offer, its proof, and one question. The same parts make an
// email, a short message and the opening of a call.
import { TITLE_WORDS } from '../claim/vocabulary.ts'
import { formatLongDate } from '../dates/calendar.ts'
import { splitFullName } from '../people/person-name.ts'
import type { Play } from '../playbook/index.ts'
import type { Recipient } from '../recipient/index.ts'
import { foldText } from '../text/fold.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import type { EventSummary } from './event.ts'
import type { Offer } from './offer.ts'
import {
  ASKS,
  ASKS_ALONE,
  ASKS_LATER,
  EARLIER_TALKS,
  formally,
  type KnownRelation,
  NEW_POSITION,
  NEW_POSITION_SUBJECTS,
  OPENINGS,
  type Phrase,
  type PhraseParts,
  RELATION_ASKS,
  RELATION_REMARKS,
  REMARKS_AFTER_HARD_NEWS,
  SHORT_ASKS,
  SUBJECTS,
} from './wording.ts'

export type Tone = 'brief' | 'warm' | 'formal'

/** The member who writes. */
export type Sender = {
  name: string
  job_title: string | null
  signature: string | null
  tone: Tone
  calendar_url: string | null
  /** Learned from edits: "Hello {first}," and "Cheers,". */
  greeting: string | null
  sign_off: string | null
  body_words: number | null
}

export type Message = { subject: string; body: string; short_message: string; call_opener: string }

export type MessageInput = {
  /** The account's name as people write it. */
  account: string
  event: EventSummary
  to: Recipient
  play: Play
  offer: Offer
  sender: Sender | null
  company: string | null
  /** What the team has with the account, when the last deal was decided, and where a champion was a customer. */
  relation?: { kind: KnownRelation; on: string | null; former?: string | null } | null
  /** Chooses between equivalent sentences: equal seeds give equal messages. */
  seed: string
}

/** The limits of a text without subject, greeting and signature; with them it has 60 to 110 words. */
const MIN_WORDS = 50
const MAX_WORDS = 98
const MAX_SUBJECT_CHARS = 60
/** Words that an email should have, by tone; edits of a member move it. */
const USUAL_WORDS: Readonly<Record<Tone, number>> = { brief: 60, warm: 75, formal: 75 }

/** Null when the event gives nothing to write about. */
export function composeMessage(input: MessageInput): Message | null {
  const { account, event, to, play, offer, sender, company, seed } = input
  const { kind } = event
  const isHard = kind === 'hardship'
  // Who has hard news is not reminded of a deal that failed.
  const relation = isHard && input.relation?.kind === 'lost_deal' ? null : (input.relation ?? null)
  const month = formatLongDate(relation?.on)?.replace(/^\d+ /, '')
  const parts: PhraseParts = {
    ...event,
    account,
    problem: play.problem,
    company,
    talked: month ? `in ${month}` : 'some time ago',
    former: relation?.former ?? '',
  }
  const pick: Pick = (slot, list) => list[hash(`${slot} ${seed}`) % list.length] as never
  const say = (
    slot: string,
    groups: readonly (readonly Phrase[])[],
    limit = Number.POSITIVE_INFINITY,
  ): string | null => {
    for (const group of groups) {
      const usable = group.map((phrase) => phrase(parts)).filter((text) => text !== null && text.length <= limit)
      if (usable.length > 0) return pick(slot, usable)
    }
    return null
  }
  const title = to.title ? speakableTitle(to.title) : null
  const news = say('opening', to.is_new ? [NEW_POSITION(title)] : OPENINGS[kind])
  if (!news) return null
  const earlier = relation?.kind === 'lost_deal' ? say('earlier', [EARLIER_TALKS]) : null
  const opening = join(earlier, news)
  const afterHardNews = isHard && relation ? REMARKS_AFTER_HARD_NEWS[relation.kind] : undefined
  const remark = relation && say('remark', [afterHardNews ?? RELATION_REMARKS[relation.kind]])
  const ownAsk = relation && !isHard ? say('ask', [RELATION_ASKS[relation.kind] ?? []]) : null
  // The team sells nothing new to those who already buy, or are about to.
  const isSold = relation?.kind === 'customer' || relation?.kind === 'open_deal'
  const known = relation ? offer.pitch : offer.pitch && introduce(offer.pitch, company, offer.is_specific, pick)
  const pitch = isSold ? remark : join(remark, known) || null
  // Figures of other customers are inappropriate with hard news.
  const proofs = isHard || isSold ? [] : offer.proofs
  const ask =
    ownAsk ??
    (isHard && isSold ? null : play.ask) ??
    say('ask', [isHard ? ASKS_LATER : !pitch ? ASKS_ALONE : offer.is_specific ? [...ASKS, ...ASKS_ALONE] : ASKS]) ??
    ''
  const calendar = sender?.calendar_url && !isHard ? `You can also pick a time here: ${sender.calendar_url}` : null
  const [reason = '', otherReason = ''] = rotate(play.reasons, hash(`reason ${seed}`))

  /** The versions with a proof, from short to long. */
  const versions = (proof: string | null) =>
    [[], [isSold ? null : offer.more, null], [null, otherReason]].map(([more, also]) => [
      join(opening, reason, also),
      join(pitch, proof, more),
      join(ask, calendar),
    ])
  const tone = sender?.tone ?? 'brief'
  const wanted = Math.min(MAX_WORDS, Math.max(MIN_WORDS, sender?.body_words ?? USUAL_WORDS[tone]))
  const paragraphs = chooseVersion(wanted, [...proofs, null].map(versions))
  const polish = tone === 'formal' ? formally : (text: string) => text
  const signature = sender ? signOff(sender, company) : null
  const body = [greet(to, sender), ...paragraphs.map(polish), ...(signature ? [signature] : [])].join('\n\n')
  const subject = say('subject', to.is_new ? [NEW_POSITION_SUBJECTS] : SUBJECTS[kind], MAX_SUBJECT_CHARS)
  const shortAsk = ownAsk ?? say('short ask', [isHard ? ASKS_LATER : SHORT_ASKS]) ?? ask
  const first = givenName(to)
  const caller = sender ? `this is ${join(sender.name, company && `from ${company}`)}.` : null
  return {
    subject: subject ?? `A question about ${account}`,
    body,
    short_message: polish(join(`Hi ${first},`, decapitalize(opening, account), pitch ?? reason, shortAsk)),
    call_opener: polish(
      join(
        `Hi ${first},`,
        caller,
        `I’m calling${!sender && company ? ` from ${company}` : ''} ${reasonToCall(event, to, account)}`,
        earlier,
        reason,
        isHard
          ? 'When would be a better time to talk about it?'
          : (ownAsk ?? `How are you going about ${play.problem}?`),
      ),
    ),
  }
}

type Pick = <T>(slot: string, list: readonly T[]) => T

/**
 * The version with the first proof that fits the limits, and of those with this proof the one closest to the wanted length; the
 * closest of all where none fits.
 */
function chooseVersion(wanted: number, byProof: readonly (readonly string[][])[]): string[] {
  const lengthOf = (paragraphs: readonly string[]) => countWords(paragraphs.join(' '))
  const isWithin = (paragraphs: readonly string[]) =>
    lengthOf(paragraphs) >= MIN_WORDS && lengthOf(paragraphs) <= MAX_WORDS
  const distance = (paragraphs: readonly string[]) => Math.abs(lengthOf(paragraphs) - wanted)
  const fitting = byProof.map((versions) => versions.filter(isWithin)).find((versions) => versions.length > 0)
  const [best = []] = (fitting ?? byProof.flat()).toSorted((a, b) => distance(a) - distance(b))
  return best.filter((paragraph) => paragraph !== '')
}

/** "Hi Ewa,", or as the member writes it. */
function greet(to: Recipient, sender: Sender | null): string {
  const first = givenName(to)
  const learned = sender?.greeting?.replaceAll('{first}', first).replaceAll('{full}', to.full_name)
  return learned ?? (sender?.tone === 'formal' ? `Dear ${to.full_name},` : `Hi ${first},`)
}

const SIGN_OFFS: Readonly<Record<Tone, string>> = { brief: 'Best,', warm: 'Warm regards,', formal: 'Kind regards,' }

function signOff({ name, job_title, signature, tone, sign_off }: Sender, company: string | null): string {
  const role = [job_title, company].filter(Boolean).join(', ')
  const lines = signature?.trim() || [name, role].filter(Boolean).join('\n')
  return `${sign_off ?? SIGN_OFFS[tone]}\n${lines}`
}

/** Chinese and Korean family names stand before two given names: "Tan Wei Ling". */
const FAMILY_NAME_FIRST =
  /^(?:Ang|Chan|Chang|Chen|Cheng|Cheong|Chia|Choi|Chong|Chow|Chua|Goh|Ho|Huang|Jung|Kang|Kim|Koh|Kwok|Lai|Lau|Lee|Leong|Leung|Li|Liang|Lim|Lin|Liu|Low|Ng|Ong|Park|Seah|Sim|Tan|Tang|Tay|Teo|Toh|Tsai|Wang|Wong|Wu|Xu|Yang|Yap|Yeo|Yip|Yoon|Zhang|Zhao|Zhou|Zhu) \p{Lu}\p{Ll}{1,5}[ -]\p{L}{2,6}$/u

/** The given name for a greeting; the whole name where it is only an initial or does not stand first. */
export function givenName({ full_name }: { full_name: string }): string {
  if (FAMILY_NAME_FIRST.test(full_name)) return full_name
  const given = splitFullName(full_name).first_name
  return given && given.replaceAll('.', '').length > 1 ? given : full_name
}

/** Names the sender's company once, where the sentence does not name it. */
function introduce(pitch: string, company: string | null, isSpecific: boolean, pick: Pick): string {
  if (!company || pitch.includes(company)) return pitch
  if (pitch.startsWith('We ')) {
    const rest = pitch.slice(3)
    return pick('introduction', [
      `At ${company}, we ${rest}`,
      `I work at ${company}, where we ${rest}`,
      `We at ${company} ${rest}`,
      ...(isSpecific ? [`This is where ${company} can help: we ${rest}`] : []),
      `I’m with ${company}, and we ${rest}`,
    ])
  }
  if (pitch.startsWith('Our ')) {
    const rest = pitch.slice(4)
    return pick('introduction', [`At ${company}, our ${rest}`, `I’m with ${company}, and our ${rest}`])
  }
  return `I’m with ${company}. ${pitch}`
}

function reasonToCall({ kind, you, news, clause, topic, quote }: EventSummary, to: Recipient, account: string): string {
  if (to.is_new) return `because you are new at ${account}.`
  if (kind === 'hardship') return `because I read about ${news ?? `${topic} at ${account}`}.`
  const fact = you ? `I saw that ${you}` : news ? `I read about ${news}` : clause ? `I read that ${clause}` : null
  return fact ? `because ${fact}.` : quote ? 'about your news.' : `about ${topic}.`
}

const join = (...parts: (string | null | undefined | false)[]) => parts.filter((part) => part).join(' ')
export const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length
const rotate = <T>(list: readonly T[], by: number): T[] =>
  list.length === 0 ? [] : [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

/** The first word of a sentence after "Hi Ewa,"; names and "I" keep their capital. */
const decapitalize = (sentence: string, account: string) =>
  /^I\b/.test(sentence) || sentence.startsWith(account)
    ? sentence
    : sentence.charAt(0).toLowerCase() + sentence.slice(1)

const MAX_TITLE_CHARS = 60
/** Additions to a title: a place, a company, another language. */
const ADDITION = /\s*[;|(–—].*$|\s-\s.*$|\s+at\s+(?=\p{Lu}).*$/u

/** A title that fits after "as": "Co-founder and CEO", "Vice President, Commercial". */
function speakableTitle(title: string): string | null {
  const [first = '', second = ''] = title.replace(ADDITION, '').split(/\s*,\s*/)
  const own = [first, ...(isPartOfTitle(second) ? [second] : [])]
    .join(', ')
    .replace(/\s*\/\s*/g, ' and ')
    .trim()
  return own.length >= 2 && own.length <= MAX_TITLE_CHARS && /^\p{L}/u.test(own) ? own : null
}

/** True for "Commercial"; false for a company or a town after a comma. */
const isPartOfTitle = (text: string) =>
  text !== '' && text.split(/\s+/).every((word) => TITLE_WORDS.has(word.toLowerCase()) || JOB_NOUNS.has(foldText(word)))

/** FNV-1a with the finalizer of MurmurHash3, because the low bits of FNV-1a alone depend on few characters. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
