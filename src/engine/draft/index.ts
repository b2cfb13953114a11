import { personasOf } from '../cascade/personas.ts'
import { splitFullName } from '../person-name.ts'
import { signalName } from '../signals.ts'
import { cutAtWord, escapeMarkdown, hostName, longDate, sentencesOf, statementOf, withoutStop } from './wording.ts'

export { unsupportedFacts } from './check.ts'

export type DraftEvidence = {
  claim: string
  /** The sentence of the source that proves the claim; the claim holds it when left out. */
  quote?: string | null
  source_url?: string | null
  published_date?: string | null
}

/** Evidence with what its source says, on one line. */
type Proof = DraftEvidence & { says: string }
export type KnowledgeSection = { type: string; title?: string; content_md: string }
export type DraftInput = {
  account: { name: string }
  signal: { signal_id: string; name?: string }
  evidence: readonly DraftEvidence[]
  knowledge_base: readonly KnowledgeSection[]
  /** Who writes; without it nothing is signed and no company is named. */
  sender?: { name?: string; company?: string }
  person?: { full_name: string; title?: string | null }
}
export type Draft = {
  headline: string
  narrative: string
  why_reach_out_md: string
  drafted_message_md: string
  key_facts: string[]
  personas: string[]
}

const MAX_HEADLINE_CHARS = 120
const MAX_FACTS = 5

/**
 * Writes up a detection. Every statement about the account is quoted from the evidence, every statement about the
 * sender from the knowledge base; where one of them is missing, the sentence is left out. Throws without evidence.
 */
export function draftSignal(input: DraftInput): Draft {
  const evidence = input.evidence
    .filter(({ claim }) => claim.trim() !== '')
    .map((proof) => proofOf(proof, input.account.name))
  const [first] = evidence
  if (!first) throw new Error('a draft needs evidence')
  const label = input.signal.name ?? signalName(input.signal.signal_id)
  const pitch = pitchFor(input.knowledge_base, `${label} ${evidence.map(({ says }) => says).join(' ')}`)
  return {
    headline: headlineOf(input.account.name, label, first),
    narrative: narrativeOf(evidence),
    why_reach_out_md: whyReachOut(input.account.name, label, evidence, pitch),
    drafted_message_md: messageOf(input, first, pitch),
    key_facts: [...new Set(evidence.map(({ quote, claim, says }) => (quote ? claim : says)))].slice(0, MAX_FACTS),
    personas: personasOf(input.knowledge_base),
  }
}

/** Why now, over all detections of an account, newest first; null when there are none. */
export function draftWhyNow(
  accountName: string,
  detections: readonly { signal_id: string; name?: string; evidence: readonly DraftEvidence[] }[],
): string | null {
  const dated = detections
    .flatMap(({ signal_id, name, evidence }) => {
      const [latest] = [...evidence].sort((a, b) => ((a.published_date ?? '') < (b.published_date ?? '') ? 1 : -1))
      if (!latest) return []
      return [
        {
          label: name ?? signalName(signal_id),
          evidence: proofOf(latest, accountName),
        },
      ]
    })
    .sort((a, b) => ((a.evidence.published_date ?? '') < (b.evidence.published_date ?? '') ? 1 : -1))
  if (dated.length === 0) return null
  const lines = dated
    .slice(0, MAX_FACTS)
    .map(({ label, evidence }) => `- **${escapeMarkdown(label)}**${when(evidence)}: ${quoted(evidence)}`)
  const count = dated.length === 1 ? 'One signal' : `${dated.length} signals`
  return `${count} at ${escapeMarkdown(accountName)}:\n\n${lines.join('\n')}`
}

const proofOf = (proof: DraftEvidence, account: string): Proof => ({
  ...proof,
  says: statementOf(proof.quote ?? proof.claim, account),
})

function headlineOf(account: string, label: string, { claim, quote, says }: Proof): string {
  if (quote) return cutAtWord(claim, MAX_HEADLINE_CHARS)
  const [sentence = ''] = sentencesOf(says)
  const told = withoutStop(sentence)
  if (told.length <= MAX_HEADLINE_CHARS && told.toLowerCase().includes(account.toLowerCase())) return told
  return cutAtWord(`${account}: ${insideSentence(label)} – ${told}`, MAX_HEADLINE_CHARS)
}

