// Finds the subject of a verb: the company, or another organisation before the verb, with no other possible subject
// between.
import { CALENDAR_WORDS } from '../english/calendar.ts'
import { OFFICE_TITLES, wordSet as words } from '../english/words.ts'
import type { FrameSubject } from '../signals/index.ts'
import { findNameStart, isNameComplete } from './name-bounds.ts'
import { parseOrganisation, parseOwner } from './organisations.ts'
import { parseNamedPerson, parsePosition } from './people.ts'
import type { SlotMatch, Statement, Word } from './statement.ts'
import { FUNCTION_WORDS, PREPOSITIONS, VERBS } from './vocabulary.ts'

/** Whether the event is done, agreed or planned. */
export type Modality = 'done' | 'agreed' | 'planned'

/** Words between a subject and its verb that do not change the meaning. */
const NEUTRAL = words(
  'has have had having is are was were be been being today yesterday recently also now just officially formally ' +
    'successfully proudly finally announced announces announce announcing says said confirmed confirms reports reported ' +
    'reveals revealed the a an its it they we that this week month pleased excited thrilled proud delighted happy to ' +
    'signing signs signed inks inked executed executes reached reaches enters entered into new successful of previously exclusive strategic on earlier ' +
    'which definitive binding share details grand official highly anticipated public global commercial immediate honored honoured',
)
/** "May" is excluded, because it is also an auxiliary: the next word decides. */
const isNeutral = (lower: string) => NEUTRAL.has(lower) || (CALENDAR_WORDS.has(lower) && lower !== 'may')

const DONE = words(
  'completed completes complete completing completion closed closes closing finalized finalizes finalised',
)
const AGREED = words('agree agrees agreed agreement')
const PLANNED = words(
  'plan plans planned planning intends intend intention aims aiming set seeks seeking looking will proposes proposed ' +
    'scheduled applied applies letter intent loi preparing prepares expects expected upcoming imminent',
)
/** After a comma they open a description of the subject: ", a maker of lenses,". */
const OPENS_APPOSITION = words('a an the its which this that of')
/** Words that negate the event or place it in the past: "following a $2 million seed round". */
const DENIALS = words(
  'not no never without deny denies denied denying following previous previously prior earlier former formerly terminated terminates ended ends ending',
)
/** References to the company without its name. */
const PRONOUNS = words("it we they we've we're we’ve we’re")
const COMPANY_NOUNS = words(
  'company firm startup group business corporation organization organisation manufacturer retailer maker bank brand ' +
    'studio agency provider developer insurer airline',
)

/** Maximum number of words between a subject and its verb. */
const MAX_WORDS_BETWEEN = 60
const MAX_WORDS_AFTER_DENIAL = 4
/** "Acme's planned acquisition". */
const MAX_WORDS_AFTER_OWNER = 2

/** The subject of a verb, as the frame requires it; null when it cannot be determined. */
export function parseSubject(
  statement: Statement,
  subject: FrameSubject,
  verb: number,
): { modality: Modality; actor?: SlotMatch } | null {
  if (subject === 'involved' && !isInvolved(statement, verb)) return null
  if (subject === 'anyone' || subject === 'involved') {
    const modality = isDenied(statement, verb) ? null : modalityBefore(statement, verb)
    return modality && { modality }
  }
  if (subject === 'company') {
    if (isNegated(statement, verb)) return null
    for (const end of companyEnds(statement, verb)) {
      const modality = modalityBetween(statement, end, verb)
      if (modality) return { modality }
    }
    const modality = sharesSubject(statement, verb) && !isDenied(statement, verb) && modalityBefore(statement, verb)
    return modality ? { modality } : null
  }
  // The verb is not part of the name, even where it could be: "Globex Partners with Acme".
  const before = { ...statement, words: statement.words.slice(0, verb) }
  for (let start = Math.max(0, verb - MAX_WORDS_BETWEEN); start < verb; start++) {
    if (!beginsName(statement, start)) continue
    const actor = parseOrganisation(before, start) ?? ownerBefore(before, start, verb)
    const modality = actor && isNotObject(statement, start) ? modalityBetween(statement, actor.next, verb) : null
    if (actor && modality) return { modality, actor }
  }
  return null
}

const SUBSIDIARIES = words('subsidiary subsidiaries division affiliate licensee unit')

