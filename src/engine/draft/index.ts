import { findPersonas } from '../cascade/personas.ts'
import { formatLongDate } from '../dates/calendar.ts'
import { parseHiringChange } from '../hiring/change-claims.ts'
import { formatOpenings, isOpeningsClaim, parseOpeningsClaim } from '../hiring/open-positions.ts'
import { type DefaultPlay, PLAY_FOR_COLLEAGUES, PLAY_FOR_FUNDED, PLAY_FOR_SELLERS } from '../playbook/defaults.ts'
import { type BuyingDepartment, buyingDepartment, findPlay } from '../playbook/index.ts'
import { readOffering } from '../playbook/offering.ts'
import { type Candidate, chooseRecipient, type Recipient, type RecipientChoice } from '../recipient/index.ts'
import { departmentDistance, signalName } from '../signals/index.ts'
import { readTitle } from '../titles/index.ts'
import { composeMessage, hash, type Message, type Sender } from './compose.ts'
import {
  type EventSummary,
  eventKindOf,
  isInformative,
  readEventTarget,
  shortCompanyName,
  summarizeEvent,
} from './event.ts'
import { type DraftEvidence, mentionsErased, removeErasedPeople } from './evidence.ts'
import { chooseOffer, type Offer, type Seller } from './offer.ts'
import {
  cutAtWord,
  escapeMarkdown,
  hostName,
  sourceStatement,
  splitMarkdownSentences,
  stripFullStop,
} from './quoting.ts'
import type { KnowledgeSection } from './sections.ts'
import type { KnownRelation } from './wording.ts'

export { findUnsupportedFacts } from './check.ts'
export type { DraftEvidence } from './evidence.ts'

/** Evidence with the statement of its source, on one line. */
type Proof = DraftEvidence & { statement: string }
export type DraftInput = {
  account: {
    name: string
    domain?: string | null
    industry?: string | null
    employees?: number | null
    /** From the CRM, with the day of the deciding deal. Why it was lost is free text, which may name hidden contacts. */
    relationship?: Exclude<KnownRelation, 'champion'> | 'none'
    relationship_on?: string | null
  }
  signal: { signal_id: string; name?: string }
  evidence: readonly DraftEvidence[]
  knowledge_base: readonly KnowledgeSection[]
  seller?: Seller
  /** The member who writes; a draft without one is not signed. */
  sender?: Sender | null
  /** The people of the account who may be contacted, closest to the personas first. */
  people?: readonly Candidate[]
}

/** A message to a person, or the reason why there is none. */
export type MessageDraft = {
  person_id: string | null
  to: { full_name: string; title: string | null } | null
  message: Message | null
  is_signed: boolean
  /** Why there is no message, and what to do. */
  note: string | null
}

export type Draft = {
  headline: string
  narrative: string
  why_reach_out_md: string
  /** Null without a suitable person. */
  drafted_message_md: string | null
  draft: MessageDraft
  key_facts: string[]
  personas: string[]
}

const MAX_HEADLINE_CHARS = 120
/** A sentence of a source needs more characters than a claim. */
const MAX_SENTENCE_CHARS = 160
const MAX_FACTS = 5
const UNKNOWN_SELLER: Seller = { name: null, products: [], proofs: [] }

/**
 * Writes up a detection. Every statement about the account comes from the evidence, every statement about the sender from
 * the knowledge base and the profiles; where one of them is missing, the sentence is left out. Throws without evidence.
 */
