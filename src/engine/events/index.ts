// Decides which findings report the same event: five pages about one funding round are one event with five proofs.

import { isSurgeClaim, parseHiringChange } from '../hiring/change-claims.ts'
import { isOpeningsClaim } from '../hiring/open-positions.ts'
import { type DealRole, findBuiltinSignal } from '../signals/index.ts'
import { type Figure, isEqualAfterRounding, parseFigures } from './figures.ts'
import {
  companyNameWords,
  extractNamedThings,
  SENTENCE_BOUNDARY,
  splitFoldedWords,
  stripOpeningDateline,
} from './names.ts'
import { findEventStep, findMoneyKinds, findOffices } from './steps.ts'

/** One page's report of an event. */
export type EventReport = {
  signal_id: string
  /** The claim, either a fixed phrase or the sentence itself. */
  claim: string
  /** The sentence that reports it, where there is one. */
  quote?: string | null | undefined
  /** The company's role in a deal, where the sentence gives it. */
  role?: DealRole | undefined
  source_url: string | null
  /** The day of the event, as far as it is known. */
  date: string
  /** The day the page was published. */
  published_date: string | null
  /** The headline and, on separate lines, the text around the sentence. */
  context?: string | undefined
}

/** The names and figures of a part of a report. */
type Facts = { names: string[]; figures: Figure[] }

/** A report with its extracted names and figures, so that comparisons are cheap. */
export type EventFingerprint = EventReport & {
  /** The host of the page; null where it is unknown, and for a site with the company's name. */
  publisher: string | null
  /** The headline, or else the sentence. */
  headline: Facts
  /** Headline, sentence and first sentence: the subject of the report. */
  focus: Facts
  /** The focus and the opening of the text; later text is often about something else. */
  lead: Facts
  /** All words of the report. */
  words: ReadonlySet<string>
  figures: Figure[]
  /** Stems of the ordinary words of the lead. */
  wording: ReadonlySet<string>
  /** Whether the headline does not name the company. */
  isAside: boolean
  /** Whether there is text in addition to the sentence. */
  hasText: boolean
  step: string | null
  money: ReturnType<typeof findMoneyKinds> | null
  /** Offices named in headline and sentence, for signals that differ by office. */
  offices: string[]
}

/** Further reports appear within weeks; the same kind of news a month later is another event. */
const SAME_STORY_DAYS = 21
/** A rewritten page or a changing job board continues to report one event; months later it reports another. */
const SAME_PAGE_DAYS = 45
/** Two reports of a rare signal within these days are one event, whatever they share. */
const RARE_SIGNAL_DAYS = 10
/**
 * Any two texts within these days are one event, unless each has a subject that the other lacks: news is repeated at
 * once.
 */
const RETOLD_DAYS = 2
/** Minimum share of names and figures that two leads have in common. */
const MIN_SHARED = 0.25
/** Minimum share of common words of two reports with similar wording. */
const MIN_COMMON_SHARE = 0.4
const MIN_COMMON_WORDS = 5
/** Smaller numbers are in too many texts. */
const MIN_SIGNIFICANT_FIGURE = 20
const LEAD_CHARS = 300
const DAY_MS = 86_400_000

/** Prepares a report for comparison with others of the same company. */
export function createFingerprint(report: EventReport, companyName: string): EventFingerprint {
  const own = companyNameWords(companyName)
  // A claim without a quote has the form "Company does: sentence".
  const sentence = stripOpeningDateline(report.quote ?? report.claim.replace(/^[^:]{0,120}: /, ''))
  const [title = '', ...lines] = (report.context ?? '').split('\n')
  const text = stripOpeningDateline(lines.join('\n'))
  const opening = text.slice(0, LEAD_CHARS).split(SENTENCE_BOUNDARY)[0] ?? ''
  const further = text.slice(opening.length, LEAD_CHARS)
  const parts = [title || sentence, title ? sentence : '', opening, further].map((part) => extractFacts(part, own))
  const [headline, , , rest] = parts as [Facts, Facts, Facts, Facts]
  const focus = mergeFacts(parts.slice(0, 3))
  const lead = mergeFacts([focus, rest])
  const about = `${title}\n${sentence}\n${opening}`
  const leadWords = splitFoldedWords(`${about}\n${further}`)
  const apartBy = findBuiltinSignal(report.signal_id)?.distinguishedBy
  const named = new Set(lead.names.flatMap((name) => name.split(' ')))
  return {
    ...report,
    publisher: publisherOf(report.source_url, own),
    headline,
    focus,
    lead,
    words: new Set([...leadWords, ...splitFoldedWords(text.slice(LEAD_CHARS))]),
    figures: [...lead.figures, ...parseFigures(text.slice(LEAD_CHARS))],
    wording: new Set(
      leadWords
        .filter((word) => /^\p{L}{4,}$/u.test(word) && !own.has(word) && !named.has(word))
        .map((word) => word.slice(0, STEM_CHARS)),
    ),
    hasText: text !== '',
    step: findEventStep(title || sentence),
    money: apartBy === 'money' ? findMoneyKinds(about) : null,
    offices: apartBy === 'office' ? findOffices(`${title}\n${sentence}`) : [],
    isAside: title !== '' && !splitFoldedWords(title).includes(firstNameWord(own)),
  }
}

