// Parses things without a name as phrases of the sentence: "a 300-room hotel", "its third clinic". A phrase is taken
// only where its end is certain, because a truncated phrase would mean something else.
import { wordSet as words } from '../english/words.ts'
import { foldText } from '../text/fold.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import { isNameWord, isQuoteFragment, isVerbBeforeObject } from './name-bounds.ts'
import { spanOf } from './span.ts'
import type { SlotParser, Statement, Word } from './statement.ts'
import { COMMON_WORDS, DESCRIPTIONS, FUNCTION_WORDS, NAMES_IN_ING, PRODUCTS, SITES, VERBS } from './vocabulary.ts'

const MAX_WORDS = 9
const MAX_CHARS = 75

/** Function words that may begin a phrase. */
const DETERMINERS = words('a an the its their his her our my more all both another')
/** Words that continue a phrase. */
const JOINS = words('of and &')
/** After a noun they begin a description of it and end the phrase. */
const PARTICIPLES = words(
  'called named dubbed designed built aimed created based located focused known developed available featuring ' +
    'offering using dedicated intended made meant running serving worth valued set scheduled tailored powered led ' +
    'run owned priced specifically exclusively due targeting combining allowing enabling helping bringing marking ' +
    'becoming totaling totalling starting beginning amid amidst plus targeted specializing operating ahead ' +
    'inspired backed held',
)
/** Words that cannot end a phrase: adjectives, numbers, and nouns without content. */
const NO_END = words(
  'fourth fifth sixth one few number series part kind type variety range set total way year years month months ' +
    'week weeks day days time times era chapter milestone step move news details information update updates ' +
    'successful significant recent digital unique special annual full final official anticipated something ' +
    'anything two-year three-year five-year multi-year multiyear million billion thousand substantial ' +
    'substantially others transaction date deal event events success milestones vision mission commitment launch ' +
    'opening expansion introduction addition version self end start debut future twice half world class anybody ' +
    'anyone nobody everybody',
)
/** Words that cannot begin the object of a launch, an opening or a purchase. */
const NO_START = words(
  'it them this that these those what how why where when he she they we you i us him one and or of to by in on at ' +
    'today yesterday tomorrow recently now up out off down over back away forward again also then later soon',
)

type Phrase = { words: readonly Word[]; next: number }

/** The noun phrase at a word, if its end is certain. */
function parsePhrase(statement: Statement, at: number): Phrase | null {
  const { words, isHeadline } = statement
  const first = words[at]
  if (!first || NO_START.has(first.lower) || (VERBS.has(first.lower) && !/ing$/.test(first.lower))) return null
  let end = at
  while (end < at + MAX_WORDS) {
    const word = words[end]
    if (!word || endsPhrase(statement, at, end)) break
    if (end > at && !isHeadline && !word.isCapital && /(?:s|ed)$/.test(word.lower) && VERBS.has(word.lower)) return null
    end++
  }
  const behind = words[end]
  if (behind && !endsPhrase(statement, at, end)) return null
  if (behind?.gap === 'comma' && !isCleanComma(behind, isHeadline)) return null
  // "the acquisition of Globex positions the company": a verb ends the phrase.
  if (end - 1 > at && isVerbBeforeObject(words[end - 1] as Word, behind)) end--
  const phrase = words.slice(at, end)
  const last = phrase.at(-1)
  if (!last || last.isPossessive || NO_END.has(last.lower) || isUnfinished(last)) return null
  if (phrase.every(({ lower }) => DETERMINERS.has(lower) || DESCRIPTIONS.has(lower))) return null
  return { words: phrase, next: end }
}

function endsPhrase({ words, isHeadline }: Statement, at: number, end: number): boolean {
  const word = words[end] as Word
  if (end === at) return false
  if (word.gap === 'stop' || word.gap === 'comma') return true
  const { lower } = word
  const before = words[end - 1] as Word
  const next = words[end + 1]
  if (JOINS.has(lower)) {
    if (next?.gap !== 'space') return true
    return lower !== 'of' && (VERBS.has(next.lower) || (FUNCTION_WORDS.has(next.lower) && !DETERMINERS.has(next.lower)))
  }
  if (DETERMINERS.has(lower)) return !JOINS.has(before.lower) && !DETERMINERS.has(before.lower)
  if (FUNCTION_WORDS.has(lower) && !/^(?:next|own|other|it|newly|highly|fully)$/.test(lower)) return true
  if (PARTICIPLES.has(lower) && !isHeadline && !word.isCapital) return end - at > 1 && !/ly$/.test(before.lower)
  if (!isHeadline) return false
  return (
    end - at > 1 && (PARTICIPLES.has(lower) || (/ing$/.test(lower) && VERBS.has(lower) && !NAMES_IN_ING.has(lower)))
  )
}

