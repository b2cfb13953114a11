// Which findings report one event: five pages about one funding round are one event with five proofs.
import { tellsOfOpenings } from '../hiring.ts'
import { readChange, tellsOfSurge } from '../hiring-changes.ts'
import { type DealRole, findBuiltinSignal } from '../signals/index.ts'
import { type Figure, isEqualAfterRounding, parseFigures } from './figures.ts'
import { companyNameWords, extractNamedThings, SENTENCE_BOUNDARY, splitFoldedWords, stripDateline } from './names.ts'
import { findEventStep, findMoneyKinds, findOffices } from './steps.ts'

/** One page's report of an event. */
export type EventReport = {
  signal_id: string
  /** What it says, in our words or with the sentence itself. */
  claim: string
  /** The sentence that reports it, where there is one. */
  quote?: string | null | undefined
  /** On which side of a deal the company stands, where the sentence says so. */
  role?: DealRole | undefined
  source_url: string | null
  /** The day it happened, as far as anybody says. */
  date: string
  /** The day the page was published. */
  published_date: string | null
  /** The headline and, on lines of their own, the text around the sentence. */
  context?: string | undefined
}

/** What a part of a report names and counts. */
type Facts = { names: string[]; figures: Figure[] }

/** A report with what it names taken out, so that comparing many costs little. */
export type EventFingerprint = EventReport & {
  /** Whose page it is; null where that is not known, and for a site that bears the company's name. */
  publisher: string | null
  /** The headline, or the sentence where there is no headline. */
  headline: Facts
  /** Headline, sentence and first sentence: what the report is about. */
  focus: Facts
  /** The focus and the opening of the text. What follows tells of much else. */
  lead: Facts
  /** All words and figures there are. */
  words: ReadonlySet<string>
  figures: Figure[]
  /** The beginnings of the lead's ordinary words. */
  wording: ReadonlySet<string>
  /** Whether the headline leaves the company out. */
  isAside: boolean
  /** Whether there is more than a sentence. */
  hasText: boolean
  step: string | null
  money: ReturnType<typeof findMoneyKinds> | null
  /** Which offices headline and sentence name, where it is about who holds one. */
  offices: string[]
}

/** Further reports follow within weeks; the same kind of news a month later is another event. */
const SAME_STORY_DAYS = 21
/** A page that is rewritten, or a job board that changes, goes on reporting one event; months later, another. */
const SAME_PAGE_DAYS = 45
/** Two reports of a signal that seldom repeats are one event within these days, whatever they share. */
const RARE_SIGNAL_DAYS = 10
/** So are any two texts within these, unless each is about something of its own: news is retold at once. */
const RETOLD_DAYS = 2
/** The least share of names and figures that two leads must have in common. */
const MIN_SHARED = 0.25
/** From this share of common words on, two reports are worded alike. */
const MIN_COMMON_SHARE = 0.4
const MIN_COMMON_WORDS = 5
/** Smaller numbers stand in many texts. */
const MIN_SIGNIFICANT_FIGURE = 20
const LEAD_CHARS = 300
const DAY_MS = 86_400_000