export function draftSignal(input: DraftInput): Draft {
  const evidence = input.evidence
    .filter(({ claim }) => claim.trim() !== '')
    .map((proof) => proofOf(proof, input.account.name, input.signal.signal_id))
  const [first, ...others] = evidence
  if (!first) throw new Error('a draft needs evidence')
  const { knowledge_base, seller = UNKNOWN_SELLER } = input
  const { signal_id } = input.signal
  const label = input.signal.name ?? signalName(signal_id)
  const personas = rankPersonas(knowledge_base, signal_id)
  const { event } = summarizeEvent(input.account, signal_id, [first, ...others])
  const people = input.people?.filter(({ full_name }) => !mentionsErased(full_name)) ?? []
  const choice = chooseRecipient(readEventTarget(signal_id, evidence), people, readOffering(knowledge_base).departments)
  const to = choice.recipient
  const seed = `${input.account.name} ${signal_id} ${first.claim}`
  const context = `${label} ${evidence.map(({ claim, statement }) => `${claim} ${statement}`).join(' ')} ${to?.title ?? personas[0] ?? ''}`
  const order = (text: string) => hash(`${text} ${seed}`)
  // Unknown departments are addressed like the management: by what the news means for the company.
  const department = buyingDepartment(to?.title ? readTitle(to.title).department : null) ?? 'management'
  const { industry, employees } = input.account
  const offer = chooseOffer(knowledge_base, event, context, seller, { industry, employees, department }, order)
  const draft = draftMessage(input, event, choice, department, offer, seed)
  return {
    headline: headlineOf(input.account.name, signal_id, label, evidence),
    narrative: narrativeOf(evidence),
    why_reach_out_md: whyReachOut(input, label, evidence, personas, to, offer),
    drafted_message_md: draft.message && toMarkdown(draft.message),
    draft,
    key_facts: [
      ...new Set(evidence.map(({ quote, claim, statement }) => (quote || isOpeningsClaim(claim) ? claim : statement))),
    ].slice(0, MAX_FACTS),
    personas,
  }
}

function draftMessage(
  { account, signal, evidence, knowledge_base, seller = UNKNOWN_SELLER, sender = null, people = [] }: DraftInput,
  event: EventSummary,
  { recipient: to, why }: RecipientChoice,
  department: BuyingDepartment,
  offer: Offer,
  seed: string,
): MessageDraft {
  const none = { person_id: null, to: null, message: null, is_signed: false }
  const name = shortCompanyName(account.name)
  if (!to)
    return { ...none, note: `${why.charAt(0).toUpperCase()}${why.slice(1)}. Find people at ${name} to get a draft.` }
  if (signal.signal_id === 'leadership_change' && isBoardSeat(evidence))
    return { ...none, note: 'A change in the board is seldom a reason to write, so there is no draft.' }
  const own = findPlay(knowledge_base, signal.signal_id, department, signal.name)
  // An offer that is not about the reader's own work follows from what the event means for the company.
  const found =
    own.is_edited || offer.is_for_reader ? own : findPlay(knowledge_base, signal.signal_id, 'management', signal.name)
  const play = found.is_edited ? found : { ...found, ...playFor(event, signal.signal_id, to) }
  const message = composeMessage({
    account: name,
    event,
    to,
    play,
    offer: play.proof ? { ...offer, proofs: [withFullStop(play.proof)] } : offer,
    sender,
    company: seller.name,
    relation: relationOf(account, people.find(({ id }) => id === to.id)?.known_from ?? null),
    seed,
  })
  const { id, full_name, title } = to
  return {
    person_id: id,
    to: { full_name, title },
    message,
    is_signed: sender !== null,
    note: message ? null : 'The source says too little about the event for a message. Read it, and write your own.',
  }
}

function relationOf(
  { relationship = 'none', relationship_on: on = null }: DraftInput['account'],
  former: string | null,
) {
  if (relationship !== 'none') return { kind: relationship, on }
  return former === null ? null : { kind: 'champion' as const, on, former }
}

/** The default playbook is written for the new executive and for the acquirer; other readers get a play of their own. */
function playFor(event: EventSummary, signalId: string, to: Recipient): DefaultPlay | null {
  if (signalId === 'leadership_change' && !to.is_new) return PLAY_FOR_COLLEAGUES
  if (signalId === 'funding' && /\b(?:grant|debt|loan|credit|borrow\w*|bonds?)\b/i.test(event.clause ?? ''))
    return PLAY_FOR_FUNDED
  return signalId === 'acquisition' && event.topic.startsWith('the sale') ? PLAY_FOR_SELLERS : null
}

