// The features of a candidate: whose event it may be (slot, prominence of the company in the document) and whether it
// is an event (cues, place in the document, form of the trigger). Their names are kept readable, so that the learned
// weights can be read and argued with.
import { isCapitalized, type Mention, wordText } from '../company-names.ts'
import type { Tokens } from '../scan.ts'
import type { Sentence } from '../sentences.ts'
import { CUE_BIT, type Document, type SignalCandidate } from './document.ts'
import type { CueName, Frame, TriggerGroup } from './lexicon.ts'
import { type Prominence, REFERENCE_THRESHOLD } from './prominence.ts'
import { isAside, isInvestor, modifies, namesOther, SLOT_PREFERENCE, slotOf } from './slots.ts'
import { namesPartner, namesPlace, references } from './words.ts'

export type CandidateFeatures = { features: string[]; slot: string; mention: Mention | null }

const PREVIOUS_WORDS = new Set(
  'to will has have been was is are be the its of a an our this new and that recently also today in for by their would could may not s pre post after following since'.split(
    ' ',
  ),
)
const NEXT_WORDS = new Set(
  'of with by in as a an its the new for to into at from on and their his her our that between'.split(' '),
)

/** The features of a candidate for a company, or null when the company can have no part in it. */
export function extractFeatures(
  document: Document,
  candidate: SignalCandidate,
  prominence: Prominence,
): CandidateFeatures | null {
  const { tokens, masks } = document
  const { group, from, to } = candidate
  const sentence = document.sentences[candidate.sentence] as Sentence
  const isTitle = sentence.section === 'title'
  const mask = masks[candidate.sentence] as number
  if (group.needs && !group.needs.some((cue) => mask & CUE_BIT[cue])) return null

  const mentions = prominence.bySentence.get(candidate.sentence)
  let slot = 'none'
  let mention: Mention | null = null
  const byReference = bestSlot(tokens, candidate, references(document, candidate.sentence), isTitle)
  let best = SLOT_PREFERENCE[group.frame].length
  if (mentions) {
    const byName = bestSlot(tokens, candidate, mentions, isTitle)
    // The trigger is part of the name ("Launch Labs", "Growth Fund").
    if (!byName) return null
    ;({ slot, mention, rank: best } = byName)
  } else {
    if (prominence.score < REFERENCE_THRESHOLD) return null
    slot = mask & CUE_BIT.we ? 'we' : 'none'
  }

  if (group.signal === 'funding' && mention && isInvestor(document, candidate, mention)) slot = 'investor'
  const features = [`signal:${group.signal}`, `group:${group.signal}:${group.name}`, `slot:${group.frame}:${slot}`]
  features.push(`place:${group.signal}:${slot}`)
  // "It", "the company" where the event wants its subject, for the company the document is about.
  if (byReference?.mention && byReference.rank < best && prominence.score >= REFERENCE_THRESHOLD)
    features.push(`by_reference:${mention ? 'and_name' : 'only'}:${group.frame}:${byReference.slot}`)
  addProminence(features, prominence, slot, group.frame, candidate.sentence)
  addPlace(features, sentence, candidate.sentence)
  if (group.signal === 'partnership') {
    const told = mention !== null && mention.from > to
    features.push(told || namesPartner(document, sentence, candidate) ? 'names_partner' : 'names_no_partner')
  }
  addSubject(features, tokens, sentence, candidate, mention)
  if (group.signal === 'funding' && prominence.isInvestor) features.push('investor_name')
  if (mention && modifies(tokens, mention)) features.push('modifies')
  if (mention && mention.to <= from && isAside(tokens, mention)) features.push('aside')
  if (!mention && namesOther(tokens, sentence, from)) features.push('names_other')
  addForm(features, tokens, sentence, candidate)
  addCues(features, document, candidate, mask)
  addObject(features, document, sentence, candidate)
  features.push(`${group.name}@${group.signal}:${slot}`, `role:${group.frame}:${prominence.titleRole}`)
  if (sentence.section === 'title') features.push(`${group.name}@${group.signal}:title:${prominence.titleRole}`)
  else if (candidate.sentence <= 3) features.push(`${group.name}@${group.signal}:lead`)
  if (group.signal === 'expansion') {
    if (goesSomewhere(tokens, sentence, to)) features.push('goes_somewhere')
    features.push(namesPlace(document, candidate) ? 'names_place' : 'names_no_place')
  }
  addYears(features, tokens, sentence, prominence.published)
  features.push(`trigger:${group.signal}:${tokens.text.slice(tokens.start[from], tokens.end[to]).toLowerCase()}`)
  if (!mention && from === sentence.from && !isTitle)
    features.push(`bullet:${prominence.score >= 0.75 ? 'main' : 'other'}`)
  if (isClear(features, group, slot)) features.push(`clear:${group.signal}`)
  if (sentence.section === 'title' && isWellPlaced(features, group, slot)) features.push(`headline:${group.signal}`)
  return { features, slot, mention }
}