/** A name as it is written inside a sentence; an acronym keeps its capitals. */
function insideSentence(name: string): string {
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

function narrativeOf(evidence: readonly Proof[]): string {
  const [first, ...rest] = evidence
  if (!first) return ''
  const date = longDate(first.published_date)
  const host = hostName(first.source_url)
  const opening = [date ? `On ${date}` : null, host ? `${host} published` : null]
    .filter((part) => part !== null)
    .join(', ')
  const quote = `“${withoutStop(first.says)}.”`
  const hosts = [
    ...new Set(rest.map(({ source_url }) => hostName(source_url)).filter((name) => name !== null && name !== host)),
  ]
  const also = hosts.length === 0 ? '' : ` Also reported by ${hosts.slice(0, 4).join(', ')}.`
  return `${opening ? `${opening}: ${quote}` : quote}${also}`
}

function whyReachOut(account: string, label: string, evidence: readonly Proof[], pitch: string | null): string {
  const lines = evidence.slice(0, 3).map((item) => `- ${quoted(item)}${when(item)}`)
  const offer = pitch ? `\n\n**What we bring:** ${escapeMarkdown(pitch)}` : ''
  return `**${escapeMarkdown(label)}** at ${escapeMarkdown(account)}:\n\n${lines.join('\n')}${offer}`
}

function messageOf({ account, person, sender }: DraftInput, first: Proof, pitch: string | null): string {
  const given = person ? splitFullName(person.full_name).first_name : null
  const company = sender?.company
  const opening = company && !pitch?.includes(company) ? `At ${escapeMarkdown(company)}: ` : ''
  const lines = [
    given ? `Hi ${escapeMarkdown(given)},` : 'Hello,',
    `I read this about ${escapeMarkdown(account.name)}: ${quoted(first)}`,
    pitch ? `${opening}${escapeMarkdown(pitch)}` : null,
    'Would a short conversation be useful?',
    sender?.name ? `Best regards,\n${escapeMarkdown(sender.name)}` : null,
  ]
  return lines.filter((line) => line !== null).join('\n\n')
}

function quoted({ says, source_url }: Proof): string {
  const text = `“${escapeMarkdown(withoutStop(says))}.”`
  const host = hostName(source_url)
  // only what parses as a web address becomes a link, with the characters that end a Markdown link encoded
  return host && source_url
    ? `${text} ([${escapeMarkdown(host)}](${source_url.replace(/[()\s<>]/g, encodeURIComponent)}))`
    : text
}

function when({ published_date }: DraftEvidence): string {
  const date = longDate(published_date)
  return date ? ` (${date})` : ''
}

const PITCH_TYPES = ['value_prop', 'product', 'overview']
const PLACEHOLDER = /\[[^\]]{1,40}\]|\{\{?[^}]{1,40}\}?\}|<[^>]{1,40}>|\bTODO\b|\bTBD\b|lorem ipsum/i

/** The sentence of the knowledge base that shares most words with the event; the first value proposition when none does. */
function pitchFor(sections: readonly KnowledgeSection[], event: string): string | null {
  const wanted = new Set(event.toLowerCase().match(/\p{L}{5,}/gu) ?? [])
  let best: { sentence: string; score: number } | null = null
  for (const [rank, type] of PITCH_TYPES.entries()) {
    for (const section of sections.filter((one) => one.type === type)) {
      for (const sentence of sentencesOf(section.content_md).slice(0, 200)) {
        if (sentence.length < 20 || sentence.length > 300 || PLACEHOLDER.test(sentence)) continue
        const shared = new Set(
          sentence
            .toLowerCase()
            .match(/\p{L}{5,}/gu)
            ?.filter((word) => wanted.has(word)),
        ).size
        const score = shared + (PITCH_TYPES.length - rank) * 0.5
        if (!best || score > best.score) best = { sentence, score }
      }
    }
  }
  return best?.sentence ?? null
}