const isBoardSeat = (evidence: readonly DraftEvidence[]) =>
  evidence.every(({ claim, details }) => /\bboard\b|\bnon-executive\b/i.test(details?.position?.text ?? claim))

const withFullStop = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** An email as Markdown, with the subject on its first line. */
export function toMarkdown({ subject, body }: Pick<Message, 'subject' | 'body'>): string {
  return `**Subject:** ${escapeMarkdown(subject)}\n\n${escapeMarkdown(body)}`
}

/** Cache by the array of sections, which is shared by many drafts. */
const knownPersonas = new WeakMap<readonly KnowledgeSection[], readonly string[]>()

/** The personas in the knowledge base, closest to the event first. */
function rankPersonas(sections: readonly KnowledgeSection[], signalId: string): string[] {
  const distance = departmentDistance(signalId)
  const personas = knownPersonas.get(sections) ?? findPersonas(sections)
  knownPersonas.set(sections, personas)
  return personas.toSorted((a, b) => distance(a) - distance(b))
}

/** The "why now" text over all detections of an account, newest first; null when there are none. */
export function draftWhyNow(
  accountName: string,
  detections: readonly { signal_id: string; name?: string; evidence: readonly DraftEvidence[] }[],
): string | null {
  const dated = detections
    .flatMap(({ signal_id, name, evidence }) => {
      const [latest] = [...evidence].sort((a, b) => ((a.published_date ?? '') < (b.published_date ?? '') ? 1 : -1))
      if (!latest) return []
      const proof = proofOf(latest, accountName, signal_id)
      return [
        {
          label: name ?? signalName(signal_id),
          statement: isInformative(proof.claim, accountName, signal_id) ? proof.claim : null,
          evidence: proof,
        },
      ]
    })
    .sort((a, b) => ((a.evidence.published_date ?? '') < (b.evidence.published_date ?? '') ? 1 : -1))
  if (dated.length === 0) return null
  const lines = dated.slice(0, MAX_FACTS).map(({ label, statement, evidence }) => {
    const text = statement ? `${escapeMarkdown(stripFullStop(statement))}${sourced(evidence)}` : quoted(evidence)
    return `- **${escapeMarkdown(label)}**${when(evidence)}: ${text}`
  })
  const count = dated.length === 1 ? 'One signal' : `${dated.length} signals`
  return `${count} at ${escapeMarkdown(accountName)}:\n\n${lines.join('\n')}`
}

const proofOf = (proof: DraftEvidence, account: string, signalId: string): Proof => ({
  ...removeErasedPeople(proof, account, signalId),
  statement: sourceStatement(proof.quote ?? proof.claim, account),
})

/**
 * The claim of an informative proof, otherwise the sentence of the source, because "Acme adopts a technology" is not
 * specific enough.
 */
function headlineOf(account: string, signalId: string, label: string, evidence: readonly Proof[]): string {
  const proof = evidence.find(({ claim }) => isInformative(claim, account, signalId)) ?? evidence[0]
  if (!proof) return label
  const { claim, quote, statement } = proof
  const change = parseHiringChange(claim)
  if (change) return cutAtWord(`${account} ${change.short}`, MAX_HEADLINE_CHARS)
  if (quote && (isInformative(claim, account, signalId) || mentionsErased(statement)))
    return cutAtWord(claim, MAX_HEADLINE_CHARS)
  const openings = parseOpeningsClaim(claim)
  if (openings) return cutAtWord(`${account} ${formatOpenings(openings)}`, MAX_HEADLINE_CHARS)
  const [sentence = ''] = splitMarkdownSentences(statement)
  const text = stripFullStop(sentence)
  const namesAccount = text.toLowerCase().includes(shortCompanyName(account).toLowerCase())
  if (namesAccount && text.length <= MAX_SENTENCE_CHARS) return text
  return cutAtWord(`${account}: ${insideSentence(label)} – ${text}`, MAX_SENTENCE_CHARS)
}