/** The mention that fits the frame best, or null when the trigger is part of one. */
function bestSlot(
  tokens: Tokens,
  { group, from, to }: SignalCandidate,
  mentions: readonly Mention[],
  inTitle: boolean,
) {
  const preference = SLOT_PREFERENCE[group.frame]
  let found: { slot: string; mention: Mention | null; rank: number } = {
    slot: 'none',
    mention: null,
    rank: preference.length + 1,
  }
  for (const mention of mentions) {
    const slot = slotOf(tokens, mention, from, to, inTitle)
    if (slot === 'inside') return null
    const at = preference.indexOf(slot)
    const rank = at < 0 ? preference.length : at
    if (rank < found.rank) found = { slot, mention, rank }
  }
  return found
}

const AUXILIARIES = new Set(
  'has have had been be is are was were will would to also recently today officially successfully now just that and it'.split(
    ' ',
  ),
)

/** Whose name stands straight before the trigger: "George Gay has been selected" is nobody else's event. */
function addSubject(
  features: string[],
  tokens: Tokens,
  sentence: Sentence,
  { group, from }: SignalCandidate,
  mention: Mention | null,
): void {
  if (sentence.section === 'title' || group.frame === 'object' || group.frame === 'agent') return
  let t = from - 1
  while (
    t >= sentence.from &&
    AUXILIARIES.has(wordText(tokens, t)) &&
    tokens.end[t] === (tokens.start[t + 1] as number) - 1
  )
    t--
  if (t < sentence.from || !isCapitalized(tokens, t)) return
  if (mention && t >= mention.from && t < mention.to) features.push('subject_own')
  else if (tokens.text.charCodeAt(tokens.end[t] as number) !== 41) features.push(`subject_other:${group.frame}`)
}

function addProminence(features: string[], prominence: Prominence, slot: string, frame: Frame, index: number): void {
  const explicit = slot !== 'none' && slot !== 'we'
  const level =
    prominence.score >= 0.75 ? 'main' : prominence.score >= 0.45 ? 'high' : prominence.score >= 0.25 ? 'mid' : 'low'
  features.push(explicit ? `prominence:${level}:${frame}` : `prominence_${slot}:${level}`)
  if (prominence.leadsTitle) features.push('leads_title')
  else if (prominence.inTitle) features.push('in_title')
  if (prominence.inLead) features.push('in_lead')
  if (explicit) return
  features.push(
    `unnamed:${slot}:${level}:${prominence.opens ? 'opens' : 'not'}:${prominence.leadsTitle ? 'leads' : 'not'}`,
  )
  // Whose "we" and "the company" is it? The one the text has just named, or the one that opens it.
  features.push(prominence.bySentence.has(index - 1) ? 'named_before' : 'not_named_before')
  if (prominence.opens) features.push('opens')
  else features.push('does_not_open')
  if (prominence.company.is_the_company) features.push('is_the_company')
}

