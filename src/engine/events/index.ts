// Which findings report one event: five pages about one funding round are one event with five proofs.

import { isSurgeClaim, parseHiringChange } from '../hiring/change-claims.ts'
import { isOpeningsClaim } from '../hiring/open-positions.ts'
import { type DealRole, findBuiltinSignal } from '../signals/index.ts'
import { type Figure, isRounded, readFigures } from './figures.ts'
import { ownWords, readNames, readWords, SENTENCE_END, withoutDateline } from './names.ts'
import { moneyKinds, officesIn, stepOf } from './steps.ts'

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
type Told = { names: string[]; figures: Figure[] }

/** A report with what it names taken out, so that comparing many costs little. */
export type EventFingerprint = EventReport & {
  /** Whose page it is; null where that is not known, and for a site that bears the company's name. */
  publisher: string | null
  /** The headline, or the sentence where there is no headline. */
  headline: Told
  /** Headline, sentence and first sentence: what the report is about. */
  focus: Told
  /** The focus and the opening of the text. What follows tells of much else. */
  lead: Told
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
  money: ReturnType<typeof moneyKinds> | null
  /** Which offices headline and sentence name, where it is about who holds one. */
  offices: string[]
}

/** Further reports follow within weeks; the same kind of news a month later is another event. */
const SAME_STORY_DAYS = 21
/** A page that is rewritten, or a job board that changes, goes on reporting one event; months later, another. */
const SAME_PAGE_DAYS = 45
/** Two reports of a signal that seldom repeats are one event within these days, whatever they share. */
const SELDOM_DAYS = 10
/** So are any two texts within these, unless each is about something of its own: news is retold at once. */
const RETOLD_DAYS = 2
/** The least share of names and figures that two leads must have in common. */
const LEAST_SHARED = 0.25
/** From this share of common words on, two reports are worded alike. */
const WORDED_ALIKE = 0.4
const LEAST_ALIKE = 5
/** Smaller numbers stand in many texts. */
const TELLING_FIGURE = 20
const LEAD_CHARS = 300
const DAY_MS = 86_400_000

/** Prepares a report for comparison with others of the same company. */
export function readFingerprint(report: EventReport, companyName: string): EventFingerprint {
  const own = ownWords(companyName)
  // Claims without a sentence beside them begin with "Company does: "; the sentence follows.
  const sentence = withoutDateline(report.quote ?? report.claim.replace(/^[^:]{0,120}: /, ''))
  const [title = '', ...lines] = (report.context ?? '').split('\n')
  const text = withoutDateline(lines.join('\n'))
  const opening = text.slice(0, LEAD_CHARS).split(SENTENCE_END)[0] ?? ''
  const further = text.slice(opening.length, LEAD_CHARS)
  const parts = [title || sentence, title ? sentence : '', opening, further].map((part) => told(part, own))
  const [headline, , , rest] = parts as [Told, Told, Told, Told]
  const focus = together(parts.slice(0, 3))
  const lead = together([focus, rest])
  const about = `${title}\n${sentence}\n${opening}`
  const leadWords = readWords(`${about}\n${further}`)
  const apartBy = findBuiltinSignal(report.signal_id)?.apartBy
  const named = new Set(lead.names.flatMap((name) => name.split(' ')))
  return {
    ...report,
    publisher: publisherOf(report.source_url, own),
    headline,
    focus,
    lead,
    words: new Set([...leadWords, ...readWords(text.slice(LEAD_CHARS))]),
    figures: [...lead.figures, ...readFigures(text.slice(LEAD_CHARS))],
    wording: new Set(
      leadWords
        .filter((word) => /^\p{L}{4,}$/u.test(word) && !own.has(word) && !named.has(word))
        .map((word) => word.slice(0, STEM_CHARS)),
    ),
    hasText: text !== '',
    step: stepOf(title || sentence),
    money: apartBy === 'money' ? moneyKinds(about) : null,
    offices: apartBy === 'office' ? officesIn(`${title}\n${sentence}`) : [],
    isAside: title !== '' && !readWords(title).includes(firstOf(own)),
  }
}

