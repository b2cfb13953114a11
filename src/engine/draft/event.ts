// Summarizes an event in the grammatical forms that a message needs: a clause ("Acme raised €38 million"), a gerund for
// congratulations ("raising €38 million") and a topic ("the €38 million in funding"). Everything comes from the claim and its
// details; when a claim says no more than its signal, the sentence of the source is quoted instead.
import type { EventDetails } from '../claim/index.ts'
import { companyKey } from '../companies/company-names.ts'
import { parseHiringChange } from '../hiring/change-claims.ts'
import { formatOpenings, isOpeningsClaim, parseOpeningsClaim } from '../hiring/open-positions.ts'
import type { EventTarget } from '../recipient/index.ts'
import { BUILTIN_SIGNALS, type BuiltinSignal, findBuiltinSignal, type NewsKind } from '../signals/index.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { type Department, readTitle } from '../titles/index.ts'
import { type DraftEvidence, mentionsErased } from './evidence.ts'
import { stripDateline, stripFullStop } from './quoting.ts'

export type EventKind = NewsKind | 'other'

export const eventKindOf = (signalId: string): EventKind => findBuiltinSignal(signalId)?.draft.kind ?? 'other'

export type EventSummary = {
  kind: EventKind
  /** "Acme raised €38 million"; null when only the source's sentence describes the event. */
  clause: string | null
  /** The same to the company: "you raised €38 million"; null where that would be wrong or hurtful. */
  you: string | null
  /** "raising €38 million", for good news about a completed event. */
  doing: string | null
  /** "the terminal in Basel". */
  topic: string
  /** The topic suits a call: it is neither a sum nor a person. */
  is_talkable: boolean
  /** The phrase after "I read about", where a clause would be wrong or hurtful. */
  news: string | null
  /** The signal by which sentences of the knowledge base are chosen; null for the other side of a deal. */
  angle: string | null
  /** The source's sentence, when the claim says too little. */
  quote: string | null
  /** Observed at the company without a published source, so a message must not say "I read". */
  is_seen: boolean
  /** The person who was appointed. */
  named: { full_name: string; title: string } | null
}

/** The company's name without its legal form. */
export function shortCompanyName(name: string): string {
  // LEGAL_FORMS does not contain "AS", which is an ordinary word in texts.
  let short = name.replace(/,? (?:AS|A\/S)$/, '')
  for (;;) {
    const cut = short.replace(/[\s,&+-]+[^\s,&+-]+[\s,&+-]*$/, '')
    if (cut === short || cut === '' || companyKey(cut) !== companyKey(short)) return short
    short = cut
  }
}

/** Whether a claim says more than that such an event happened. */
export function isInformative(claim: string, account: string, signalId: string): boolean {
  const signal = findBuiltinSignal(signalId)
  if (!signal || !claim.startsWith(`${account} `)) return false
  const rest = stripFullStop(claim.slice(account.length + 1))
  return signal.sides.every(
    ({ predicate }) => rest !== predicate && (!rest.startsWith(`${predicate}: `) || isOpeningsClaim(claim)),
  )
}

/** The claim of a proof, or its quote where the claim only names the kind of event. */
export function describeProof({ claim, quote }: DraftEvidence, account: string, signalId: string): string {
  return quote && !isInformative(claim, account, signalId) ? quote : claim
}

/** Summarizes the event from the most informative proof, and returns that proof for its date and source. */
export function summarizeEvent(
  account: { name: string },
  signalId: string,
  proofs: readonly [DraftEvidence, ...DraftEvidence[]],
): { event: EventSummary; proof: DraftEvidence } {
  const proof = proofs.find(({ claim }) => isInformative(claim, account.name, signalId)) ?? proofs[0]
  return { event: eventOf(account, signalId, proof), proof }
}