/** Prepares a report for comparison with others of the same company. */
export function createFingerprint(report: EventReport, companyName: string): EventFingerprint {
  const own = companyNameWords(companyName)
  // Claims without a sentence beside them begin with "Company does: "; the sentence follows.
  const sentence = stripDateline(report.quote ?? report.claim.replace(/^[^:]{0,120}: /, ''))
  const [title = '', ...lines] = (report.context ?? '').split('\n')
  const text = stripDateline(lines.join('\n'))
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

/** A company tells its news on several of its own pages. */
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

/** Companies are called by the first word of their names; the others say what they do. */
const firstNameWord = (own: ReadonlySet<string>) => [...own].find((word) => word !== 'the' && word !== '') ?? ''

/** Long enough to tell words apart, short enough to leave their endings out. */
const STEM_CHARS = 6

/** Whether two reports about one company are of the same event. */
export function isSameEvent(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.signal_id !== b.signal_id) return false
  if (readChange(a.claim) || readChange(b.claim)) return isSameChange(a, b)
  const signal = findBuiltinSignal(a.signal_id)
  const isSamePage = a.source_url !== null && a.source_url === b.source_url
  if (isSamePage && (a.quote ?? a.claim) === (b.quote ?? b.claim)) return true
  // Both seen in the source of one page, told by no sentence of it: only the claim says which technology.
  if (isSamePage && signal?.isSeenInSource && !a.quote && !b.quote) return false
  const apart = daysApart(a, b)
  if (isSamePage && apart <= SAME_PAGE_DAYS) return true
  // However many boards list them, a company's open positions are one thing.
  if (tellsOfOpenings(a.claim) && tellsOfOpenings(b.claim)) return apart <= SAME_PAGE_DAYS
  if (apart > SAME_STORY_DAYS || contradict(a, b)) return false
  const isSeldom = signal?.seldomRepeats ?? false
  // A publisher tells an event once: a further page is of another, unless the headlines agree.
  if (!isSeldom && a.publisher !== null && a.publisher === b.publisher) return haveHeadlinesInCommon(a, b)
  if (shareEnough(a, b)) return true
  if (isSeldom && apart <= RARE_SIGNAL_DAYS) return true
  if (!a.hasText || !b.hasText || (isAbout(a, b) && isAbout(b, a))) return false
  // A headline that leaves the company out tells a story around the news.
  return apart <= RETOLD_DAYS || a.isAside || b.isAside
}

/**
 * A posting may prove several changes on job boards, so each is known by what it says. A surge and the list it is counted on
 * are one event where the list came up with it; a list that was told long before is the state that changed.
 */
function isSameChange(a: EventFingerprint, b: EventFingerprint): boolean {
  const [one, other] = [readChange(a.claim), readChange(b.claim)]
  if (one && other) return one.key === other.key && daysApart(a, b) <= SAME_PAGE_DAYS
  const isListed =
    (tellsOfSurge(a.claim) && tellsOfOpenings(b.claim)) || (tellsOfSurge(b.claim) && tellsOfOpenings(a.claim))
  // By the days of the events alone: a list goes on being published.
  return isListed && Math.abs(Date.parse(a.date) - Date.parse(b.date)) / DAY_MS <= SAME_STORY_DAYS
}

/** Whether a report is about somebody or something that the other does not know. */
const isAbout = ({ focus }: EventFingerprint, other: EventFingerprint) =>
  focus.names.some((name) => !includesName(other, name))

/** By the day of the event or of publication, whichever lies closer: pages give one, the other, or both. */
function daysApart(a: EventReport, b: EventReport): number {
  const happened = Math.abs(Date.parse(a.date) - Date.parse(b.date))
  if (!a.published_date || !b.published_date) return happened / DAY_MS
  return Math.min(happened, Math.abs(Date.parse(a.published_date) - Date.parse(b.published_date))) / DAY_MS
}

/** Whether the leads have names or figures in common, or one's stand in the text of the other. */
const shareEnough = (a: EventFingerprint, b: EventFingerprint) =>
  Math.max(sharedPart(a.lead, b), sharedPart(b.lead, a)) >= MIN_SHARED

/** Which share of the names and figures stands in a report. */
function sharedPart({ names, figures }: Facts, report: EventFingerprint): number {
  const telling = figures.filter(isSignificant)
  const held =
    names.filter((name) => includesName(report, name)).length +
    telling.filter((figure) => includesFigure(report.figures, figure)).length
  return held / Math.max(1, names.length + telling.length)
}

function haveHeadlinesInCommon({ headline: a }: EventFingerprint, { headline: b }: EventFingerprint): boolean {
  return (
    a.names.some((name) => isIn(b, name)) ||
    a.figures.some((figure) => isSignificant(figure) && includesFigure(b.figures, figure))
  )
}

const isSignificant = ({ value, isMoney }: Figure) => isMoney || value >= MIN_SIGNIFICANT_FIGURE