/** A company tells its news on several of its own pages. */
function publisherOf(url: string | null, own: ReadonlySet<string>): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { host } = new URL(url)
  return host.includes(firstOf(own)) ? null : host
}

const told = (part: string, own: ReadonlySet<string>): Told => ({
  names: readNames(part, own),
  figures: readFigures(part),
})

const together = (parts: readonly Told[]): Told => ({
  names: [...new Set(parts.flatMap(({ names }) => names))],
  figures: [...new Map(parts.flatMap(({ figures }) => figures.map((one) => [`${one.value} ${one.of}`, one]))).values()],
})

/** Companies are called by the first word of their names; the others say what they do. */
const firstOf = (own: ReadonlySet<string>) => [...own].find((word) => word !== 'the' && word !== '') ?? ''

/** Long enough to tell words apart, short enough to leave their endings out. */
const STEM_CHARS = 6

/** Whether two reports about one company are of the same event. */
export function isSameEvent(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.signal_id !== b.signal_id) return false
  if (parseHiringChange(a.claim) || parseHiringChange(b.claim)) return isSameChange(a, b)
  const signal = findBuiltinSignal(a.signal_id)
  const isSamePage = a.source_url !== null && a.source_url === b.source_url
  if (isSamePage && (a.quote ?? a.claim) === (b.quote ?? b.claim)) return true
  // Both seen in the source of one page, told by no sentence of it: only the claim says which technology.
  if (isSamePage && signal?.isSeen && !a.quote && !b.quote) return false
  const apart = daysApart(a, b)
  if (isSamePage && apart <= SAME_PAGE_DAYS) return true
  // However many boards list them, a company's open positions are one thing.
  if (isOpeningsClaim(a.claim) && isOpeningsClaim(b.claim)) return apart <= SAME_PAGE_DAYS
  if (apart > SAME_STORY_DAYS || contradict(a, b)) return false
  const isSeldom = signal?.seldomRepeats ?? false
  // A publisher tells an event once: a further page is of another, unless the headlines agree.
  if (!isSeldom && a.publisher !== null && a.publisher === b.publisher) return haveHeadlinesInCommon(a, b)
  if (shareEnough(a, b)) return true
  if (isSeldom && apart <= SELDOM_DAYS) return true
  if (!a.hasText || !b.hasText || (isAbout(a, b) && isAbout(b, a))) return false
  // A headline that leaves the company out tells a story around the news.
  return apart <= RETOLD_DAYS || a.isAside || b.isAside
}

/**
 * A posting may prove several changes on job boards, so each is known by what it says. A surge and the list it is counted on
 * are one event where the list came up with it; a list that was told long before is the state that changed.
 */
function isSameChange(a: EventFingerprint, b: EventFingerprint): boolean {
  const [one, other] = [parseHiringChange(a.claim), parseHiringChange(b.claim)]
  if (one && other) return one.key === other.key && daysApart(a, b) <= SAME_PAGE_DAYS
  const isListed =
    (isSurgeClaim(a.claim) && isOpeningsClaim(b.claim)) || (isSurgeClaim(b.claim) && isOpeningsClaim(a.claim))
  // By the days of the events alone: a list goes on being published.
  return isListed && Math.abs(Date.parse(a.date) - Date.parse(b.date)) / DAY_MS <= SAME_STORY_DAYS
}

/** Whether a report is about somebody or something that the other does not know. */
const isAbout = ({ focus }: EventFingerprint, other: EventFingerprint) =>
  focus.names.some((name) => !holdsName(other, name))

/** By the day of the event or of publication, whichever lies closer: pages give one, the other, or both. */
function daysApart(a: EventReport, b: EventReport): number {
  const happened = Math.abs(Date.parse(a.date) - Date.parse(b.date))
  if (!a.published_date || !b.published_date) return happened / DAY_MS
  return Math.min(happened, Math.abs(Date.parse(a.published_date) - Date.parse(b.published_date))) / DAY_MS
}

