// Which findings report one event: five pages about one funding round are one event with five proofs.
import { tellsOfOpenings } from './hiring.ts'
import { findBuiltinSignal } from './signals.ts'

/** One page's report of an event. */
export type EventReport = {
  signal_id: string
  /** What it says, in our words or with the sentence itself. */
  claim: string
  /** The sentence that reports it, where there is one. */
  quote?: string | null | undefined
  source_url: string | null
  /** The day it happened, as far as anybody says. */
  date: string
  /** The day the page was published. */
  published_date: string | null
  /** What stands around the sentence: a heading may tell an event whose names follow below. */
  context?: string | undefined
}

/**
 * A report with its entities (names and figures) taken out, so that comparing many costs little. `context` is folded
 * to plain words.
 */
export type EventFingerprint = EventReport & { entities: string[]; figures: string[]; context: string }

/** Further reports follow within weeks; the same kind of news a month later is another event. */
const SAME_STORY_DAYS = 21
/** A page that is rewritten, or a job board that changes, goes on reporting one event; months later, another. */
const SAME_PAGE_DAYS = 45
/** Two reports of a signal that seldom repeats are one event within these days, whatever they share. */
const SELDOM_DAYS = 10
/** The least share of entities that two reports must have in common. */
const LEAST_SHARED = 0.34
/** The least share of one report's entities that the text of the other must hold. */
const LEAST_HELD = 0.7
const DAY_MS = 86_400_000

/** Words with a capital that name nothing: the calendar, ranks, and what every announcement is made of. */
const COMMON = new Set(
  (
    'the a an and or of to in on at for from by with as is are its it this that has have had will was were be been inc llc ltd ' +
    'corp gmbh ag plc co company companies group january february march april may june july august september october november ' +
    'december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday today ' +
    'yesterday new first next its their our all more than over up out into chief executive financial technology operating ' +
    'marketing revenue product people information security officer ceo cfo cto coo cmo cro cio ciso president vice vp svp evp ' +
    'director head manager managing general senior chair chairman chairwoman board member founder co-founder partner lead global ' +
    'regional appoints appointed appointment names named hires hired joins joined promotes promoted series seed round funding ' +
    'financing investment capital raises raised raise secures secured closes closed million billion m bn k usd eur gbp acquires ' +
    'acquired acquisition acquire merger merges merge completes completed announces announced announce announcement agreement ' +
    'signs signed partnership partners partner strategic collaboration collaborates alliance opens opened opening office offices ' +
    'headquarters plant factory facility site location expands expanded expansion launches launched launch launching unveils ' +
    'introduces introduced releases released release platform solution solutions software product products service services app ' +
    'system version available availability customer customers contract selects selected chooses wins won awarded deal ipo ' +
    'initial public offering shares stock lists files filed registration statement nasdaq nyse layoffs lays off cuts jobs staff ' +
    'workforce employees positions open hiring hire breach incident data attack cyber cyberattack ransomware deploys adopts ' +
    'migrates implements goes live rolls item departure directors certain officers election compensatory arrangements'
  ).split(' '),
)

/** "AUSTIN, Texas, November 8, 2026 -- ": where and when a release was sent is no part of what happened. */
const DATELINE = /^\p{Lu}.{0,70}?\s(?:--|[–—])\s+(?=\p{Lu})/u

