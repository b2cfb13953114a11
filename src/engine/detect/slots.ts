// Whose event is it? Where the company's name stands, seen from the trigger, and who else may be acting.
import { isAdjacent, isCapitalized, type Mention, wordText } from '../company-names.ts'
import type { Tokens } from '../scan.ts'
import type { Sentence } from '../sentences.ts'
import { CUE_BIT, type Document, type SignalCandidate } from './document.ts'
import type { Frame } from './lexicon.ts'

const PREPOSITIONS = new Set(
  'of by with at for from in to via through as on into between under like including than within across against alongside'.split(
    ' ',
  ),
)

const OWNED = new Set(['subsidiary', 'subsidiaries', 'division', 'unit', 'affiliate', 'arm'])

function hasWord(tokens: Tokens, from: number, to: number, words: ReadonlySet<string>): boolean {
  for (let t = from; t < to; t++) if (words.has(wordText(tokens, t))) return true
  return false
}

/** Where in a sentence the mention stands, seen from the trigger. */
export function slotOf(tokens: Tokens, mention: Mention, from: number, to: number, inTitle: boolean): string {
  const possessive = isPossessive(tokens, mention)
  const preposition = prepositionBefore(tokens, mention, mention.from > to ? to : -1)
  if (mention.to <= from) {
    if (possessive) return from - mention.to <= 4 ? 'owner' : 'owner_far'
    if (preposition !== '' && !isClauseSubject(tokens, mention, preposition, from))
      return preposition === 'between' ? 'subject' : speaksFor(tokens, mention) ? 'subject' : 'before_prep'
    const { distance, names: others } = between(tokens, mention.to, from)
    if (distance <= 3) return 'subject_near'
    if (others > 0 && hasWord(tokens, mention.to, from, OWNED)) return 'subject_through'
    // A headline capitalises everything: only the distance tells.
    if (inTitle) return distance <= 7 ? 'title_mid' : 'title_far'
    return others === 0 ? 'subject' : others <= 2 ? 'subject_past_name' : 'subject_far'
  }
  if (mention.from > to) {
    const distance = mention.from - to
    const near = distance <= 3 ? 'near' : distance <= 10 ? 'mid' : 'far'
    if (preposition === '') {
      if (!inTitle && near !== 'near') {
        const party = partyPreposition(tokens, to, mention.from)
        if (party !== '') return `after_${party}`
      }
      return `after_${near}`
    }
    if (['by', 'with', 'of', 'between', 'from', 'in', 'to', 'at', 'for', 'as'].includes(preposition)) {
      return near === 'far' ? 'after_prep_far' : `after_${preposition}`
    }
    return 'after_prep_far'
  }
  return 'inside'
}

/** "As Acme, a maker of robots, acquires …" and "with Acme expanding …": the name is the subject of its own clause. */
function isClauseSubject(tokens: Tokens, mention: Mention, preposition: string, from: number): boolean {
  if (preposition === 'as') return true
  return preposition === 'with' && from - mention.to <= 1 && wordText(tokens, from).endsWith('ing')
}

const OFFICES = new Set(
  'founder cofounder ceo president chairman chairwoman chair director owner head officer team cto cfo coo principal'.split(
    ' ',
  ),
)

/** "Jane Doe, founder of Acme, unveiled …": the person acts for the company. */
function speaksFor(tokens: Tokens, mention: Mention): boolean {
  const t = mention.from - 1
  const of = wordText(tokens, t) === 'the' ? t - 1 : t
  return of >= 1 && ['of', 'at'].includes(wordText(tokens, of)) && OFFICES.has(wordText(tokens, of - 1))
}

const PARTIES = new Set(['with', 'between', 'by', 'of'])

/** Over plain words: "partnered with the iconic lifestyle brand Acme", "between Globex (GBX) and Acme". */
function partyPreposition(tokens: Tokens, to: number, mention: number): string {
  if (mention - to > 9) return ''
  let preposition = ''
  let names = 0
  let inName = false
  let depth = 0
  for (let t = to; t < mention; t++) {
    if (t > to) {
      for (let at = tokens.end[t - 1] as number; at < (tokens.start[t] as number); at++) {
        const code = tokens.text.charCodeAt(at)
        if (code === 40) depth++
        else if (code === 41) depth = 0
        else if (code === 44 || code === 59) names += 2
      }
    }
    const word = wordText(tokens, t)
    if (PARTIES.has(word)) {
      preposition = word
      names = 0
    }
    const capital = depth === 0 && t > to && isCapitalized(tokens, t)
    if (capital && !inName) names++
    inName = capital
  }
  if (preposition === 'between') return names <= 1 ? 'between' : ''
  return names === 0 ? preposition : ''
}

function isPossessive(tokens: Tokens, mention: Mention): boolean {
  const at = tokens.end[mention.to - 1] as number
  const code = tokens.text.charCodeAt(at)
  return code === 39 || code === 0x2019
}

/** The preposition straight before a mention, over an article, after the token `after`, with no punctuation between. */
function prepositionBefore(tokens: Tokens, mention: Mention, after: number): string {
  for (let t = mention.from - 1; t > after && t >= mention.from - 2; t--) {
    const gap = tokens.text.charCodeAt(tokens.end[t] as number)
    if (gap !== 32) return ''
    const word = wordText(tokens, t)
    if (PREPOSITIONS.has(word)) return word
    if (word !== 'the' && word !== 'a' && word !== 'its') return ''
  }
  return ''
}

