// What happened, in the forms a message needs: as a clause ("Acme raised €38 million"), as what one congratulates on
// ("raising €38 million") and as a thing one can talk about ("the €38 million in funding"). Everything comes from the claim
// and its details; a claim that says no more than its signal is told by the sentence of the source instead.
import type { EventDetails } from '../claim/index.ts'
import { companyKey } from '../companies/company-names.ts'
import { parseHiringChange } from '../hiring/change-claims.ts'
import { formatOpenings, isOpeningsClaim, parseOpeningsClaim } from '../hiring/open-positions.ts'
import { BUILTIN_SIGNALS, type BuiltinSignal, findBuiltinSignal, type NewsKind } from '../signals/index.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { type DraftEvidence, mentionsErased } from './evidence.ts'
import { hostName, stripDateline, stripFullStop } from './wording.ts'

export type EventKind = NewsKind | 'other'

export const eventKindOf = (signalId: string): EventKind => findBuiltinSignal(signalId)?.draft.kind ?? 'other'

export type EventSummary = {
  kind: EventKind
  /** "Acme raised €38 million"; null when only the source's own sentence tells it. */
  clause: string | null
  /** "raising €38 million", for good news that has happened. */
  doing: string | null
  /** "the terminal in Basel". */
  topic: string
  /** The topic is something to have a call about: not a sum, and not a person. */
  is_talkable: boolean
  /** What to say after "I read about", where a clause would be wrong or hurt. */
  news: string | null
  /** Which sentences of the knowledge base fit: the signal, or null for the other side of a deal. */
  angle: string | null
  /** The source's own words, when the claim says too little. */
  quote: string | null
  /** Seen at the company and told by nobody: nobody can have read it. */
  is_seen: boolean
  /** Somebody who was given a position. */
  named: { full_name: string; title: string } | null
}

/** The company's name as people write it: without its legal form. */
export function shortCompanyName(name: string): string {
  // "AS" is a word elsewhere, so the list of legal forms that texts are searched with leaves it out.
  let short = name.replace(/,? (?:AS|A\/S)$/, '')
  for (;;) {
    const cut = short.replace(/[\s,&+-]+[^\s,&+-]+[\s,&+-]*$/, '')
    if (cut === short || cut === '' || companyKey(cut) !== companyKey(short)) return short
    short = cut
  }
}

/** Whether a claim says more than that there was such an event. */
export function isInformative(claim: string, account: string, signalId: string): boolean {
  const signal = findBuiltinSignal(signalId)
  if (!signal || !claim.startsWith(`${account} `)) return false
  const rest = stripFullStop(claim.slice(account.length + 1))
  return signal.sides.every(
    ({ predicate }) => rest !== predicate && (!rest.startsWith(`${predicate}: `) || isOpeningsClaim(claim)),
  )
}

/** What a line about a proof says: its claim, or its sentence where the claim only names the kind of event. */
export function describeProof({ claim, quote }: DraftEvidence, account: string, signalId: string): string {
  return quote && !isInformative(claim, account, signalId) ? quote : claim
}

/** Reads what happened from the proof that tells most, and says which that is: its day and its source belong to it. */
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
    return { ...NOTHING, kind, clause: `${name} ${openings}`, topic: 'the open positions', angle: signalId }
  }
  const predicate = spoken(stripFullStop(proof.claim.slice(account.name.length + 1)))
  const details = proof.details ?? null
  const topic = topicOf(signal, predicate, details)
  const { past, gerund } = formsOf(predicate, proof.quote ?? '')
  return {
    kind,
    clause: past === null ? null : `${name} ${past}`,
    doing: gerund && isGoodNews && !ROUTINE.test(predicate) ? yours(gerund) : null,
    topic,
    is_talkable: isTalkable === true,
    news: news?.(topic, name) ?? departureOf(predicate, details, name),
    angle: otherSide?.test(predicate) ? null : signalId,
    quote: isVague(predicate) ? quotable(proof, account.name) : null,
    is_seen: signal.isSeenInSource === true && proof.quote === null,
    named: namedIn(predicate, details),
  }
}