/** A name in lower case for use inside a sentence; an acronym keeps its capitals. */
function insideSentence(name: string): string {
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

function narrativeOf(evidence: readonly Proof[]): string {
  const [first, ...rest] = evidence
  if (!first) return ''
  const date = formatLongDate(first.published_date)
  const host = hostName(first.source_url)
  const opening = [date ? `On ${date}` : null, host ? `${host} published` : null]
    .filter((part) => part !== null)
    .join(', ')
  const hosts = [
    ...new Set(rest.map(({ source_url }) => hostName(source_url)).filter((name) => name !== null && name !== host)),
  ]
  const also = hosts.length === 0 ? '' : ` Also reported by ${hosts.slice(0, 4).join(', ')}.`
  // A counted claim is this product's statement and is not attributed to a publisher.
  if (isOpeningsClaim(first.claim) || parseHiringChange(first.claim)) {
    const source = [host, date].filter((part) => part !== null).join(', ')
    return `${stripFullStop(first.claim)}${source ? ` (${source})` : ''}.${also}`
  }
  const quote = `“${stripFullStop(first.statement)}.”`
  return `${opening ? `${opening}: ${quote}` : quote}${also}`
}

function whyReachOut(
  { account, signal: { signal_id } }: DraftInput,
  label: string,
  evidence: readonly Proof[],
  personas: readonly string[],
  to: Recipient | null,
  { pitch, proofs: [proof] }: Offer,
): string {
  const lead = evidence.find(({ claim }) => isInformative(claim, account.name, signal_id))
  const opening = lead
    ? `**${escapeMarkdown(label)}:** ${escapeMarkdown(stripFullStop(lead.claim))}.`
    : `**${escapeMarkdown(label)}** at ${escapeMarkdown(account.name)}:`
  // Names that are not in the news are left to the draft, which members see only where they may see the person.
  const person = to ? [to.is_new ? to.full_name : null, to.title].filter((part) => part !== null) : []
  const recipients = person.length > 0 ? person : personas.slice(0, 3)
  const isSold = account.relationship === 'customer' || account.relationship === 'open_deal'
  const paragraphs = [
    opening,
    evidence
      .slice(0, 3)
      .map((item) => `- ${quoted(item)}${when(item)}`)
      .join('\n'),
    recipients.length > 0 ? `**Whom to ask:** ${escapeMarkdown(recipients.join(', '))}` : null,
    relationLine(account),
    pitch && !isSold ? `**What we bring:** ${escapeMarkdown(pitch)}` : null,
    proof && !isSold ? `**Proof:** ${escapeMarkdown(proof)}` : null,
    eventKindOf(signal_id) === 'hardship' ? '**Mind the tone:** this is hard news for the people who read you.' : null,
  ]
  return paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')
}

const RELATION_NAMES: Readonly<Record<Exclude<KnownRelation, 'champion'>, string>> = {
  customer: 'customer',
  open_deal: 'open deal',
  lost_deal: 'lost deal',
  former_customer: 'former customer',
}

/** The start of the paragraph of `why_reach_out_md` about the CRM. */
export const IN_CRM = '**In your CRM:**'

/** "**In your CRM:** lost deal, 2 June 2025". */
function relationLine({ relationship = 'none', relationship_on }: DraftInput['account']) {
  if (relationship === 'none') return null
  const date = relationship_on ? `, ${formatLongDate(relationship_on)}` : ''
  return `${IN_CRM} ${RELATION_NAMES[relationship]}${date}`
}

function quoted(proof: Proof): string {
  const text = isOpeningsClaim(proof.claim)
    ? `${escapeMarkdown(stripFullStop(proof.claim))}.`
    : `“${escapeMarkdown(stripFullStop(proof.statement))}.”`
  return text + sourced(proof)
}

function sourced({ source_url }: DraftEvidence): string {
  const host = hostName(source_url)
  // Only http and https URLs become links, with the characters that end a Markdown link encoded.
  return host && source_url
    ? ` ([${escapeMarkdown(host)}](${source_url.replace(/[()\s<>]/g, encodeURIComponent)}))`
    : ''
}

function when({ published_date }: DraftEvidence): string {
  const date = formatLongDate(published_date)
  return date ? ` (${date})` : ''
}
