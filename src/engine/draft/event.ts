// What happened, in the forms a message needs: as a clause ("Acme raised €38 million"), as what one congratulates on
// ("raising €38 million") and as a thing one can talk about ("the €38 million in funding"). Everything comes from the claim
// and its details; a claim that says no more than its signal is told by the sentence of the source instead.
import type { EventDetails } from '../claim/index.ts'
import { companyKey } from '../company-names.ts'
import { openingsInShort, readOpenings } from '../hiring.ts'
import { readChange } from '../hiring-changes.ts'
import { findBuiltinSignal } from '../signals.ts'
import { table } from '../table.ts'
import { namesErased } from './erased.ts'
import { topicOf } from './topics.ts'
import { hostName, withoutDateline, withoutStop } from './wording.ts'

export type EventProof = {
  claim: string
  quote?: string | null
  details?: EventDetails | null
  source_url?: string | null
  published_date?: string | null
}

/** How a message speaks of a signal: of more to come, of a change inside, of a success outside, or of hard times. */
export type Kind = 'growth' | 'change' | 'market' | 'hardship' | 'other'

const KINDS = table<Kind>({
  funding: 'growth',
  expansion: 'growth',
  hiring: 'growth',
  ipo: 'growth',
  leadership_change: 'change',
  acquisition: 'change',
  technology_adoption: 'change',
  product_launch: 'market',
  partnership: 'market',
  customer_win: 'market',
  layoffs: 'hardship',
  security_incident: 'hardship',
})

export const kindOf = (signalId: string): Kind => KINDS[signalId] ?? 'other'

