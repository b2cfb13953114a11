// What a message says of the sender: sentences of the knowledge base, one that says what we bring and one that proves it.
// They are chosen, not written: only what has no verb or no subject of its own gets one, so that it reads as a sentence.
import { isEnglish } from '../language.ts'
import type { ToldEvent } from './event.ts'
import { sentencesOf } from './wording.ts'

export type KnowledgeSection = { type: string; title?: string; content_md: string }

const PITCH_TYPES = ['value_prop', 'product', 'overview']
/** What is for the team alone: whom to sell to, for how much, against whom. */
const PRIVATE_TYPES = /^(?:icp|persona|personas|pricing|competitor|competitors|objections?|playbook|battlecards?)$/i
const PROOF_SECTION =
  /\b(?:proof|proofs|case stud(?:y|ies)|customers?|clients?|references?|testimonials?|results?|success stor(?:y|ies))\b/i
const PROOF =
  /\b(?:customers?|clients?) (?:include|such as|like|have|has|report|save|saved|cut|use|see)|\b(?:used|trusted|chosen) by\b|(?<!\p{L})(?!(?:We|Our|It|They|You|I)\b)\p{Lu}[\p{L}\p{N}&-]+(?: \p{Lu}[\p{L}\p{N}&-]+)* (?:cut|cuts|saved|saves|reduced|halved|doubled|tripled|raised|increased|went|moved|switched|uses|runs|shortened|closes|ships|brought)\b|\b(?:[2-9]\d{2,}|\d{1,3}(?:,\d{3})+|\d+) (?:\p{L}+ ){0,2}(?:customers|clients|companies|sites|plants|teams|warehouses|hospitals|banks|users)\b/u