function addPlace(features: string[], sentence: Sentence, index: number): void {
  features.push(`section:${sentence.section}`)
  if (sentence.section === 'body') {
    features.push(index <= 2 ? 'place:first' : index <= 6 ? 'place:early' : index <= 15 ? 'place:middle' : 'place:late')
  }
  if (sentence.quoted) features.push('quoted')
  if (sentence.to - sentence.from < 6) features.push('short')
}

function addForm(features: string[], tokens: Tokens, sentence: Sentence, { group, from, to }: SignalCandidate): void {
  const title = sentence.section === 'title' ? 'title_' : ''
  if (from === to) {
    const word = wordText(tokens, from)
    const form = word.endsWith('ing') ? 'ing' : word.endsWith('ed') ? 'ed' : word.endsWith('s') ? 's' : 'base'
    features.push(`form:${title}${form}`)
  }
  if (from > sentence.from) {
    const previous = wordText(tokens, from - 1)
    if (PREVIOUS_WORDS.has(previous)) features.push(`previous:${previous}`)
  } else features.push('starts')
  if (to + 1 < sentence.to) {
    const next = wordText(tokens, to + 1)
    if (NEXT_WORDS.has(next)) features.push(`next:${next}`)
    else if (isCapitalized(tokens, to + 1) && title === '') features.push(`next_name:${group.frame}`)
  }
}

const BEFORE_CUES: readonly CueName[] = ['announce', 'rumour', 'plan', 'firm', 'negation', 'history']
const SENTENCE_CUES: readonly CueName[] = [
  'history',
  'said',
  'lawsuit',
  'crypto',
  'presale',
  'stock',
  'adviser',
  'rumour',
  'plan',
  'money',
  'announce',
  'lead_investor',
]
const NOISE: Partial<Record<string, readonly CueName[]>> = {
  product_launch: ['not_product', 'ipo_word'],
  acquisition: ['deal_noise'],
  leadership_change: ['person_noise'],
  security_incident: ['security_sale'],
  funding: ['ipo_word', 'crypto', 'presale', 'stock'],
  partnership: ['adviser'],
  ipo: ['crypto'],
  customer_win: ['person_noise'],
  technology_adoption: ['person_noise'],
}

function addCues(features: string[], document: Document, candidate: SignalCandidate, mask: number): void {
  const { group, from, to } = candidate
  let before = 0
  let near = 0
  for (const cue of document.cues[candidate.sentence] ?? []) {
    if (cue.to < from && cue.to >= from - 7) before |= cue.bit
    if (cue.from > to && cue.from <= to + 9) near |= cue.bit
    else if (cue.to < from && cue.to >= from - 4) near |= cue.bit
    else if (cue.from >= from && cue.to <= to && group.wants) near |= cue.bit
  }
  for (const cue of BEFORE_CUES) if (before & CUE_BIT[cue]) features.push(`before:${cue}`)
  for (const cue of SENTENCE_CUES) if (mask & CUE_BIT[cue]) features.push(`has:${cue}`)
  if (group.wants) {
    const found = group.wants.some((cue) => near & CUE_BIT[cue])
    features.push(
      found
        ? `wants_near:${group.signal}`
        : group.wants.some((cue) => mask & CUE_BIT[cue])
          ? `wants_far:${group.signal}`
          : `wants_none:${group.signal}`,
    )
  }
  if (group.needs?.some((cue) => near & CUE_BIT[cue])) features.push(`needs_near:${group.signal}`)
  const noise = NOISE[group.signal]
  if (noise?.some((cue) => near & CUE_BIT[cue])) features.push(`noise_near:${group.signal}`)
}

const OBJECT_ENDS = new Set(
  'to for that which with as at in on by designed who where including following amid after from through via'.split(' '),
)
const OBJECT_CUES: readonly CueName[] = [
  'product',
  'not_product',
  'place',
  'deal_noise',
  'deal_noun',
  'ipo_word',
  'fund_noun',
  'title',
  'contract',
  'technology',
  'crypto',
  'job_noun',
  'plan',
  'money',
  'geo',
  'presale',
  'not_place',
]