/** The publisher of a page; null for the company's own site, which reports one event on several pages. */
function publisherOf(url: string | null, own: ReadonlySet<string>): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { host } = new URL(url)
  return host.includes(firstNameWord(own)) ? null : host
}

const extractFacts = (part: string, own: ReadonlySet<string>): Facts => ({
  names: extractNamedThings(part, own),
  figures: parseFigures(part),
})

const mergeFacts = (parts: readonly Facts[]): Facts => ({
  names: [...new Set(parts.flatMap(({ names }) => names))],
  figures: [...new Map(parts.flatMap(({ figures }) => figures.map((one) => [`${one.value} ${one.of}`, one]))).values()],
})

/** The first word of the name, by which a company is usually called; the others describe its business. */
const firstNameWord = (own: ReadonlySet<string>) => [...own].find((word) => word !== 'the' && word !== '') ?? ''

/** Long enough to distinguish words, short enough to drop their endings. */
const STEM_CHARS = 6

/** Whether two reports about one company are of the same event. */
export function isSameEvent(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.signal_id !== b.signal_id) return false
  if (parseHiringChange(a.claim) || parseHiringChange(b.claim)) return isSameChange(a, b)
  const signal = findBuiltinSignal(a.signal_id)
  const isSamePage = a.source_url !== null && a.source_url === b.source_url
  if (isSamePage && (a.quote ?? a.claim) === (b.quote ?? b.claim)) return true
  // Both were detected in the source of one page without a sentence: only the claim identifies the technology.
  if (isSamePage && signal?.isSeenInSource && !a.quote && !b.quote) return false
  const apart = daysApart(a, b)
  if (isSamePage && apart <= SAME_PAGE_DAYS) return true
  // The open positions of a company are one event, however many boards list them.
  if (isOpeningsClaim(a.claim) && isOpeningsClaim(b.claim)) return apart <= SAME_PAGE_DAYS
  if (apart > SAME_STORY_DAYS || contradict(a, b)) return false
  const isSeldom = signal?.seldomRepeats ?? false
  // A publisher reports an event once: another page is about another event, unless the headlines agree.
  if (!isSeldom && a.publisher !== null && a.publisher === b.publisher) return haveHeadlinesInCommon(a, b)
  if (shareEnough(a, b)) return true
  if (isSeldom && apart <= RARE_SIGNAL_DAYS) return true
  if (!a.hasText || !b.hasText || (isAbout(a, b) && isAbout(b, a))) return false
  // A headline without the company is about the circumstances of the news.
  return apart <= RETOLD_DAYS || a.isAside || b.isAside
}

/**
 * A posting may prove several changes on job boards, so each change is identified by its claim. A surge and the list it
 * is counted on are one event where the list appeared with it; a list reported long before is the state that changed.
 */
function isSameChange(a: EventFingerprint, b: EventFingerprint): boolean {
  const [one, other] = [parseHiringChange(a.claim), parseHiringChange(b.claim)]
  if (one && other) return one.key === other.key && daysApart(a, b) <= SAME_PAGE_DAYS
  const isListed =
    (isSurgeClaim(a.claim) && isOpeningsClaim(b.claim)) || (isSurgeClaim(b.claim) && isOpeningsClaim(a.claim))
  // Only the dates of the events count, because a list is published repeatedly.
  return isListed && Math.abs(Date.parse(a.date) - Date.parse(b.date)) / DAY_MS <= SAME_STORY_DAYS
}

/** Whether a report's focus has a name that the other report lacks. */
const isAbout = ({ focus }: EventFingerprint, other: EventFingerprint) =>
  focus.names.some((name) => !includesName(other, name))

/** By date of the event or of publication, whichever is closer: pages give one, the other, or both. */
function daysApart(a: EventReport, b: EventReport): number {
  const happened = Math.abs(Date.parse(a.date) - Date.parse(b.date))
  if (!a.published_date || !b.published_date) return happened / DAY_MS
  return Math.min(happened, Math.abs(Date.parse(a.published_date) - Date.parse(b.published_date))) / DAY_MS
}

/** Whether the leads share names or figures, or those of one are in the text of the other. */
const shareEnough = (a: EventFingerprint, b: EventFingerprint) =>
  Math.max(sharedPart(a.lead, b), sharedPart(b.lead, a)) >= MIN_SHARED

/** The share of the names and figures that a report contains. */
function sharedPart({ names, figures }: Facts, report: EventFingerprint): number {
  const significant = figures.filter(isSignificant)
  const held =
    names.filter((name) => includesName(report, name)).length +
    significant.filter((figure) => includesFigure(report.figures, figure)).length
  return held / Math.max(1, names.length + significant.length)
}