/** After "a fast, simple app" style commas the noun is still missing; after "a ring, which" it is not. */
function isCleanComma(behind: Word, isHeadline: boolean): boolean {
  if (PARTICIPLES.has(behind.lower)) return true
  if (FUNCTION_WORDS.has(behind.lower) || VERBS.has(behind.lower) || /ing$/.test(behind.lower))
    return behind.lower !== 'and'
  return !isHeadline && isNameWord(behind, false)
}

function isUnfinished({ lower, text }: Word): boolean {
  return (
    DESCRIPTIONS.has(lower) ||
    FUNCTION_WORDS.has(lower) ||
    /^[\d$€£][\d.,]*\p{L}{0,2}$|\p{L}ly$|-(?:based|owned|led|driven|powered|backed|scale|class|time|end)$/u.test(
      text,
    ) ||
    (/^\p{Ll}+(?:ous|ive|ful|able|ible|less|ic)$/u.test(text) &&
      !/^(?:clinic|music|public|traffic|logistic|archive|incentive|cooperative|initiative|drive|vehicle|table|cable)$/.test(
        text,
      ))
  )
}

function phraseParser(accepts: (phrase: readonly Word[], statement: Statement) => boolean): SlotParser {
  return (statement, at) => {
    const phrase = parsePhrase(statement, at)
    if (!phrase || isShouted(phrase.words) || !accepts(phrase.words, statement)) return null
    // "Our" in a statement of the company becomes the company's own.
    const isOurs = /^(?:our|my|their|his|her)$/.test(phrase.words[0]?.lower ?? '')
    const phraseWords = isOurs ? phrase.words.slice(1) : phrase.words
    const [first] = phraseWords
    const last = phraseWords.at(-1)
    if (!first || !last) return null
    const span = spanOf(statement, first.start, last.end)
    if (isQuoteFragment(statement, first.start, last.end)) return null
    if (span.text.length > MAX_CHARS || /["“”;:]|&amp/.test(span.text)) return null
    return { next: phrase.next, spans: [span], phrase: isOurs ? `its ${span.text}` : span.text }
  }
}

const isForeign = (phrase: readonly Word[]) => phrase.every(({ isOwn }) => !isOwn)
const headIs = (phrase: readonly Word[], heads: RegExp) => heads.test(headOf(phrase))

/** The head noun of a phrase: the last before "of". */
function headOf(phrase: readonly Word[]): string {
  const of = phrase.findIndex(({ lower }) => lower === 'of')
  return (of > 0 ? phrase[of - 1] : phrase.at(-1))?.lower ?? ''
}

/** More than one common word: "apps" adds little to the predicate. */
const isSpecific = (phrase: readonly Word[]) =>
  phrase.filter(({ lower }) => !FUNCTION_WORDS.has(lower) && !DESCRIPTIONS.has(lower)).length > 1 ||
  phrase.some(({ lower }) => !COMMON_WORDS.has(lower) && !FUNCTION_WORDS.has(lower))

/** All capitals, which would look like shouting in a claim. */
const isShouted = (phrase: readonly Word[]) =>
  phrase.filter(({ text }) => /^\p{Lu}[\p{Lu}-]{3,}$/u.test(text)).length > 1 ||
  phrase.every(({ text }) => /^[\p{Lu}-]{5,}$/u.test(text))
/** Nouns for what happens to a thing instead of the thing: "the debut of a sock". */
const NO_THINGS =
  /^(?:debut|launch|release|future|introduction|opening|way|era|range|availability|addition|milestones?|appointment)$/

/** Anything that was launched or introduced. */
export const parseThing = phraseParser(
  (phrase) => isSpecific(phrase) && !headIs(phrase, NO_THINGS) && !phrase.every(({ isOwn }) => isOwn),
)

const isProduct = (noun: string) => PRODUCTS.has(noun) || PRODUCTS.has(noun.replace(/s$/, ''))
/** A product by its kind and at least one distinguishing word: "AI trading platform". */
export const parseProductPhrase = phraseParser(
  (phrase) => isSpecific(phrase) && phrase.length > 2 && isProduct(headOf(phrase)),
)

/** A third-party product that the company uses: not "its app". */
export const parseTool = phraseParser(
  (phrase) =>
    isForeign(phrase) &&
    isSpecific(phrase) &&
    (phrase.length > 1 || phrase[0]?.isCapital === true) &&
    !/^(?:its|our|their)$/.test(phrase[0]?.lower ?? ''),
)

const PROPERTY =
  /^(?:portfolio|project|mine|assets?|plants?|platform|brands?|propert(?:y|ies)|shops|stores|concessions|practice|facilit(?:y|ies)|buildings?|clinics?|hotels?|business|unit|arm|division|chain|line)$/
const NO_PROPERTY = /^(?:stakes?|shares?|stock|agreement|percent|rights?|interests?|ownership|control|time|place)$/

/** What was bought or sold; in a headline the description of a company would look like its name. */
export const parseProperty = phraseParser(
  (phrase, { isHeadline }) =>
    isForeign(phrase) &&
    isSpecific(phrase) &&
    !headIs(phrase, NO_PROPERTY) &&
    (!isHeadline || (phrase.length > 1 && headIs(phrase, PROPERTY))),
)

const OTHER_SITES =
  /^(?:sites?|kitchens?|homes?|houses?|halls?|lines?|stations?|buildings?|towers?|complex(?:es)?|units?|outlets?|boutiques?|galler(?:y|ies)|rooms?|spaces?|museums?|parks?|yards?|mills?|farms?|projects?|ports?|depots?|garages?|galleries|practices?|cent(?:er|re)s?|routes?|works|furnaces?|space|tattoo parlors?|suites?|franchises?|territor(?:y|ies)|offices?|schools?|workshops?|kiosks?|markets?|showrooms?|incubators?|laborator(?:y|ies)|refiner(?:y|ies)|smelters?|quarr(?:y|ies)|surger(?:y|ies)|shops?|flagship|operations|stores?|divisions?|hubs?|propert(?:y|ies)|dispensar(?:y|ies)|venues?|footprint|presence|reach|network|capacity|portfolio|fleet|production)$/
/** These phrases only state that the company grows. */
const VAGUE_PREMISES =
  /^(?:(?:its|our|their|the|new|global) )*(?:footprint|presence|reach|operations|network|capacity|portfolio|production|services|markets?)$/
export const parsePremises = phraseParser(
  (phrase) =>
    isForeign(phrase) &&
    isSpecific(phrase) &&
    phrase.length > 1 &&
    !VAGUE_PREMISES.test(phrase.map(({ lower }) => lower).join(' ')) &&
    (SITES.has(headOf(phrase)) || OTHER_SITES.test(headOf(phrase))),
)

/** These phrases add nothing to the predicate. */
const VAGUE_FINANCING = /^(?:new|growth|additional|fresh|its|the) (?:capital|funding|financing|investment)$/
const MONEY_NOUNS =
  /^(?:round|financing|funding|placement|placements|offering|investment|investments|loan|loans|credit|line|grant|grants|facility|capital|bond|bonds|debt|notes|backing|fund|raise)$/
export const parseFinancing = phraseParser(
  (phrase) =>
    isForeign(phrase) &&
    headIs(phrase, MONEY_NOUNS) &&
    phrase.length > 1 &&
    phrase.every(({ lower }) => lower !== 'of') &&
    !VAGUE_FINANCING.test(phrase.map(({ lower }) => lower).join(' ')),
)

const isJob = (noun: string) => {
  const folded = foldText(noun)
  return JOB_NOUNS.has(folded) || JOB_NOUNS.has(folded.replace(/s$/, ''))
}
/** People by their job: "a senior backend engineer", "line workers". */
export const parseJob = phraseParser(
  (phrase) =>
    isForeign(phrase) &&
    isJob(headOf(phrase)) &&
    !headIs(phrase, /^(?:leads?|partners?|members?|owners?|founders?|heads?|chiefs?)$/),
)

const BASE_BEFORE = words('to will we they i and also now officially')
/**
 * Zero-width: matches only after a verb in its base form, as in "to launch" and "we launch", not in "the launch event".
 */
export const matchAfterInfinitive: SlotParser = ({ words }, at) => {
  const before = words[at - 2]
  return before && (BASE_BEFORE.has(before.lower) || before.isOwn) ? { next: at, spans: [], phrase: '' } : null
}