function eventOf(account: { name: string }, signalId: string, proof: DraftEvidence): EventSummary {
  const signal = findBuiltinSignal(signalId)
  const name = shortCompanyName(account.name)
  if (!signal || !isInformative(proof.claim, account.name, signalId)) return plainEvent(proof, account.name, signalId)
  const { kind, isGoodNews, isTalkable, news, otherSide } = signal.draft
  const openings = openingsOf(proof.claim)
  if (openings) {
    return {
      ...NOTHING,
      kind,
      ...openings,
      clause: `${name} ${openings.clause}`,
      topic: 'the open positions',
      angle: signalId,
    }
  }
  const predicate = spoken(stripFullStop(proof.claim.slice(account.name.length + 1)))
  const details = proof.details ?? null
  const topic = topicOf(signal, predicate, details)
  const { past, gerund } = formsOf(predicate, proof.quote ?? '')
  return {
    kind,
    clause: past === null ? null : `${name} ${past}`,
    you: past === null ? null : toSecondPerson(past),
    doing: gerund && isGoodNews && !ROUTINE.test(predicate) ? yours(gerund) : null,
    topic,
    is_talkable: isTalkable === true,
    // "You are being acquired" is no news to the reader.
    news: news?.(topic, name) ?? (isTarget(predicate) ? topic : departureOf(predicate, details, name)),
    angle: otherSide?.test(predicate) ? null : signalId,
    quote: isVague(predicate) ? quotable(proof, account.name) : null,
    is_seen: signal.isSeenInSource === true && proof.quote === null,
    named: namedIn(predicate, details),
  }
}

const NOTHING = { you: null, doing: null, is_talkable: false, news: null, quote: null, is_seen: false, named: null }

/** The topic is used in subject lines. */
const MAX_TOPIC_CHARS = 60

/** A noun phrase for the event: "the terminal in Basel", "the acquisition of Globex". */
function topicOf({ draft, sides }: BuiltinSignal, predicate: string, details: EventDetails | null): string {
  for (const [claim, topic] of draft.topics) {
    const found = claim.exec(predicate)
    if (!found) continue
    const phrase = typeof topic === 'string' ? topic : topic(found[1] ?? '', details)
    if (phrase !== null && phrase.length <= MAX_TOPIC_CHARS) return phrase
  }
  return sides[0].topic
}

/** "wins a contract", "launches an app": the source's sentence is more specific. */
const isVague = (predicate: string) =>
  /^(?:launches|wins|opens|adopts|sells|offers) (?:an? )?[\p{Ll}-]+$/u.test(predicate)

const isTarget = (predicate: string) => /^is (?:to be )?acquired by /.test(predicate)

const DEPARTURE = /^(?:loses|plans to lose|agrees to lose) /

/** The phrase after "I read about" for a departure. */
function departureOf(predicate: string, details: EventDetails | null, name: string): string | null {
  const person = details?.people.find(({ text }) => predicate.includes(text))?.text
  const position = details?.position?.text
  if (!DEPARTURE.test(predicate) || !position) return null
  return person ? `${person} leaving the post of ${position} at ${name}` : `the change of ${position} at ${name}`
}

/** Longer sentences do not fit the opening of a short message. */
const MAX_QUOTE_CHARS = 130

/** The summary of an event that only its signal or the source's sentence describes. */
function plainEvent(proof: DraftEvidence, account: string, signalId: string): EventSummary {
  const signal = findBuiltinSignal(signalId)
  const name = shortCompanyName(account)
  const rest = proof.claim.startsWith(`${account} `) ? stripFullStop(proof.claim.slice(account.length + 1)) : ''
  const [stated] = rest.split(': ', 1)
  const side = signal?.sides.find(({ predicate }) => predicate === stated) ?? signal?.sides[0]
  const summary = {
    ...NOTHING,
    kind: eventKindOf(signalId),
    topic: side?.topic ?? 'this',
    angle: signal?.draft.otherSide?.test(stated ?? '') ? null : signalId,
  }
  // The layoffs signal includes closed plants, so without a claim the event is not specified. Hard news is not quoted to the
  // people it affects.
  if (summary.kind === 'hardship') {
    return {
      ...summary,
      clause: null,
      news: signal?.draft.news?.(summary.topic, name) ?? `what is happening at ${name}`,
    }
  }
  const past = side ? (doneForm(rest, proof.quote ?? '') ?? side.clause) : null
  // Without the source's sentence there is no fact to write about: "you are expanding" is what a machine would write.
  const quote = quotable(proof, account)
  const said = quote || mentionsErased(proof.quote ?? proof.claim) ? past : null
  return { ...summary, clause: said && `${name} ${said}`, you: said && toSecondPerson(said), quote }
}