function haveHeadlinesInCommon({ headline: a }: EventFingerprint, { headline: b }: EventFingerprint): boolean {
  return (
    a.names.some((name) => isIn(b, name)) ||
    a.figures.some((figure) => isSignificant(figure) && includesFigure(b.figures, figure))
  )
}

const isSignificant = ({ value, isMoney }: Figure) => isMoney || value >= MIN_SIGNIFICANT_FIGURE

/** Whether the report contains every word of the name, in any order, or a name that is part of it. */
function includesName({ words, lead }: EventFingerprint, name: string): boolean {
  return name.split(/[\s-]/).every((word) => words.has(word)) || lead.names.some((other) => isPartOf(other, name))
}

/** "Vantor" of "Vantor Capital". */
const isPartOf = (part: string, name: string) => ` ${name} `.includes(` ${part} `)

const includesFigure = (figures: readonly Figure[], { value }: Figure) =>
  figures.some((other) => isEqualAfterRounding(other.value, value))

/** Whether the reports cannot be about one event. */
function contradict(a: EventFingerprint, b: EventFingerprint): boolean {
  if (isOtherSide(a.role, b.role) || isOtherSide(b.role, a.role)) return true
  if (!a.isAside && !b.isAside && isOtherStep(a.step, b.step)) return true
  if (a.money && b.money && isOtherMoney(a.money, b.money)) return true
  if (areOtherOffices(a.offices, b.offices)) return true
  if (countDifferently(a, b) || areHeadedDifferently(a, b)) return true
  return areWordedDifferently(a, b)
}

/** The acquirer in one deal is the seller or the acquired company in another. */
const isOtherSide = (a: DealRole | undefined, b: DealRole | undefined) =>
  a === 'acquirer' && (b === 'acquired' || b === 'seller')

/** Agreement and completion are two steps, and a cancellation is a separate one. */
const isOtherStep = (a: string | null, b: string | null) =>
  a !== b && ((a !== null && b !== null) || a === 'undone' || b === 'undone')

/** An appointment as CFO is not an appointment as COO. */
const areOtherOffices = (a: readonly string[], b: readonly string[]) =>
  a.length > 0 && b.length > 0 && !a.some((office) => b.includes(office))

type Money = ReturnType<typeof findMoneyKinds>

function isOtherMoney(a: Money, b: Money): boolean {
  if (a.round && b.round) return a.round !== b.round
  return a.kinds.length > 0 && b.kinds.length > 0 && !a.kinds.some((kind) => b.kinds.includes(kind))
}

/** Each headline names something that the other report is not about. */
function areHeadedDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.headline.names.length === 0 || b.headline.names.length === 0 || haveHeadlinesInCommon(a, b)) return false
  const isElsewhere = (one: EventFingerprint, two: EventFingerprint) =>
    one.headline.names.every((name) => !isIn(two.focus, name))
  if (!isElsewhere(a, b) || !isElsewhere(b, a)) return false
  const isUnknown = (one: EventFingerprint, two: EventFingerprint) =>
    one.headline.names.every((name) => !includesName(two, name))
  // A headline without the company may name anything.
  if (a.isAside || b.isAside) return isUnknown(a, b) && isUnknown(b, a) && !shareEnough(a, b)
  // A mention of the other's subject further down is only in passing.
  return isUnknown(a, b) || isUnknown(b, a)
}

const isIn = ({ names }: Facts, name: string) => names.some((other) => isPartOf(other, name) || isPartOf(name, other))

/** Names or figures that are not in another report. */
const hasOther = ({ names, figures }: Facts, report: EventFingerprint) =>
  names.some((name) => !includesName(report, name)) || figures.some((figure) => !includesFigure(report.figures, figure))

/** Sums in one currency, or counts of one noun, that all differ; or different counts in the headlines. */
function countDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  const differ = (one: readonly Figure[], two: readonly Figure[]) =>
    one.length > 0 && two.length > 0 && !one.some((figure) => includesFigure(two, figure))
  const counts = ({ headline }: EventFingerprint) =>
    headline.figures.filter((one) => isSignificant(one) && !one.isMoney)
  if (differ(counts(a), counts(b))) return true
  const kinds = new Set(a.focus.figures.map(({ of }) => of).filter((of) => of !== ''))
  return [...kinds].some((kind) => {
    const ofKind = ({ figures }: Facts) => figures.filter((one) => one.of === kind && isSignificant(one))
    return differ(ofKind(a.focus), ofKind(b.focus)) || differ(ofKind(a.lead), ofKind(b.lead))
  })
}

/** The same words with other names or figures: "Pagelark 4.0 is out", "Pagelark 4.1 is out". */
function areWordedDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  const common = [...a.wording].filter((word) => b.wording.has(word)).length
  const areAlike = common >= MIN_COMMON_WORDS && common / Math.min(a.wording.size, b.wording.size) >= MIN_COMMON_SHARE
  // Two excerpts of one release still have most in common.
  if (!areAlike || Math.max(sharedPart(a.focus, b), sharedPart(b.focus, a)) > 0.5) return false
  return hasOther(a.lead, b) && hasOther(b.lead, a)
}