const RESUMES = new Set(
  (
    'has have had is are was were will today announced announces also recently which completed launched said plans to ' +
    'proudly officially successfully continues launches unveils introduces opens acquires partners joins expands now ' +
    'appoints releases signs secures raises reports just takes welcomes'
  ).split(' '),
)

// After these a new clause begins whose subject is still the one before: "Acme CEO Jane Doe joined Bob to announce …".
const REPORTS = new Set('announce share discuss unveil reveal celebrate'.split(' '))

/** Tokens and capitalised runs between a mention and a trigger, without brackets and without a closed apposition. */
function between(tokens: Tokens, from: number, to: number): { distance: number; names: number } {
  const { text, start, end } = tokens
  let distance = 0
  let names = 0
  let inName = false
  let depth = 0
  for (let t = from; t < to; t++) {
    let comma = false
    for (let at = end[t - 1] as number; at < (start[t] as number); at++) {
      const code = text.charCodeAt(at)
      if (code === 40) depth++
      else if (code === 41) depth = 0
      else if (code === 44) comma = true
    }
    if (comma) {
      const word = wordText(tokens, t)
      // ", a maker of robots in Berlin, has raised": the names inside the apposition are no subjects.
      if (RESUMES.has(word) || word.endsWith('ly')) {
        names = 0
        distance = Math.min(distance, 2)
      }
    }
    const isAfterTo =
      t + 1 < to && (end[t - 1] as number) - (start[t - 1] as number) === 2 && wordText(tokens, t - 1) === 'to'
    if (isAfterTo && REPORTS.has(wordText(tokens, t))) names = 0
    const capital = depth === 0 && isCapitalized(tokens, t)
    // "Acme and Globex are pleased": both act.
    const joined = t === from + 1 && wordText(tokens, from) === 'and'
    if (capital && !inName && !joined) names++
    inName = capital
    if (depth === 0) distance++
  }
  return { distance, names }
}

/** Slots in order of preference for each frame: the mention that fits best speaks for the sentence. */
export const SLOT_PREFERENCE: Record<Frame, string[]> = {
  subject: [
    'subject_near',
    'owner',
    'subject',
    'after_by',
    'owner_far',
    'subject_through',
    'title_mid',
    'subject_past_name',
    'subject_far',
    'after_near',
    'after_for',
    'after_at',
    'after_mid',
  ],
  object: [
    'after_near',
    'after_in',
    'after_for',
    'after_with',
    'after_by',
    'after_mid',
    'after_to',
    'owner',
    'subject_near',
  ],
  either: [
    'subject_near',
    'after_with',
    'after_near',
    'after_of',
    'after_by',
    'owner',
    'subject',
    'after_between',
    'after_mid',
    'subject_through',
    'title_mid',
    'subject_past_name',
    'owner_far',
  ],
  passive: ['subject_near', 'owner', 'subject', 'owner_far', 'subject_past_name', 'subject_far'],
  agent: ['after_by', 'after_at', 'after_near', 'after_mid'],
  person: [
    'after_near',
    'owner',
    'subject_near',
    'after_of',
    'after_at',
    'after_by',
    'after_mid',
    'after_for',
    'subject',
    'owner_far',
    'subject_past_name',
  ],
}

const GIVERS = new Set(['by', 'from', 'including', 'with', 'alongside'])

/** Who gives the money is no recipient: "led by Acme", "from Acme", "Acme led a round for …", "Acme's investment in …". */
export function isInvestor(
  { tokens, cues }: Document,
  { sentence, from, to }: SignalCandidate,
  mention: Mention,
): boolean {
  for (const cue of cues[sentence] ?? []) {
    if (!(cue.bit & CUE_BIT.lead_investor)) continue
    if (cue.from >= mention.to && cue.from <= mention.to + 3 && cue.to < to) return true
  }
  if (mention.from > to) return hasWord(tokens, from, mention.from, GIVERS)
  const last = wordText(tokens, to)
  const next = to + 1 < tokens.count ? wordText(tokens, to + 1) : ''
  return last === 'investment' && (next === 'in' || next === 'into')
}

const MODIFIED = new Set(
  'clients users customers user customer integration integrations ecosystem community store network blockchain app apps players employees shareholders investors'.split(
    ' ',
  ),
)

/** "Oracle clients" are not Oracle. */
export function modifies(tokens: Tokens, mention: Mention): boolean {
  return mention.to < tokens.count && isAdjacent(tokens, mention.to - 1) && MODIFIED.has(wordText(tokens, mention.to))
}

const DEPENDANTS = new Set(
  'customer client partner supplier vendor distributor reseller user tenant rival competitor portfolio alumnus graduate spinout subsidiary unit executive'.split(
    ' ',
  ),
)

/** "Orlova, a customer of Globex, …" and "Orlova, a Globex customer, …": what Orlova does is not Globex's doing. */
export function isAside(tokens: Tokens, mention: Mention): boolean {
  const t = mention.from - 1
  if (t >= 0 && mention.to < tokens.count && ['a', 'an', 'the', 'former'].includes(wordText(tokens, t)))
    if (DEPENDANTS.has(wordText(tokens, mention.to))) return true
  return t >= 1 && wordText(tokens, t) === 'of' && DEPENDANTS.has(wordText(tokens, t - 1))
}

/** A name of two words before the trigger, in a sentence that does not name the company: somebody else acts. */
export function namesOther(tokens: Tokens, sentence: Sentence, before: number): boolean {
  if (sentence.section === 'title') return false
  for (let t = sentence.from; t + 1 < before; t++) {
    if (isCapitalized(tokens, t) && isCapitalized(tokens, t + 1) && isAdjacent(tokens, t)) return true
  }
  return false
}
