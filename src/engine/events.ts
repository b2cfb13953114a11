// Which findings tell of one event: five pages about one funding round are one event with five proofs.

export type Told = {
  signal_id: string
  /** The sentence that tells it. */
  claim: string
  source_url: string | null
  /** The day it happened or was published; null when nobody says. */
  date: string | null
  /** What stands around the sentence: a heading may tell an event whose names follow below. */
  context?: string | undefined
}

/** Retellings follow within weeks; the same kind of news a month later is another event. */
const SAME_STORY_DAYS = 21
/** A page that is rewritten, or a job board that changes, goes on telling one event; months later it tells another. */
const SAME_PAGE_DAYS = 45
/** Events a company seldom has twice within days: the retelling need not share any name or figure. */
const SELDOM = new Set(['funding', 'ipo', 'layoffs', 'security_incident'])
const SELDOM_DAYS = 10
const LEAST_SHARED = 0.34
/** So many names and figures of one telling stand in the text of the other. */
const LEAST_RETOLD = 0.7
const LEAST_MARKS = 2
const DAY_MS = 86_400_000

const COMMON = new Set(
  (
    'the a an and or of to in on at for from by with as is its it this that has have will was were inc llc ltd corp gmbh ' +
    'company january february march april may june july august september october november december jan feb mar apr jun ' +
    'jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday today ceo new'
  ).split(' '),
)

/** Whether two findings of one company tell of the same event. */
export function isSameEvent(a: Told, b: Told, companyName: string): boolean {
  if (a.signal_id !== b.signal_id) return false
  const apart = a.date && b.date ? Math.abs(Date.parse(a.date) - Date.parse(b.date)) / DAY_MS : null
  if (a.source_url !== null && a.source_url === b.source_url && (apart ?? 0) <= SAME_PAGE_DAYS) return true
  if (apart !== null && apart > SAME_STORY_DAYS) return false
  const own = new Set(wordsOf(companyName))
  const [left, right] = [marksOf(a.claim, own), marksOf(b.claim, own)]
  const amounts = [left, right].map((marks) => [...marks].filter((mark) => /\d/.test(mark)))
  const shared = [...left].filter((mark) => right.has(mark)).length
  const least = Math.min(left.size, right.size)
  if (least > 0 && shared / least >= LEAST_SHARED) return true
  if (isRetold(left, b.context, own) || isRetold(right, a.context, own)) return true
  if (!SELDOM.has(a.signal_id) || apart === null || apart > SELDOM_DAYS) return false
  // Two sums that differ are two rounds.
  const [first = [], second = []] = amounts
  return first.length === 0 || second.length === 0 || first.some((mark) => second.includes(mark))
}

function isRetold(marks: ReadonlySet<string>, context: string | undefined, own: ReadonlySet<string>): boolean {
  if (!context || marks.size < LEAST_MARKS) return false
  const around = marksOf(context, own)
  return [...marks].filter((mark) => around.has(mark)).length / marks.size >= LEAST_RETOLD
}

/** Names and figures: what a retelling keeps when it words the rest anew. */
function marksOf(claim: string, own: ReadonlySet<string>): Set<string> {
  // The engine's claims begin with "Company does: "; the sentence follows.
  const sentence = claim.replace(/^[^:]{0,120}: /, '')
  const marks = new Set<string>()
  for (const [index, word] of sentence.split(/[\s/–—]+/).entries()) {
    const bare = word.replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%]+$/gu, '')
    const lower = bare.toLowerCase().replace(/['’]s$/, '')
    if (lower.length < 2 || COMMON.has(lower) || own.has(lower)) continue
    const isFigure = /\d/.test(bare) && !/^(19|20)\d\d$/.test(bare)
    const isName = index > 0 && /^\p{Lu}/u.test(bare)
    if (isFigure || isName) marks.add(isFigure ? lower.replace(/^(us)?[$€£]/, '').replaceAll(',', '') : lower)
  }
  return marks
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}