const NOTHING = { doing: null, is_talkable: false, news: null, quote: null, is_seen: false, named: null }

/** A subject line bears no more. */
const MAX_TOPIC_CHARS = 60

/** What the event is called once it has been told: "the terminal in Basel", "the acquisition of Globex". */
function topicOf({ draft, sides }: BuiltinSignal, predicate: string, details: EventDetails | null): string {
  for (const [claim, topic] of draft.topics) {
    const found = claim.exec(predicate)
    if (!found) continue
    const said = typeof topic === 'string' ? topic : topic(found[1] ?? '', details)
    if (said !== null && said.length <= MAX_TOPIC_CHARS) return said
  }
  return sides[0].topic
}

/** "wins a contract", "launches an app": the sentence says better which. */
const isVague = (predicate: string) =>
  /^(?:launches|wins|opens|adopts|sells|offers) (?:an? )?[\p{Ll}-]+$/u.test(predicate)

const DEPARTURE = /^(?:loses|plans to lose|agrees to lose) /

/** What to say after "I read about" when somebody leaves. */
function departureOf(predicate: string, details: EventDetails | null, name: string): string | null {
  const person = details?.people.find(({ text }) => predicate.includes(text))?.text
  const position = details?.position?.text
  if (!DEPARTURE.test(predicate) || !position) return null
  return person ? `${person} leaving the post of ${position} at ${name}` : `the change of ${position} at ${name}`
}

/** Longer sentences are no opening for a short message. */
const MAX_QUOTE_CHARS = 130

/** What to say of an event when nothing but its signal, or its source's sentence, tells it. */
function plainEvent(proof: DraftEvidence, account: string, signalId: string): EventSummary {
  const signal = findBuiltinSignal(signalId)
  const name = shortCompanyName(account)
  const rest = proof.claim.startsWith(`${account} `) ? stripFullStop(proof.claim.slice(account.length + 1)) : ''
  const [said] = rest.split(': ', 1)
  const side = signal?.sides.find(({ predicate }) => predicate === said) ?? signal?.sides[0]
  const told = {
    ...NOTHING,
    kind: eventKindOf(signalId),
    topic: side?.topic ?? 'this',
    angle: signal?.draft.otherSide?.test(said ?? '') ? null : signalId,
  }
  // A closed plant is filed under layoffs, too: without a claim it is not said which. And hard news is not held up to people
  // in quotation marks.
  if (told.kind === 'hardship') {
    return { ...told, clause: null, news: signal?.draft.news?.(told.topic, name) ?? `what is happening at ${name}` }
  }
  const clause = side ? `${name} ${doneForm(rest, proof.quote ?? '') ?? side.clause}` : null
  return { ...told, clause, quote: quotable(proof, account) }
}