const PLACEHOLDER = /\[[^\]]{1,40}\]|\{\{?[^}]{1,40}\}?\}|<[^>]{1,40}>|\bTODO\b|\bTBD\b|\bXX+\b|lorem ipsum/i
/** Notes to the team, calls to act, and what hangs on the sentence before. */
const UNFIT =
  /^(?:mention|emphasi[sz]e|position (?:us|it|as)|avoid|never|always|remember|lead with|focus on|target|do not|don['’]t|tell|say|ask|note|internal|use (?:this|it|when)|it|this|that|these|those|they|he|she|such|also|and|but|or|however|therefore|moreover|additionally|in addition|book|contact|sign up|learn|read|click|see)\b|\b(?:internal(?:ly)? only|confidential|do not share|not public|under nda|https?:|www\.)|@|\?$|:$|\|/i

const MIN_WORDS = 4
const MAX_WORDS = 34

/** Words by which a sentence fits an event though it does not use its words. */
const NEAR: Readonly<Record<string, RegExp>> = {
  funding: /\b(?:grow|growth|growing|scal\w+|invest\w+|rais\w+|fund\w+|board|burn|runway)\b/i,
  expansion:
    /\b(?:new (?:site|sites|location|locations|market|markets|plant|plants|office|offices|country|countries|warehouse|warehouses|store|stores)|open\w*|expan\w+|abroad|country|countries|local)\b/i,
  hiring: /\b(?:hir\w+|recruit\w*|onboard\w*|talent|new (?:starters|joiners|colleagues|employees)|ramp|train\w*)\b/i,
  ipo: /\b(?:audit\w*|complian\w+|report\w*|public compan\w+|listed|controls|closes?|closing|books)\b/i,
  acquisition: /\b(?:acqui\w+|merg\w+|integrat\w+|consolidat\w+|entit(?:y|ies)|subsidiar\w+|group)\b/i,
  leadership_change:
    /\b(?:new leaders?|first (?:\d+ )?(?:days|months|quarter)|overview|visib\w+|insight\w*|plan\w*)\b/i,
  technology_adoption: /\b(?:integrat\w+|migrat\w+|adopt\w*|connect\w*|system\w*|platforms?|cloud|roll\w*)\b/i,
  product_launch: /\b(?:launch\w*|releas\w+|to market|new products?|adopt\w*|ship\w*)\b/i,
  partnership: /\b(?:partner\w*|channel\w*|together|joint\w*|shar\w+)\b/i,
  customer_win: /\b(?:deliver\w*|onboard\w*|new customers?|on time|service levels?|capacity|volume\w*)\b/i,
  layoffs: /\b(?:less|fewer|cost\w*|automat\w+|sav\w+|lean\w*|same team|without (?:more|extra|new))\b/i,
  security_incident: /\b(?:secur\w+|protect\w*|recover\w*|backup\w*|restor\w+|breach\w*|attack\w*|resilien\w+)\b/i,
}

/** Words by which a sentence is about one kind of event and out of place beside another. */
const ABOUT: Readonly<Record<string, RegExp>> = {
  acquisition: /\b(?:acqui\w+|merg(?:ed|er|ers|ing)|(?:newly )?bought)\b/i,
  expansion: /\bnew (?:sites?|locations?|plants?|offices?|countr(?:y|ies)|warehouses?|stores?|markets?)\b/i,
  product_launch: /\blaunch\w*\b/i,
}

export type Offer = { pitch: string | null; more: string | null; proof: string | null }

/** The sentences that fit the event best, each ready to be read on its own. */
export function offerFor(
  sections: readonly KnowledgeSection[],
  { angle, kind }: Pick<ToldEvent, 'angle' | 'kind'>,
  event: string,
  company?: string,
): Offer {
  const open = sections.filter(({ type, content_md }) => !PRIVATE_TYPES.test(type) && isEnglish(content_md))
  const wanted = stemsOf(event)
  const isNear = (text: string) => NEAR[angle ?? '']?.test(text) === true
  const isAstray = (text: string) => Object.entries(ABOUT).some(([id, words]) => id !== angle && words.test(text))
  const fits = (text: string) =>
    stemsOf(text).intersection(wanted).size +
    (isNear(text) ? 1.5 : 0) -
    (isAstray(text) && !(angle && ABOUT[angle]?.test(text)) ? 1.5 : 0) +
    (/\b(?:we|our|us)\b/i.test(text) || (company && text.includes(company)) ? 0.5 : 0)
  const isProof = (text: string) => PROOF.test(company ? text.replaceAll(company, 'we') : text)
  const proofs = open.flatMap((section) => proofsOf(section, company, isProof))
  const pitches = PITCH_TYPES.flatMap((type, rank) =>
    open
      .filter((section) => section.type === type && !isProofSection(section))
      .flatMap(({ content_md }) => sentencesOf(content_md).slice(0, 200))
      .filter((text) => isFit(text) && !namesCustomers(text))
      // Beside hard news, what does not help with it is out of place; what we are may be said.
      .filter((text) => kind !== 'hardship' || type === 'overview' || (isNear(text) && !isAstray(text)))
      .map((text) => ({ text, score: fits(text) + (PITCH_TYPES.length - rank) * 0.75 - (isProof(text) ? 2 : 0) })),
  )
  const pitch = best(pitches)
  const others = proofs
    .filter(({ source }) => source !== pitch)
    .map(({ text, score }) => ({ text, score: score + fits(text) }))
  const proof = best(others)
  // Where nothing proves it, the sentence that follows says more.
  const second = proof === null && kind !== 'hardship' && pitch !== null ? followerOf(pitch, open) : null
  const said = pitch && asSentence(pitch, company, 'What you get')
  return { pitch: said, more: second && !isAstray(second) ? second : null, proof }
}

const best = (rows: readonly { text: string; score: number }[]) =>
  rows.reduce<{ text: string; score: number } | null>((top, row) => (!top || row.score > top.score ? row : top), null)
    ?.text ?? null

/** The sentence of ours behind another, in a text that goes on: items of a list stand each for themselves. */
function followerOf(text: string, sections: readonly KnowledgeSection[]): string | null {
  for (const { content_md } of sections) {
    const line = content_md
      .split('\n')
      .find((one) => !/^\s*(?:[-*+]|\d+[.)])\s/.test(one) && sentencesOf(one).includes(text))
    const sentences = line ? sentencesOf(line) : []
    const next = sentences[sentences.indexOf(text) + 1]
    if (next && isFit(next) && /\b(?:we|our)\b/i.test(next)) return next
  }
  return null
}

const isProofSection = ({ type, title }: KnowledgeSection) =>
  PROOF_SECTION.test(`${type.replaceAll('_', ' ')} ${title ?? ''}`)

function isFit(text: string): boolean {
  const words = text.split(' ').length
  return words >= MIN_WORDS && words <= MAX_WORDS && !PLACEHOLDER.test(text) && !UNFIT.test(text)
}

const NAME = /^\p{Lu}[\p{L}\p{N}.&'’-]*(?: (?:of|and|the|&|\p{Lu}[\p{L}\p{N}.&'’-]*)){0,4}$/u
const LIST = /^(?:(?:our )?(?:customers?|clients?|references?)(?: include)?|trusted by|used by)\s?:?\s(.+)$/i