/** Prepares a report for comparison with others of the same company. */
export function readFingerprint(report: EventReport, companyName: string): EventFingerprint {
  const own = new Set(companyName.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  // Claims without a sentence beside them begin with "Company does: "; the sentence follows.
  const sentence = report.quote ?? report.claim.replace(/^[^:]{0,120}: /, '')
  const entities = entitiesOf(sentence.replace(DATELINE, ''), own)
  return {
    ...report,
    entities,
    figures: entities.filter((entity) => /^\d/.test(entity)),
    context: ` ${wordsOf(report.context ?? '').join(' ')} `,
  }
}

/** Whether two reports about one company are of the same event. */
export function isSameEvent(a: EventFingerprint, b: EventFingerprint): boolean {
  if (a.signal_id !== b.signal_id) return false
  const isSamePage = a.source_url !== null && a.source_url === b.source_url
  if (isSamePage && (a.quote ?? a.claim) === (b.quote ?? b.claim)) return true
  // Both seen in the source of one page, told by no sentence of it: only the claim says which technology.
  if (isSamePage && a.signal_id === 'technology_adoption' && !a.quote && !b.quote) return false
  const apart = daysApart(a, b)
  if (isSamePage && apart <= SAME_PAGE_DAYS) return true
  // However many boards list them, a company's open positions are one thing.
  if (tellsOfOpenings(a.claim) && tellsOfOpenings(b.claim)) return apart <= SAME_PAGE_DAYS
  if (apart > SAME_STORY_DAYS) return false
  const least = Math.min(a.entities.length, b.entities.length)
  const shared = a.entities.filter((entity) => b.entities.some((other) => agree(entity, other))).length
  if (least > 0 && shared / least >= LEAST_SHARED) return true
  if (holdsEntities(a, b) || holdsEntities(b, a)) return true
  if (namesWhatOtherKeeps(a, b) || namesWhatOtherKeeps(b, a)) return true
  if (!findBuiltinSignal(a.signal_id)?.seldomRepeats || apart > SELDOM_DAYS) return false
  // Two sums that differ are two rounds.
  return a.figures.length === 0 || b.figures.length === 0 || a.figures.some((figure) => b.figures.includes(figure))
}

/** By the day of the event or of publication, whichever lies closer: pages give one, the other, or both. */
function daysApart(a: EventReport, b: EventReport): number {
  const happened = Math.abs(Date.parse(a.date) - Date.parse(b.date))
  if (!a.published_date || !b.published_date) return happened / DAY_MS
  return Math.min(happened, Math.abs(Date.parse(a.published_date) - Date.parse(b.published_date))) / DAY_MS
}

/** "Vantor" and "Vantor Capital" agree, "Deutsche Bahn" and "Deutsche Post" do not. */
function agree(a: string, b: string): boolean {
  return a === b || ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)
}

/** Whether the text around a report holds the entities of another. */
function holdsEntities({ context }: EventFingerprint, { entities }: EventFingerprint): boolean {
  // One short word stands in many texts; a full name or two entities do not.
  if (entities.length === 0 || (entities.length === 1 && !entities[0]?.includes(' '))) return false
  return entities.filter((entity) => context.includes(` ${entity} `)).length / entities.length >= LEAST_HELD
}

/** A headline that names nothing tells the event whose only name stands in its text. */
function namesWhatOtherKeeps({ entities, context }: EventFingerprint, other: EventFingerprint): boolean {
  const [name = ''] = other.entities
  return (
    entities.length === 0 && other.entities.length === 1 && /^\p{L}{5,}$/u.test(name) && context.includes(` ${name} `)
  )
}

/** Names, of one or several words, and figures: what another report keeps when it words the rest anew. */
function entitiesOf(sentence: string, own: ReadonlySet<string>): string[] {
  const words = sentence.split(/[\s/–—]+/).filter(Boolean)
  // In a headline with capitals throughout they tell no names from other words.
  const long = words.filter((word) => /^\p{L}{4,}/u.test(word))
  const isHeadline = long.length > 2 && long.filter((word) => /^\p{Lu}/u.test(word)).length / long.length > 0.7
  const entities: string[] = []
  let name: string[] = []
  const end = () => {
    if (name.length > 0) entities.push(name.join(' '))
    name = []
  }
  for (const [index, word] of words.entries()) {
    const bare = bareWord(word)
    const isFigure = /\d/.test(bare) && !/^(19|20)\d\d$/.test(bare)
    const isCapital = /^\p{Lu}/u.test(word.replace(/^[^\p{L}\p{N}]+/u, '')) && (index > 0 || isHeadline)
    const isName = isCapital && bare.length > 1 && !COMMON.has(bare) && !own.has(bare)
    if (isFigure && name.length === 0) {
      end()
      entities.push(bare)
    } else if (isName || (isFigure && name.length > 0)) name.push(bare)
    else end()
    // "Beta Labs, Gamma Works" are two names.
    if (/[,;:.)]$/.test(word)) end()
  }
  end()
  return [...new Set(entities)]
}

function wordsOf(text: string): string[] {
  return text.split(/[\s/–—]+/).map(bareWord)
}

function bareWord(word: string): string {
  return (
    word
      .toLowerCase()
      .replace(/['’]s(?=[^\p{L}]*$)/u, '')
      .replace(/^(?:us)?[$€£]/, '')
      .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
      .replaceAll(',', '')
      // "€38M" and "€38 million" are one figure.
      .replace(/^(\d+(?:\.\d+)?)(?:m|mn|bn|b|k)$/, '$1')
  )
}