/** The sentence of the source, when it is short enough to be quoted in a message. */
function quotable({ quote, claim }: DraftEvidence, account: string): string | null {
  const said = stripDateline((quote ?? claim.replace(`${account}: `, '')).replace(/\s+/g, ' ').trim())
  // A sentence about somebody who was erased is not held up to their colleagues.
  if (mentionsErased(said)) return null
  const [first = ''] = account.split(/[\s,]/, 1)
  // A sentence that does not name the company leaves the reader guessing.
  if (said.length > MAX_QUOTE_CHARS || said.split(' ').length < 4 || !said.includes(first)) return null
  return stripFullStop(said).replaceAll(/["“”]/g, '’')
}

/** Whether the company itself tells it. */
export function isFromCompanySite({ source_url }: DraftEvidence, domain: string | null | undefined): boolean {
  const host = hostName(source_url)
  return !!host && !!domain && (host === domain || host.endsWith(`.${domain}`))
}

/** Open positions as a clause of a sentence: "lists 14 open positions, 6 in Engineering". */
function openingsOf(claim: string): string | null {
  const change = parseHiringChange(claim)
  if (change) return change.short
  const openings = parseOpeningsClaim(claim)
  if (!openings) return null
  const [first, second] = openings.titles.filter((title) => title.length <= 40)
  if (openings.largest || !first) return formatOpenings(openings)
  return `${formatOpenings(openings)}, among them ${second ? `${first} and ${second}` : first}`
}

const WITH_ARTICLE =
  /(?:\b[Tt]he )?\b((?:City|University|Ministry|Department|State|Port|County|Government|Republic|Town|Province|Institute|Museum|Office) of )(?=\p{Lu})/gu

/** As one says it rather than as a headline has it. */
function spoken(predicate: string): string {
  return (
    predicate
      // A product without an article or a plural is the company's own.
      .replace(/^launches (?!(?:a|an|the|its|new|more|two|three|several) )(?=\p{Ll}[^,]*[^s]$)/u, 'launches its ')
      .replace(/ in Series ([A-H]\d?)\b/, ' in a Series $1 round')
      .replaceAll(WITH_ARTICLE, 'the $1')
  )
}

type Forms = { past: string | null; gerund: string | null }

/** What is said of the past, or of now where the day of the event is not surely behind us. */
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

/** The other verbs of claims, by the form in which claims have them: they are regular. */
const REGULAR = new Map(
  BUILTIN_SIGNALS.flatMap(({ sides }) => sides.flatMap(({ frames }) => frames)).flatMap(([, , says = '']) => {
    const verb = /^(\w+)~/.exec(says)?.[1]
    return verb ? [[verb.endsWith('ch') ? `${verb}es` : `${verb}s`, verb] as const] : []
  }),
)

function verbForms(verb: string): readonly [past: string, gerund: string] | null {
  const base = REGULAR.get(verb)
  return CLAUSES[verb] ?? (base ? [base.replace(/e?$/, 'ed'), base.replace(/e?$/, 'ing')] : null)
}

function formsOf(predicate: string, quote: string): Forms {
  // A departure is told by its noun: nobody writes "you lose your CFO" to a company.
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

/** What may still be under way, when the source tells it as done: how it is said then, and how sources say it. */
const DONE = lookupTable<[past: string, told: string]>({
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

/** The past where the perfect surely tells what is over: "has sold"; a headline's "acquired by" may be agreed on. */
function doneForm(said: string, quote: string): string | null {
  const [past, told] = DONE[said] ?? []
  if (past === undefined) return null
  const perfect = `\\b(?:has|have)(?: (?:already|also|now|just|recently|successfully|today))? (?:${told})\\b`
  const isSold = said.startsWith('sells') && /(?<!\b(?:is|are|be|being) )\bsold\b/.test(quote)
  return isSold || new RegExp(perfect).test(quote) ? past : null
}

/** Debt, a sale, a price and a filing are business as usual; use of something is no event. */
const ROUTINE =
  /^(?:borrows|sells|prices|files|merges|uses|supplies|has|announces|leases|moves|comes)|debt|loan| stake /

/** In a message to the company, its own things are the reader's. */
const yours = (text: string) => text.replaceAll(/\bits\b/g, 'your')

function namedIn(predicate: string, details: EventDetails | null): EventSummary['named'] {
  const [person, another] = details?.people ?? []
  if (!person || another || !details?.position || !/^(?:names|appoints) /.test(predicate)) return null
  // A sentence names others, too: who announces an appointment is not who was appointed.
  if (!predicate.includes(person.text)) return null
  // Whoever goes to the board decides on other things.
  if (/\bboard\b|\bchair\b|\bchairman\b|\bchairwoman\b/i.test(details.position.text)) return null
  return { full_name: person.text, title: details.position.text }
}