/** The sentence names the company, or is written in its voice, and no subsidiary acts instead. */
function isInvolved(statement: Statement, verb: number): boolean {
  const { words } = statement
  const own = words.findIndex(({ isOwn }) => isOwn)
  if (own < 0) return words.some(({ lower }) => /^(?:we|our|us)$/.test(lower))
  if (own < verb) return !words.slice(own, verb).some(({ lower }) => SUBSIDIARIES.has(lower))
  // In "with Globex and Acme" and "with Globex, Acme, Initech" the company is the partner of another party.
  const after = words[findOwnNameEnd(words, own)]
  if (words[own]?.gap === 'comma' && words[own - 1]?.isCapital && after?.gap === 'comma') return false
  return (
    !/^(?:and|&|with|including|alongside|by|subsidiary|affiliate|division)$/.test(words[own - 1]?.lower ?? '') &&
    !/^(?:and|&)$/.test(words[findOwnNameEnd(words, own)]?.lower ?? '')
  )
}

const LIST_WORDS = words('and & with including between by from for to alongside of')

function isUnlisted(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]
  return !before || words[at]?.gap === 'stop' || !LIST_WORDS.has(before.lower)
}

const MAX_APPOSITION_WORDS = 40

/** ", a maker of lenses based in Jena": ends at the closing comma; zero-width where no apposition begins. */
export function parseApposition({ words }: Statement, at: number): SlotMatch | null {
  const isOne = words[at]?.gap === 'comma' && OPENS_APPOSITION.has(words[at]?.lower ?? '')
  if (!isOne) return { next: at, spans: [], phrase: '' }
  const end = findAppositionEnd(words, at, at + MAX_APPOSITION_WORDS)
  return end === null ? null : { next: end, spans: [], phrase: '' }
}

/** Zero-width: matches where the next word is neither a later item of a list nor the object of "with". */
export function matchUnlisted({ words }: Statement, at: number): SlotMatch | null {
  // Neither a later item of a list nor the second half of a name.
  const before = words[at - 1]
  const isName = before?.isCapital === true && !VERBS.has(before.lower) && !FUNCTION_WORDS.has(before.lower)
  const isListed = words[at]?.gap !== 'stop' && isName
  return isUnlisted(words, at) && !isListed ? { next: at, spans: [], phrase: '' } : null
}

/** Words for what may not happen: "could open", "if it buys". */
const UNREAL = words(
  'could may might would should if whether unless can rumored rumoured denied considers considering weighs',
)
const MAX_MODALITY_WORDS = 5

/** Whether the event of a verb is done, agreed or planned, by the few words before it; null when it is hypothetical. */
function modalityBefore({ words }: Statement, verb: number): Modality | null {
  let modality: Modality = 'done'
  for (let i = verb - 1; i >= Math.max(0, verb - MAX_MODALITY_WORDS); i--) {
    const { lower } = words[i] as Word
    if (words[i + 1]?.gap === 'stop') break
    if (UNREAL.has(lower) && !/^\d/.test(words[i + 1]?.text ?? '')) return null
    if (DONE.has(lower)) return 'done'
    if ((PLANNED.has(lower) && isMeant(words, i)) || (lower === 'to' && words[i - 1]?.isOwn)) modality = 'planned'
    if (AGREED.has(lower) && words[i + 1]?.lower === 'to' && modality === 'done') modality = 'agreed'
    if (words[i + 1]?.gap === 'comma') break
  }
  return modality
}

/** "is set to", and not "has set the price". */
const isMeant = (words: readonly Word[], at: number) => words[at]?.lower !== 'set' || words[at + 1]?.lower === 'to'

/** A company that opens its sentence follows at most a short description, a time or a place. */
const MAX_WORDS_BEFORE_OPENING = 6
const CLAUSE_WORDS = words('that which who whose where while when because but said says told added')

/**
 * Whether a later verb shares the company as its subject: "Acme raises $6m, hires its first CFO", "Acme grows by
 * acquiring Globex". No other subject may begin between them.
 */
function sharesSubject(statement: Statement, verb: number): boolean {
  const { words } = statement
  const own = openingBefore(statement, verb)
  if (own === null || verb - own > MAX_WORDS_BETWEEN) return false
  const end = findOwnNameEnd(words, own)
  if (words[end - 1]?.isPossessive || words.slice(0, own).some(({ lower }) => VERBS.has(lower))) return false
  const between = words.slice(end, verb)
  if (between.some(({ lower, gap }) => gap === 'stop' || CLAUSE_WORDS.has(lower))) return false
  if (!between.some(({ lower }) => VERBS.has(lower) || /^(?:is|are|has|have)$/.test(lower))) return false
  return words[verb]?.gap === 'comma' || followsLink(words, verb, end)
}