/** Every word of the name stands there, in whatever order; or a part of it is a name there. */
function includesName({ words, lead }: EventFingerprint, name: string): boolean {
  return name.split(/[\s-]/).every((word) => words.has(word)) || lead.names.some((other) => isPartOf(other, name))
}

/** "Vantor" of "Vantor Capital". */
const isPartOf = (part: string, name: string) => ` ${name} `.includes(` ${part} `)

const includesFigure = (figures: readonly Figure[], { value }: Figure) =>
  figures.some((other) => isEqualAfterRounding(other.value, value))

/** Whether the reports cannot be of one event. */
function contradict(a: EventFingerprint, b: EventFingerprint): boolean {
  if (isOtherSide(a.role, b.role) || isOtherSide(b.role, a.role)) return true
  if (!a.isAside && !b.isAside && isOtherStep(a.step, b.step)) return true
  if (a.money && b.money && isOtherMoney(a.money, b.money)) return true
  if (areOtherOffices(a.offices, b.offices)) return true
  if (countDifferently(a, b) || areHeadedDifferently(a, b)) return true
  return areWordedDifferently(a, b)
}

/** Who buys in one deal sells, or is bought, in another. */
const isOtherSide = (a: DealRole | undefined, b: DealRole | undefined) =>
  a === 'acquirer' && (b === 'acquired' || b === 'seller')

/** What was agreed and what is completed are two steps, and what is undone is a step of its own. */
const isOtherStep = (a: string | null, b: string | null) =>
  a !== b && ((a !== null && b !== null) || a === 'undone' || b === 'undone')

/** Who becomes the CFO does not become the COO by it. */
const areOtherOffices = (a: readonly string[], b: readonly string[]) =>
  a.length > 0 && b.length > 0 && !a.some((office) => b.includes(office))

type Money = ReturnType<typeof findMoneyKinds>

function isOtherMoney(a: Money, b: Money): boolean {
  if (a.round && b.round) return a.round !== b.round
  return a.kinds.length > 0 && b.kinds.length > 0 && !a.kinds.some((kind) => b.kinds.includes(kind))
}

/** Each headline names what the other is not about. */
function areHeadedDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.headline.names.length === 0 || b.headline.names.length === 0 || haveHeadlinesInCommon(a, b)) return false
  const isElsewhere = (one: EventFingerprint, two: EventFingerprint) =>
    one.headline.names.every((name) => !isIn(two.focus, name))
  if (!isElsewhere(a, b) || !isElsewhere(b, a)) return false
  const isUnknown = (one: EventFingerprint, two: EventFingerprint) =>
    one.headline.names.every((name) => !includesName(two, name))
  // A headline that leaves the company out names whom it likes.
  if (a.isAside || b.isAside) return isUnknown(a, b) && isUnknown(b, a) && !shareEnough(a, b)
  // What one of them mentions of the other further down, it mentions in passing.
  return isUnknown(a, b) || isUnknown(b, a)
}

const isIn = ({ names }: Facts, name: string) => names.some((other) => isPartOf(other, name) || isPartOf(name, other))

/** Names or figures that are not in another report. */
const hasOther = ({ names, figures }: Facts, report: EventFingerprint) =>
  names.some((name) => !includesName(report, name)) || figures.some((figure) => !includesFigure(report.figures, figure))

/** Sums in one currency, or numbers of one thing, that all differ; or headlines that count, and differ. */
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

/** The same words about other names or figures: "Pagelark 4.0 is out", "Pagelark 4.1 is out". */
function areWordedDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  const common = [...a.wording].filter((word) => b.wording.has(word)).length
  const areAlike = common >= MIN_COMMON_WORDS && common / Math.min(a.wording.size, b.wording.size) >= MIN_COMMON_SHARE
  // A release that two pages shorten, each in its own way, still has most in common.
  if (!areAlike || Math.max(sharedPart(a.focus, b), sharedPart(b.focus, a)) > 0.5) return false
  return hasOther(a.lead, b) && hasOther(b.lead, a)
}