function proofsOf(section: KnowledgeSection, company: string | undefined, isProof: (text: string) => boolean) {
  const isOwn = isProofSection(section)
  const lines = sentencesOf(section.content_md).slice(0, 200)
  const proofs = lines
    .filter((text) => isFit(text) && !namesCustomers(text) && (isOwn || isProof(text)))
    .map((text) => ({
      source: text,
      text: asSentence(text, company, 'One example'),
      score: (isOwn ? 2 : 0) + (/\d/.test(text) ? 1 : 0),
    }))
  const listed = lines.flatMap((line) => customersIn(line) ?? (isOwn && NAME.test(line) ? [line] : []))
  const names = [...new Set(listed)].slice(0, 3)
  if (names.length > 0) proofs.push({ source: '', text: `Our customers include ${spoken(names)}.`, score: 1 })
  return proofs
}

const namesCustomers = (text: string) => customersIn(text) !== null

/** "Customers: Acme, Globex and Initech". */
function customersIn(line: string): string[] | null {
  const listed = LIST.exec(line.replace(/\.$/, ''))?.[1]
  const names = listed?.split(/, (?:and )?| and /).map((name) => name.trim())
  return names?.every((name) => NAME.test(name)) ? names : null
}

const spoken = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** "Cuts", and what one does oneself: "cut". */
const GAINS: ReadonlyMap<string, string> = new Map(
  (
    'cuts:cut halves:halve reduces:reduce saves:save gives:give shows:show makes:make lets:let helps:help finds:find ' +
    'keeps:keep turns:turn brings:bring automates:automate replaces:replace connects:connect tracks:track speeds:speed ' +
    'doubles:double lowers:lower improves:improve increases:increase delivers:deliver provides:provide offers:offer ' +
    'builds:build plans:plan monitors:monitor detects:detect predicts:predict manages:manage shortens:shorten ' +
    'eliminates:eliminate removes:remove simplifies:simplify protects:protect prevents:prevent takes:take puts:put ' +
    'works:work runs:run closes:close matches:match reads:read checks:check sends:send'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
const IMPERATIVES = new Set([
  ...GAINS.values(),
  'get',
  'see',
  'know',
  'stop',
  'start',
  'spend',
  'ship',
  'hire',
  'sell',
  'win',
])
const FINITE =
  /\b(?:is|are|was|were|has|have|had|can|will|do|does|we|our|gets?|goes|went|needs?|uses?|used|works?|runs?|makes?|takes?|took|stays?|stayed|costs?|sees?|saw|fell|rose|grew|cut|cuts|saved?|saves|reduced?|reduces|halved?|halves|helps?|plans|lets|gives|finds|keeps|turns|brings|shows|went|switched|moved|chose|doubled|tripled|replaced|shortened|dropped|improved|increased|ships?|closes?|closed)\b/i

/** What the knowledge base says, as a sentence: a list item gets what it lacks. */
function asSentence(text: string, company: string | undefined, lead: string): string {
  const label = /^\p{Lu}[\p{L} -]{2,24}: (?=\p{Lu}?\p{L})(.+)$/u.exec(text)?.[1]
  const told = (label ? label.charAt(0).toUpperCase() + label.slice(1) : text).replace(/[\s.;,!]+$/, '')
  const [first = ''] = told.split(' ', 1)
  const rest = told.slice(first.length)
  const verb = GAINS.get(first.toLowerCase())
  if (verb) return company ? `${company} ${first.toLowerCase()}${rest}.` : `We ${verb}${rest}.`
  if (IMPERATIVES.has(first.toLowerCase())) return `With ${company ?? 'us'}, you can ${first.toLowerCase()}${rest}.`
  return text.endsWith('.') || FINITE.test(told) ? `${told}.` : `${lead}: ${told}.`
}

const COMMON = new Set(
  'about their which there these those where while would could should other every after before company announced'.split(
    ' ',
  ),
)

/** Words by their beginnings, so that "warehouse" and "warehouses" are one. */
function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, 7)))
}