export type ToldEvent = {
  kind: Kind
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
export function shortName(name: string): string {
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
  const rest = withoutStop(claim.slice(account.length + 1))
  const plain = [signal.predicate, ...Object.values(signal.predicateByRole ?? {})]
  return !plain.includes(rest) && !plain.some((predicate) => rest.startsWith(`${predicate}: `) && !isOpenings(rest))
}

/** What a line about a proof says: its claim, or its sentence where the claim only names the kind of event. */
export function lineOfProof({ claim, quote }: EventProof, account: string, signalId: string): string {
  return quote && !isInformative(claim, account, signalId) ? quote : claim
}

/** Reads what happened from the proof that tells most, and says which that is: its day and its source belong to it. */
export function readEvent(
  account: { name: string },
  signalId: string,
  proofs: readonly [EventProof, ...EventProof[]],
): { event: ToldEvent; proof: EventProof } {
  const proof = proofs.find(({ claim }) => isInformative(claim, account.name, signalId)) ?? proofs[0]
  return { event: eventOf(account, signalId, proof), proof }
}

function eventOf(account: { name: string }, signalId: string, proof: EventProof): ToldEvent {
  const kind = kindOf(signalId)
  const name = shortName(account.name)
  if (!isInformative(proof.claim, account.name, signalId)) return plainEvent(proof, account.name, signalId)
  const predicate = spoken(withoutStop(proof.claim.slice(account.name.length + 1)))
  const openings = openingsOf(proof.claim)
  if (openings) {
    const topic = 'the open positions'
    return { ...NOTHING, kind, clause: `${name} ${openings}`, topic, is_talkable: false, angle: signalId }
  }
  const { past, gerund } = formsOf(predicate, proof.quote ?? '')
  return {
    ...NOTHING,
    kind,
    clause: past === null ? null : `${name} ${past}`,
    doing: gerund && isGoodNews(signalId, predicate) ? yours(gerund) : null,
    topic: topicOf(signalId, predicate, proof.details ?? null),
    is_talkable: isTalkable(signalId),
    news: newsOf(signalId, predicate, proof.details ?? null, name),
    angle: signalId === 'acquisition' && /^(?:sells|is )|acquired by/.test(predicate) ? null : signalId,
    quote: isVague(predicate) ? quotable(proof, account.name) : null,
    is_seen: signalId === 'technology_adoption' && proof.quote === null,
    named: namedIn(predicate, proof.details ?? null),
  }
}

const NOTHING = { doing: null, news: null, quote: null, is_seen: false, named: null }

const isTalkable = (signalId: string) =>
  !/^(?:funding|hiring|leadership_change|layoffs|security_incident)$/.test(signalId)

/** "wins a contract", "launches an app": the sentence says better which. */
const isVague = (predicate: string) =>
  /^(?:launches|wins|opens|adopts|sells|offers) (?:an? )?[\p{Ll}-]+$/u.test(predicate)

/** What to say after "I read about" where a clause would be wrong or hurt. */
function newsOf(signalId: string, predicate: string, details: EventDetails | null, name: string): string | null {
  const person = details?.people.find(({ text }) => predicate.includes(text))?.text
  const position = details?.position?.text
  if (signalId === 'security_incident') {
    const topic = topicOf(signalId, predicate, details)
    return `${topic} ${topic.endsWith('attack') ? 'on' : 'at'} ${name}`
  }
  if (!/^(?:loses|plans to lose|agrees to lose) /.test(predicate) || !position) return null
  return person ? `${person} leaving the post of ${position} at ${name}` : `the change of ${position} at ${name}`
}

/** What to say of an event when nothing but its signal, or its source's sentence, tells it. */
const PLAIN = table<[clause: string, topic: string]>({
  'raised capital': ['raised capital', 'the new funding'],
  acquires: ['is making an acquisition', 'the acquisition'],
  'is acquired': ['is being acquired', 'the acquisition'],
  'sells a business': ['is selling a business', 'the sale'],
  merges: ['is merging', 'the merger'],
  'changes its leadership': ['is changing its leadership', 'the change in leadership'],
  'is hiring': ['is hiring', 'the hiring'],
  'launches a product': ['launched something new', 'the launch'],
  expands: ['is expanding', 'the expansion'],
  'enters a partnership': ['entered a partnership', 'the partnership'],
  'cuts jobs': ['is cutting jobs', 'the job cuts'],
  'goes public': ['is going public', 'the IPO'],
  'wins a customer': ['won new business', 'the new business'],
  'adopts a technology': ['is bringing in new technology', 'the new technology'],
  'had a security incident': ['had a security incident', 'the incident'],
})

/** Longer sentences are no opening for a short message. */
const MAX_QUOTE_CHARS = 130

function plainEvent(proof: EventProof, account: string, signalId: string): ToldEvent {
  const kind = kindOf(signalId)
  const name = shortName(account)
  const rest = proof.claim.startsWith(`${account} `) ? withoutStop(proof.claim.slice(account.length + 1)) : ''
  const fallback = findBuiltinSignal(signalId)?.predicate ?? ''
  const plain = PLAIN[rest] ?? PLAIN[rest.split(': ', 1)[0] as string] ?? PLAIN[fallback]
  return {
    ...NOTHING,
    kind,
    // A closed plant is filed under layoffs, too: without a claim it is not said which.
    clause:
      kind === 'hardship' || !plain ? null : `${name} ${isDone(rest, proof.quote ?? '') ? DONE[rest]?.[0] : plain[0]}`,
    topic: plain ? plain[1] : 'this',
    // "The expansion" alone is no subject line.
    is_talkable: false,
    news:
      kind !== 'hardship'
        ? null
        : signalId === 'security_incident'
          ? `the incident at ${name}`
          : `what is happening at ${name}`,
    // Hard news is not held up to people in quotation marks.
    quote: kind === 'hardship' ? null : quotable(proof, account),
    angle: /^(?:sells|is acquired)/.test(rest) ? null : signalId,
  }
}

/** The sentence of the source, when it is short enough to be quoted in a message. */
function quotable({ quote, claim }: EventProof, account: string): string | null {
  const said = withoutDateline((quote ?? claim.replace(`${account}: `, '')).replace(/\s+/g, ' ').trim())
  // A sentence about somebody who was erased is not held up to their colleagues.
  if (namesErased(said)) return null
  const [first = ''] = account.split(/[\s,]/, 1)
  // A sentence that does not name the company leaves the reader guessing.
  if (said.length > MAX_QUOTE_CHARS || said.split(' ').length < 4 || !said.includes(first)) return null
  return withoutStop(said).replaceAll(/["“”]/g, '’')
}

/** Whether the company itself tells it. */
export function isOwnNews({ source_url }: EventProof, domain: string | null | undefined): boolean {
  const host = hostName(source_url)
  return !!host && !!domain && (host === domain || host.endsWith(`.${domain}`))
}

const isOpenings = (rest: string) => /^is hiring: it lists \d/.test(rest)

/** Open positions as a clause of a sentence: "lists 14 open positions, 6 in Engineering". */
function openingsOf(claim: string): string | null {
  const change = readChange(claim)
  if (change) return change.short
  const openings = readOpenings(claim)
  if (!openings) return null
  const [first, second] = openings.titles.filter((title) => title.length <= 40)
  if (openings.largest || !first) return openingsInShort(openings)
  return `${openingsInShort(openings)}, among them ${second ? `${first} and ${second}` : first}`
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
const CLAUSES = table<[past: string, gerund: string]>({
  raises: ['raised', 'raising'],
  receives: ['received', 'receiving'],
  secures: ['secured', 'securing'],
  prices: ['priced', 'pricing'],
  borrows: ['borrowed', 'borrowing'],
  sells: ['is selling', 'selling'],
  names: ['named', 'naming'],
  appoints: ['appointed', 'appointing'],
  opens: ['opened', 'opening'],
  builds: ['is building', 'building'],
  expands: ['is expanding', 'expanding'],
  moves: ['is moving', 'moving'],
  comes: ['is coming', 'coming'],
  enters: ['entered', 'entering'],
  leases: ['leased', 'leasing'],
  acquires: ['acquired', 'acquiring'],
  announces: ['announced', 'announcing'],
  partners: ['is partnering', 'partnering'],
  cuts: ['is cutting', 'cutting'],
  closes: ['is closing', 'closing'],
  files: ['filed', 'filing'],
  lists: ['listed', 'listing'],
  completes: ['completed', 'completing'],
  goes: ['went', 'going'],
  wins: ['won', 'winning'],
  supplies: ['supplies', 'supplying'],
  adopts: ['adopted', 'adopting'],
  chooses: ['chose', 'choosing'],
  uses: ['uses', 'using'],
  orders: ['ordered', 'ordering'],
  launches: ['launched', 'launching'],
  offers: ['now offers', 'offering'],
  takes: ['took', 'taking'],
  merges: ['is merging', 'merging'],
  creates: ['is creating', 'creating'],
  hires: ['hired', 'hiring'],
  has: ['has', 'having'],
})

function formsOf(predicate: string, quote: string): Forms {
  // A departure is told by its noun: nobody writes "you lose your CFO" to a company.
  if (/^(?:loses|plans to lose|agrees to lose) /.test(predicate)) return { past: null, gerund: null }
  if (predicate.startsWith('agrees to ')) return { past: `has ${predicate.replace('agrees', 'agreed')}`, gerund: null }
  if (predicate.startsWith('is acquired by ')) {
    return { past: predicate.replace('is ', isDone('is acquired', quote) ? 'has been ' : 'is being '), gerund: null }
  }
  if (predicate.startsWith('is to ')) return { past: predicate.replace('is to ', 'is set to '), gerund: null }
  const [verb = ''] = predicate.split(' ', 1)
  const forms = CLAUSES[verb]
  if (!forms) return { past: predicate, gerund: null }
  const rest = predicate.slice(verb.length)
  const done = isDone(verb, quote) && DONE[verb]?.[0]
  return { past: (done || forms[0]) + rest, gerund: forms[1] + rest }
}

/** What may still be under way, when the source tells it as done: how it is said then, and how sources say it. */
const DONE = table<[past: string, told: string]>({
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

/** The perfect surely tells what is over: "has sold", "have been acquired"; a headline's "acquired by" may be agreed on. */
function isDone(said: string, quote: string): boolean {
  const told = DONE[said]?.[1]
  if (told === undefined) return false
  const perfect = `\\b(?:has|have)(?: (?:already|also|now|just|recently|successfully|today))? (?:${told})\\b`
  return new RegExp(said.startsWith('sells') ? `${perfect}|(?<!\\b(?:is|are|be|being) )\\bsold\\b` : perfect).test(
    quote,
  )
}

const GOOD_NEWS: ReadonlySet<string> = new Set([
  ...['funding', 'expansion', 'ipo', 'product_launch', 'partnership', 'customer_win', 'acquisition'],
])

function isGoodNews(signalId: string, predicate: string): boolean {
  if (!GOOD_NEWS.has(signalId)) return false
  // Debt, a sale, a price and a filing are business as usual; use of something is no event.
  return !/^(?:borrows|sells|prices|files|merges|uses|supplies|has|announces|leases|moves|comes)|debt|loan| stake /.test(
    predicate,
  )
}

/** In a message to the company, its own things are the reader's. */
const yours = (text: string) => text.replaceAll(/\bits\b/g, 'your')

function namedIn(predicate: string, details: EventDetails | null): ToldEvent['named'] {
  const [person, another] = details?.people ?? []
  if (!person || another || !details?.position || !/^(?:names|appoints) /.test(predicate)) return null
  // A sentence names others, too: who announces an appointment is not who was appointed.
  if (!predicate.includes(person.text)) return null
  // Whoever goes to the board decides on other things.
  if (/\bboard\b|\bchair\b|\bchairman\b|\bchairwoman\b/i.test(details.position.text)) return null
  return { full_name: person.text, title: details.position.text }
}