/** Whether the leads have names or figures in common, or one's stand in the text of the other. */
const shareEnough = (a: EventFingerprint, b: EventFingerprint) =>
  Math.max(heldShare(a.lead, b), heldShare(b.lead, a)) >= LEAST_SHARED

/** Which share of the names and figures stands in a report. */
function heldShare({ names, figures }: Told, report: EventFingerprint): number {
  const telling = figures.filter(isTelling)
  const held =
    names.filter((name) => holdsName(report, name)).length +
    telling.filter((figure) => holdsFigure(report.figures, figure)).length
  return held / Math.max(1, names.length + telling.length)
}

function haveHeadlinesInCommon({ headline: a }: EventFingerprint, { headline: b }: EventFingerprint): boolean {
  return (
    a.names.some((name) => isIn(b, name)) ||
    a.figures.some((figure) => isTelling(figure) && holdsFigure(b.figures, figure))
  )
}

const isTelling = ({ value, isMoney }: Figure) => isMoney || value >= TELLING_FIGURE

/** Every word of the name stands there, in whatever order; or a part of it is a name there. */
function holdsName({ words, lead }: EventFingerprint, name: string): boolean {
  return name.split(/[\s-]/).every((word) => words.has(word)) || lead.names.some((other) => isPartOf(other, name))
}

/** "Vantor" of "Vantor Capital". */
const isPartOf = (part: string, name: string) => ` ${name} `.includes(` ${part} `)

const holdsFigure = (figures: readonly Figure[], { value }: Figure) =>
  figures.some((other) => isRounded(other.value, value))

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

type Money = ReturnType<typeof moneyKinds>

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
    one.headline.names.every((name) => !holdsName(two, name))
  // A headline that leaves the company out names whom it likes.
  if (a.isAside || b.isAside) return isUnknown(a, b) && isUnknown(b, a) && !shareEnough(a, b)
  // What one of them mentions of the other further down, it mentions in passing.
  return isUnknown(a, b) || isUnknown(b, a)
}

const isIn = ({ names }: Told, name: string) => names.some((other) => isPartOf(other, name) || isPartOf(name, other))

/** Names or figures that are not in another report. */
const hasOther = ({ names, figures }: Told, report: EventFingerprint) =>
  names.some((name) => !holdsName(report, name)) || figures.some((figure) => !holdsFigure(report.figures, figure))

/** Sums in one currency, or numbers of one thing, that all differ; or headlines that count, and differ. */
function countDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  const differ = (one: readonly Figure[], two: readonly Figure[]) =>
    one.length > 0 && two.length > 0 && !one.some((figure) => holdsFigure(two, figure))
  const counts = ({ headline }: EventFingerprint) => headline.figures.filter((one) => isTelling(one) && !one.isMoney)
  if (differ(counts(a), counts(b))) return true
  const kinds = new Set(a.focus.figures.map(({ of }) => of).filter((of) => of !== ''))
  return [...kinds].some((kind) => {
    const ofKind = ({ figures }: Told) => figures.filter((one) => one.of === kind && isTelling(one))
    return differ(ofKind(a.focus), ofKind(b.focus)) || differ(ofKind(a.lead), ofKind(b.lead))
  })
}

/** The same words about other names or figures: "Pagelark 4.0 is out", "Pagelark 4.1 is out". */
function areWordedDifferently(a: EventFingerprint, b: EventFingerprint): boolean {
  const common = [...a.wording].filter((word) => b.wording.has(word)).length
  const areAlike = common >= LEAST_ALIKE && common / Math.min(a.wording.size, b.wording.size) >= WORDED_ALIKE
  // A release that two pages shorten, each in its own way, still has most in common.
  if (!areAlike || Math.max(heldShare(a.focus, b), heldShare(b.focus, a)) > 0.5) return false
  return hasOther(a.lead, b) && hasOther(b.lead, a)
}