/** The index of the company's name if it opens the sentence before a word; otherwise null. */
function openingBefore(statement: Statement, at: number): number | null {
  const own = statement.words.findIndex(({ isOwn }) => isOwn)
  const opens = own >= 0 && own < at && own <= MAX_WORDS_BEFORE_OPENING && isNotObject(statement, own)
  return opens ? own : null
}

const LINKS = words('and by with through via announcing including of')
const LINK_FILLERS = words(
  'is are proud pleased excited thrilled introduce the its a an new then also today recently has have successful recent planned strategic to official grand launch opening',
)

/** "and opened", "by acquiring", "with the launch of". */
function followsLink(words: readonly Word[], verb: number, from: number): boolean {
  let at = verb - 1
  while (at >= from && LINK_FILLERS.has(words[at]?.lower ?? '')) at--
  return at >= from && LINKS.has(words[at]?.lower ?? '')
}

const isNot = ({ lower }: Word) => /^(?:not|never|cannot)$|n['’]t$/.test(lower)
const closelyBefore = ({ words }: Statement, verb: number) =>
  words.slice(Math.max(0, verb - MAX_WORDS_AFTER_DENIAL), verb)

/** "do not expect Acme to acquire a rival". */
const isNegated = (statement: Statement, verb: number) => closelyBefore(statement, verb).some(isNot)

/** "will not cut 120 jobs", "denies a data breach". */
const isDenied = (statement: Statement, verb: number) =>
  closelyBefore(statement, verb).some((word) => isNot(word) || DENIALS.has(word.lower))

/** "Globex's acquisition of": the owner directly precedes the noun. */
function ownerBefore(statement: Statement, start: number, verb: number): SlotMatch | null {
  const owner = parseOwner(statement, start)
  return owner && verb - owner.next <= MAX_WORDS_AFTER_OWNER ? owner : null
}

/** The company as a complete name: not "Acme's unit", not "Acme customers". */
export function parseCompany(statement: Statement, at: number): SlotMatch | null {
  const reading = parseCompanyOrOwner(statement, at)
  if (!reading || statement.words[reading.next - 1]?.isPossessive) return null
  return isNameComplete(statement, reading.next) ? reading : null
}

/** The company, including after a description ("the Danish startup Acme") and as an owner. */
export function parseCompanyOrOwner(statement: Statement, at: number): SlotMatch | null {
  const { words, text } = statement
  const start = findNameStart(statement, at)
  const first = words[start]
  if (!first?.isOwn) return null
  const end = findOwnNameEnd(words, start)
  return { next: end, spans: [], phrase: text.slice(first.start, words[end - 1]?.end) }
}

/** Bounds the work for a sentence that consists only of the name, because matching starts at every word. */
const MAX_OWN_NAME_WORDS = 20

function findOwnNameEnd(words: readonly Word[], start: number): number {
  let end = start
  while (words[end]?.isOwn && end - start < MAX_OWN_NAME_WORDS) end++
  return end
}

/** The ends of the company's names or pronouns that may be the subject of a verb, nearest first. */
function companyEnds(statement: Statement, verb: number): number[] {
  const { words } = statement
  const isNamed = words.some(({ isOwn }) => isOwn)
  const ends: number[] = []
  for (let i = Math.max(0, verb - MAX_WORDS_BETWEEN); i < verb; i++) {
    const word = words[i] as Word
    const isStandIn = (!isNamed || refersBack(statement, i)) && isCompanyPronoun(words, i)
    if (!isStandIn && (!word.isOwn || words[i - 1]?.isOwn)) continue
    const end = isStandIn ? i + 1 : findOwnNameEnd(words, i)
    const isOwner = words[end - 1]?.isPossessive
    if (end <= verb && isNotObject(statement, i) && (!isOwner || verb - end <= MAX_WORDS_AFTER_OWNER)) ends.unshift(end)
  }
  return ends
}

/**
 * "Acme … as it raises", "Acme's chief said that the company has": after a company that opens the sentence, "it" refers
 * to it.
 */
function refersBack(statement: Statement, at: number): boolean {
  const { words } = statement
  if (openingBefore(statement, at) === null) return false
  const before = words[at - 1]?.lower ?? ''
  const lower = words[at]?.lower ?? ''
  return lower === 'it' || lower === 'they'
    ? /^(?:that|as|announced|said|says|after)$/.test(before)
    : COMPANY_NOUNS.has(lower)
}

function isCompanyPronoun(words: readonly Word[], at: number): boolean {
  const { lower } = words[at] as Word
  return PRONOUNS.has(lower) || (COMPANY_NOUNS.has(lower) && words[at - 1]?.lower === 'the')
}

/** Whether nothing before a name makes it an object: "with Acme", "acquires Acme", "with Globex and Acme". */
function isNotObject(statement: Statement, start: number): boolean {
  const { words } = statement
  let at = start
  for (let names = 0; names < 4; names++) {
    const word = words[at]
    const before = words[at - 1]
    if (!word || !before || word.gap === 'stop') return true
    if (before.lower === 'the') {
      at--
      continue
    }
    if (before.lower !== 'and' && before.lower !== '&')
      return word.gap === 'comma' || !(PREPOSITIONS.has(before.lower) || VERBS.has(before.lower))
    at -= 2
    while (
      at > 0 &&
      words[at]?.gap === 'space' &&
      words[at]?.isCapital &&
      words[at - 1]?.isCapital &&
      !VERBS.has(words[at - 1]?.lower ?? '')
    )
      at--
  }
  return false
}

function beginsName({ words }: Statement, at: number): boolean {
  const before = words[at - 1]
  const word = words[at] as Word
  return word.isCapital && (!before || word.gap !== 'space' || !before.isCapital || VERBS.has(before.lower))
}

/**
 * The modality between a subject that ends at `from` and its verb; null when another subject may act or the event is
 * negated.
 */
function modalityBetween(statement: Statement, from: number, verb: number): Modality | null {
  const { words } = statement
  if (verb - from > MAX_WORDS_BETWEEN) return null
  const found = new Set<Modality>()
  let i = from
  while (i < verb) {
    const word = words[i] as Word
    if (word.gap === 'stop') return null
    if (word.gap === 'comma' && (!isBridge(word.lower) || OPENS_APPOSITION.has(word.lower))) {
      const end = findAppositionEnd(words, i, verb)
      if (end === null) return null
      i = end
      continue
    }
    const next = skipCoActor(statement, i)
    if (next !== i) {
      i = next
      continue
    }
    const modality = modalityOf(words, i, from)
    if (!modality) return null
    if (modality !== 'neutral') found.add(modality)
    i++
  }
  if (i !== verb || words[verb]?.gap === 'stop') return null
  if (found.has('done')) return 'done'
  return found.has('agreed') ? 'agreed' : found.has('planned') ? 'planned' : 'done'
}

function isBridge(lower: string): boolean {
  return isNeutral(lower) || DONE.has(lower) || AGREED.has(lower) || PLANNED.has(lower)
}

function modalityOf(words: readonly Word[], at: number, from: number): Modality | 'neutral' | null {
  const { lower, text } = words[at] as Word
  if (DONE.has(lower)) return 'done'
  if (AGREED.has(lower)) return 'agreed'
  if (PLANNED.has(lower)) return 'planned'
  // "on May 4" is a date; an auxiliary "may" means that it has not happened.
  if (lower === 'may') return /^\d/.test(words[at + 1]?.text ?? '') ? 'neutral' : null
  // "Acme to Acquire Globex".
  if (lower === 'to' && (at === from || words[at]?.gap === 'comma')) return 'planned'
  if (isNeutral(lower) || /^\d{1,4}$/.test(text) || /\p{Ll}ly$/u.test(lower)) return 'neutral'
  return null
}

/** ", a maker of lenses based in Jena,": the index of the word after it. */
function findAppositionEnd(words: readonly Word[], at: number, verb: number): number | null {
  for (let i = at + 1; i <= verb; i++) if (words[i]?.gap === 'comma') return i
  return null
}

/** Skips those who act with or for the subject: "and Globex", "CEO Jane Doe". */
function skipCoActor(statement: Statement, at: number): number {
  const { lower } = statement.words[at] as Word
  if (lower === 'and' || lower === '&') return parseOrganisation(statement, at + 1)?.next ?? at
  if (!OFFICE_TITLES.has(lower) && lower !== 'chief') return at
  const position = parsePosition(statement, at)
  return (position && parseNamedPerson(statement, position.next)?.next) ?? at
}