/** The source's sentence, when it is short enough to be quoted in a message. */
function quotable({ quote, claim }: DraftEvidence, account: string): string | null {
  const sentence = stripDateline((quote ?? claim.replace(`${account}: `, '')).replace(/\s+/g, ' ').trim())
  // A sentence about an erased person is not quoted to their colleagues.
  if (mentionsErased(sentence)) return null
  const [first = ''] = account.split(/[\s,]/, 1)
  // A sentence that does not name the company is unclear out of context.
  if (sentence.length > MAX_QUOTE_CHARS || sentence.split(' ').length < 4 || !sentence.includes(first)) return null
  return stripFullStop(sentence).replaceAll(/["“”]/g, '’')
}

/** Open positions as clauses, without dates: "lists 14 open positions", "you have 14 open positions, 6 of them in Sales". */
function openingsOf(claim: string): { clause: string; you: string } | null {
  const change = parseHiringChange(claim)
  if (change) {
    const [, count = '', where = ''] =
      /^lists (\d+) open positions?(?: ((?:in|leading) .+?))?,/.exec(change.short) ?? []
    const positions = Number(count) === 1 ? 'an open position' : `${count} open positions`
    return { clause: change.short, you: `you have ${positions}${where && ` ${where}`}` }
  }
  const openings = parseOpeningsClaim(claim)
  if (!openings) return null
  const { count, largest, titles } = openings
  const [first, second] = titles.filter((title) => title.length <= 40 && !/[(/]/.test(title))
  const among = largest || !first ? '' : `, among them ${second ? `${first} and ${second}` : first}`
  const share = largest ? `, ${largest.count} of them in ${largest.department}` : among
  return { clause: `${formatOpenings(openings)}${among}`, you: `you have ${count} open positions${share}` }
}

const WITH_ARTICLE =
  /(?:\b[Tt]he )?\b((?:City|University|Ministry|Department|State|Port|County|Government|Republic|Town|Province|Institute|Museum|Office) of )(?=\p{Lu})/gu

/** Turns headline style into the style of a sentence. */
function spoken(predicate: string): string {
  return (
    predicate
      // A singular product without an article is the company's own.
      .replace(/^launches (?!(?:a|an|the|its|new|more|two|three|several) )(?=\p{Ll}[^,]*[^s]$)/u, 'launches its ')
      .replace(/\b\d{1,3}(?:,\d{3}){2}\b/, toMillions)
      .replace(/ in Series ([A-H]\d?)\b/, ' in a Series $1 round')
      .replaceAll(WITH_ARTICLE, 'the $1')
  )
}

/** "75,000,000" as "75 million"; other numbers stay. */
function toMillions(number: string): string {
  const millions = Number(number.replaceAll(',', '')) / 1_000_000
  return millions >= 1 && Number.isInteger(millions * 10) ? `${millions} million` : number
}

type Forms = { past: string | null; gerund: string | null }

/** Past tense, or present where the event may not be completed yet. */
const CLAUSES = lookupTable<[past: string, gerund: string]>({
  sells: ['is selling', 'selling'],
  builds: ['is building', 'building'],
  expands: ['is expanding', 'expanding'],
  moves: ['is moving', 'moving'],
  comes: ['is coming', 'coming'],
  partners: ['is partnering', 'partnering'],
  cuts: ['is cutting', 'cutting'],
  closes: ['is closing', 'closing'],
  goes: ['went', 'going'],
  wins: ['won', 'winning'],
  supplies: ['supplies', 'supplying'],
  chooses: ['chose', 'choosing'],
  uses: ['uses', 'using'],
  offers: ['now offers', 'offering'],
  takes: ['took', 'taking'],
  merges: ['is merging', 'merging'],
  creates: ['is creating', 'creating'],
  has: ['has', 'having'],
})

/** The other verbs of claims, by their form in claims; all are regular. */
const REGULAR = new Map(
  BUILTIN_SIGNALS.flatMap(({ sides }) => sides.flatMap(({ frames }) => frames)).flatMap(([, , wording = '']) => {
    const verb = /^(\w+)~/.exec(wording)?.[1]
    return verb ? [[verb.endsWith('ch') ? `${verb}es` : `${verb}s`, verb] as const] : []
  }),
)

function verbForms(verb: string): readonly [past: string, gerund: string] | null {
  const base = REGULAR.get(verb)
  return CLAUSES[verb] ?? (base ? [base.replace(/e?$/, 'ed'), base.replace(/e?$/, 'ing')] : null)
}

function formsOf(predicate: string, quote: string): Forms {
  // A departure has no clause, because "you lose your CFO" is no way to write to a company.
  if (DEPARTURE.test(predicate)) return { past: null, gerund: null }
  if (predicate.startsWith('agrees to ')) return { past: `has ${predicate.replace('agrees', 'agreed')}`, gerund: null }
  if (predicate.startsWith('is acquired by ')) {
    return { past: predicate.replace('is ', doneForm('is acquired', quote) ? 'has been ' : 'is being '), gerund: null }
  }
  if (predicate.startsWith('is to ')) return { past: predicate.replace('is to ', 'is set to '), gerund: null }
  const [verb = ''] = predicate.split(' ', 1)
  const forms = verbForms(verb)
  if (!forms) return { past: predicate, gerund: null }
  const rest = predicate.slice(verb.length)
  return { past: (doneForm(verb, quote) ?? forms[0]) + rest, gerund: forms[1] + rest }
}

/**
 * Verbs of events that may be under way: the past tense for completed ones, and the participles by which sources state
 * completion.
 */
const DONE = lookupTable<[past: string, participles: string]>({
  sells: ['sold', 'sold|divested|offloaded|completed'],
  'sells a business': ['sold a business', 'sold|divested|offloaded|completed'],
  builds: ['built', 'built'],
  expands: ['expanded', 'expanded'],
  moves: ['moved', 'moved|relocated'],
  partners: ['has partnered', 'partnered|teamed|allied'],
  cuts: ['has cut', 'cut|eliminated|shed|laid|dismissed'],
  closes: ['has closed', 'closed|shut|shuttered'],
  merges: ['merged', 'merged|combined|completed'],
  creates: ['created', 'created|added'],
  'is acquired': ['has been acquired', '(?:been )?(?:acquired|bought|purchased|taken|sold)|completed'],
})

/** The past tense where the quote states completion in the perfect, "has sold"; a headline's "acquired by" may only be agreed. */
function doneForm(predicate: string, quote: string): string | null {
  const [past, participles] = DONE[predicate] ?? []
  if (past === undefined) return null
  const perfect = `\\b(?:has|have)(?: (?:already|also|now|just|recently|successfully|today))? (?:${participles})\\b`
  const isSold = predicate.startsWith('sells') && /(?<!\b(?:is|are|be|being) )\bsold\b/.test(quote)
  return isSold || new RegExp(perfect).test(quote) ? past : null
}

/** Events that do not call for congratulations: debt, sales, prices and filings are routine, and use of a product is no event. */
const ROUTINE =
  /^(?:borrows|sells|prices|files|merges|uses|supplies|has|announces|leases|moves|comes)|debt|loan| stake /

/** Verbs in the third person that clauses begin with; past tenses do not change. */
const SECOND_PERSON = lookupTable<string>({
  is: 'are',
  has: 'have',
  uses: 'use',
  supplies: 'supply',
  lists: 'list',
  'now offers': 'now offer',
})

/** "is opening its second site" as "you are opening your second site"; null for a verb that would keep the third person. */
function toSecondPerson(clause: string): string | null {
  const [verb = ''] = /^(?:now )?\S+/.exec(clause) ?? []
  const second = SECOND_PERSON[verb] ?? (/(?:ed|won|chose|took|went|sold|built|borrowed)$/.test(verb) ? verb : null)
  return second && yours(`you ${second}${clause.slice(verb.length)}`)
}

/** In a message to the company, "its" becomes "your". */
const yours = (text: string) => text.replaceAll(/\bits\b/g, 'your')

/** Whom an event concerns: the department it is about, and the person who was appointed. */
export function readEventTarget(signalId: string, evidence: readonly DraftEvidence[]): EventTarget {
  const position = evidence.find(({ details }) => details?.position)?.details?.position?.text
  const openings = evidence.map(({ claim }) => parseOpeningsClaim(claim)?.largest?.department).find(Boolean)
  return {
    signal_id: signalId,
    department: namedDepartment(signalId === 'leadership_change' ? position : openings),
    named: evidence.map(appointmentIn).find((named) => named !== null) ?? null,
  }
}

/** The department that a title or the name of a team names; null when it names none. */
export function namedDepartment(title: string | null | undefined): Department | null {
  const department = title ? readTitle(title).department : 'Other'
  return department === 'Other' ? null : department
}

/** The person whose appointment a proof reports, and their position; null when it reports none. */
function appointmentIn({ claim, details }: Pick<DraftEvidence, 'claim' | 'details'>): EventSummary['named'] {
  const at = claim.search(/ (?:names|appoints) /)
  return at < 0 ? null : namedIn(claim.slice(at + 1), details ?? null)
}

function namedIn(predicate: string, details: EventDetails | null): EventSummary['named'] {
  const [person, another] = details?.people ?? []
  if (!person || another || !details?.position || !/^(?:names|appoints) /.test(predicate)) return null
  // The sentence may name others, such as the person who announces the appointment.
  if (!predicate.includes(person.text)) return null
  // Board members are not buyers.
  if (/\bboard\b|\bchair\b|\bchairman\b|\bchairwoman\b/i.test(details.position.text)) return null
  return { full_name: person.text, title: details.position.text }
}