/** What the trigger acts on: the classes of words between it and the end of its phrase ("launches an ambassador program"). */
function addObject(
  features: string[],
  { tokens, cues }: Document,
  sentence: Sentence,
  { group, sentence: index, to }: SignalCandidate,
): void {
  let end = to + 1
  for (; end < sentence.to && end <= to + 9; end++) {
    const gap = tokens.text.charCodeAt(tokens.end[end - 1] as number)
    if (end > to + 1 && (gap === 44 || gap === 59 || gap === 58 || gap === 40 || gap === 0x2014 || gap === 0x2013))
      break
    if (end > to + 1 && OBJECT_ENDS.has(wordText(tokens, end))) break
  }
  let mask = 0
  for (const cue of cues[index] ?? []) if (cue.from > to && cue.to < end) mask |= cue.bit
  for (const cue of OBJECT_CUES)
    if (mask & CUE_BIT[cue]) features.push(`object:${group.signal}:${cue}`, `${group.name}@${group.signal}:acts:${cue}`)
  if (mask === 0) features.push(`object:${group.signal}:none`)
}

const DIRECTIONS = new Set(['in', 'into', 'to', 'across', 'throughout', 'within'])

/** "expands into Poland": a direction and a name. Headlines capitalise everything, so only running text counts. */
function goesSomewhere(tokens: Tokens, sentence: Sentence, to: number): boolean {
  if (sentence.section === 'title') return false
  for (let t = to; t < Math.min(sentence.to - 1, to + 9); t++) {
    if (!DIRECTIONS.has(wordText(tokens, t))) continue
    const next = wordText(tokens, t + 1) === 'the' && t + 2 < sentence.to ? t + 2 : t + 1
    if (isCapitalized(tokens, next)) return true
  }
  return false
}

const DOUBTS = new Set([
  'before:rumour',
  'before:plan',
  'before:negation',
  'before:history',
  'has:rumour',
  'quoted',
  'year:past',
])

/** The company stands where the event puts it, and nothing in the sentence speaks against it. */
function isWellPlaced(features: string[], { frame, signal }: TriggerGroup, slot: string): boolean {
  const rank = SLOT_PREFERENCE[frame].indexOf(slot)
  if (rank < 0 || rank > 3) return false
  return !features.includes(`noise_near:${signal}`) && !features.some((feature) => DOUBTS.has(feature))
}

/** A sentence that says it outright: well placed, and what belongs to the event stands near it. */
function isClear(features: string[], group: TriggerGroup, slot: string): boolean {
  const { signal, wants, needs } = group
  if (!isWellPlaced(features, group, slot)) return false
  return (!wants && !needs) || features.includes(`wants_near:${signal}`) || features.includes(`needs_near:${signal}`)
}

/** A year before the publication makes a sentence history. */
function addYears(features: string[], tokens: Tokens, sentence: Sentence, published: string | null): void {
  if (!published) return
  const current = Number(published.slice(0, 4))
  let oldest = 0
  let newest = 0
  for (let t = sentence.from; t < sentence.to; t++) {
    const at = tokens.start[t] as number
    if ((tokens.end[t] as number) - at !== 4) continue
    const first = tokens.text.charCodeAt(at)
    if (first !== 49 && first !== 50) continue
    const year = Number(tokens.text.slice(at, at + 4))
    if (!(year >= 1900 && year <= current + 5)) continue
    if (oldest === 0 || year < oldest) oldest = year
    if (year > newest) newest = year
  }
  if (oldest === 0) return
  if (newest < current - 1) features.push('year:past')
  else if (newest === current - 1) features.push('year:last')
  else features.push(newest === current ? 'year:this' : 'year:coming')
}
