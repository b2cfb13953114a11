// The order of a seller's day: how urgent it is to contact an account now. Documented in docs/ranking.md.

import type { Offering } from '../playbook/offering.ts'
import { type Candidate, chooseRecipient, DEPARTMENTAL, type EventTarget, isSameName } from '../recipient/index.ts'
import { signalWeight, sizeShare } from '../score/event-weight.ts'
import {
  type Champion,
  describeChampion,
  describeChange,
  describeLostDeal,
  describeOpenDeal,
  LOST_DEAL,
  type Relation,
} from './relation.ts'

/** An event at an account: a detection, or a move of a person with the signal `job_change`. */
export type RankedEvent = EventTarget & {
  id: string
  /** What happened, in a few words. */
  headline: string
  amount: number | null
  count: number | null
  age_days: number
  /** 0 to 1. */
  confidence: number
  /** Earlier events of the signal at the account. */
  earlier: number
  /** For the move of a contact of a won deal. */
  champion?: Champion | null
}

export type ActNowInput = {
  events: readonly RankedEvent[]
  /** 0 to 100; null when it is not known. */
  fit: number | null
  people: readonly Candidate[]
  offering: Offering
  /** What the CRM says about the account; without it the CRM does not count. */
  relation?: Relation | null
}

export type ActNowFactorName = 'event' | 'champion' | 'open_deal' | 'lost_deal' | 'fit' | 'contact' | 'caution'
export type ActNow = {
  /** 0 to 100. */
  score: number
  /** `record_id` is the event of an event's factor. */
  factors: { name: ActNowFactorName; points: number; why: string; record_id?: string }[]
  /** The event that matters most; null without events. */
  lead_id: string | null
  person_id: string | null
}

/** Urgency halves in three weeks: after that a competitor has called. */
const HALF_LIFE_DAYS = 20
/** A signal that the knowledge base names weighs as much as the strongest, whatever it is. */
const NAMED_WEIGHT = 0.9
/** Other signals count this much; more where the knowledge base names none. */
const UNNAMED_SHARE = 0.4
const UNSPECIFIED_SHARE = 0.8
/** Bad news is a reason to call only for sellers whose knowledge base says so. */
const BAD_NEWS: ReadonlySet<string> = new Set(['layoffs', 'security_incident'])
const BAD_NEWS_SHARE = 0.2
/** An account that is cutting jobs buys little else for a while. */
const LAYOFFS_SHARE = 0.5
const LAYOFFS_DAYS = 60
/** Events about a department that does not buy, and events about no department. */
const OTHER_DEPARTMENT_SHARE = 0.7
const COMPANY_SHARE = 0.85
const OTHER_DEPARTMENTAL_SHARE = 0.4
/** An event below this confidence does not count; from `SURE` on it counts in full. */
const UNSURE = 0.4
const SURE = 0.9
/** The share that remains at an account with the worst fit, and without a person to contact. */
const WORST_FIT_SHARE = 0.35
const NOBODY_SHARE = 0.6
const UNKNOWN_FIT = 50
/** Further events fill a share of the remainder, so that many weak ones never equal a strong one. */
const FURTHER_SHARE = 0.5
const REPEATED_SHARE = 0.2
/** How much of the remainder up to 100 a reason from the CRM fills, whatever the fit and the contact are. */
const CHAMPION_SHARE = 0.9
const OPEN_DEAL_SHARE = 0.6
const LOST_DEAL_SHARE = 0.4
/** A lost deal that is due without any news. */
const LOST_DEAL_URGENCY = 0.45
/** A manager chooses suppliers in the first months of a new position. */
const CHAMPION_HALF_LIFE_DAYS = 60
const CHAMPION_FRESHNESS = 0.25

/** How urgent it is to contact an account, with the reasons; the points of the reasons add up to the score. */
export function scoreActNow({ events, fit, people, offering, relation = null }: ActNowInput): ActNow {
  const weighed = events
    .map((event) => ({ event, urgency: urgencyOf(event, offering) }))
    .sort((a, b) => b.urgency - a.urgency || a.event.age_days - b.event.age_days)
  // A contact who has moved is the reason to call, whatever else happened. News of it has a draft, which the move has not.
  const champion = newestChampion(events)
  const lead =
    (champion && events.find((event) => isNewsOf(event, champion, people, offering))) ?? champion ?? weighed[0]?.event
  if (!lead) return { score: 0, factors: [], lead_id: null, person_id: null }
  let urgency = 0
  const factors: ActNow['factors'] = []
  for (const [at, { event, urgency: own }] of weighed.entries()) {
    const isRepeated = weighed.slice(0, at).some((before) => before.event.signal_id === event.signal_id)
    const gain = at === 0 ? own : (1 - urgency) * own * (isRepeated ? REPEATED_SHARE : FURTHER_SHARE)
    urgency += gain
    if (at === 0 || gain >= 0.02)
      factors.push({
        ...{ name: event.signal_id === LOST_DEAL ? LOST_DEAL : 'event', points: gain * 100, record_id: event.id },
        why: event.signal_id === LOST_DEAL ? event.headline : `${event.headline}, ${whenOf(event.age_days)}`,
      })
  }
  const contact = chooseRecipient(lead, people, offering.departments)
  let left = urgency
  const reduce = (name: ActNowFactorName, share: number, why: string) => {
    if (share < 1) factors.push({ name, points: left * (share - 1) * 100, why })
    left *= share
  }
  reduce('fit', WORST_FIT_SHARE + (1 - WORST_FIT_SHARE) * ((fit ?? UNKNOWN_FIT) / 100), describeFit(fit))
  reduce('contact', NOBODY_SHARE + (1 - NOBODY_SHARE) * contact.reach, contact.why)
  if (!offering.signals.has('layoffs') && events.some(isRecentLayoff))
    reduce('caution', LAYOFFS_SHARE, 'they are cutting jobs')
  const fromCrm = reasonsFromCrm(events, relation, offering).map(({ share, ...reason }) => {
    const points = (1 - left) * share * 100
    left += (1 - left) * share
    return { ...reason, points }
  })
  return {
    score: round(left * 100),
    factors: [...fromCrm, ...factors].map((factor) => ({ ...factor, points: round(factor.points) })),
    lead_id: lead.id,
    person_id: contact.recipient?.id ?? null,
  }
}

/** The strongest reason of each kind that the CRM gives, with the share of the remainder that it fills. */
function reasonsFromCrm(events: readonly RankedEvent[], relation: Relation | null, offering: Offering) {
  const reasons: { name: ActNowFactorName; share: number; why: string; record_id?: string }[] = []
  const champion = newestChampion(events)
  if (champion) {
    const share = CHAMPION_SHARE * freshness(champion.age_days, CHAMPION_HALF_LIFE_DAYS)
    reasons.push({ name: 'champion', share, why: describeChampion(champion.champion), record_id: champion.id })
  }
  if (relation?.open_deal) {
    const share = OPEN_DEAL_SHARE * Math.max(...events.map(({ age_days }) => freshness(age_days)))
    reasons.push({ name: 'open_deal', share, why: describeOpenDeal(relation.open_deal) })
  }
  if (relation?.kind === 'lost_deal') {
    const [news] = events
      .flatMap((event) => {
        const change = isSince(event, relation) ? describeChange(event, offering) : null
        return change ? [{ change, share: LOST_DEAL_SHARE * freshness(event.age_days) }] : []
      })
      .sort((a, b) => b.share - a.share)
    if (news) reasons.push({ name: LOST_DEAL, share: news.share, why: `${describeLostDeal(relation)}: ${news.change}` })
  }
  return reasons
}

/** Whether the event is the appointment of the contact, and its draft is addressed to them. */
function isNewsOf(
  event: RankedEvent,
  { champion: { full_name } }: { champion: Champion },
  people: readonly Candidate[],
  { departments }: Offering,
): boolean {
  if (event.signal_id !== 'leadership_change' || !event.named || !isSameName(event.named.full_name, full_name))
    return false
  const { recipient } = chooseRecipient(event, people, departments)
  return recipient !== null && isSameName(recipient.full_name, full_name)
}

/** News from before the loss was known to the team. */
const isSince = ({ age_days }: RankedEvent, relation: Relation) =>
  relation.age_days === null || age_days < relation.age_days
/** The latest move of a contact; an old one ranks like any other move. */
const newestChampion = (events: readonly RankedEvent[]) =>
  events.filter(isFreshChampion).toSorted((a, b) => a.age_days - b.age_days)[0]
const isFreshChampion = (event: RankedEvent): event is RankedEvent & { champion: Champion } =>
  !!event.champion && freshness(event.age_days, CHAMPION_HALF_LIFE_DAYS) >= CHAMPION_FRESHNESS
const round = (value: number) => Math.round(value * 10) / 10
const clamp = (value: number) => Math.min(1, Math.max(0, value))
const freshness = (days: number, halfLife = HALF_LIFE_DAYS) => 0.5 ** (Math.max(0, days) / halfLife)
const isRecentLayoff = ({ signal_id, age_days }: RankedEvent) => signal_id === 'layoffs' && age_days < LAYOFFS_DAYS

/** The weight of the event's signal and size, its relevance to what is sold, its freshness and how rare and sure it is. */
function urgencyOf(event: RankedEvent, { signals, departments }: Offering): number {
  const { signal_id, department, age_days, confidence, earlier } = event
  if (signal_id === LOST_DEAL) return LOST_DEAL_URGENCY * freshness(age_days)
  const isNamed = signals.has(signal_id)
  const weight = isNamed ? NAMED_WEIGHT : signalWeight(signal_id)
  const isBadNews = BAD_NEWS.has(signal_id) && !isNamed
  const relevance = isNamed ? 1 : isBadNews ? BAD_NEWS_SHARE : signals.size > 0 ? UNNAMED_SHARE : UNSPECIFIED_SHARE
  const share =
    department === null || departments.size === 0
      ? COMPANY_SHARE
      : departments.has(department)
        ? 1
        : DEPARTMENTAL.has(signal_id)
          ? OTHER_DEPARTMENTAL_SHARE
          : OTHER_DEPARTMENT_SHARE
  const rarity = earlier === 0 ? 1 : earlier < 3 ? 0.95 : 0.85
  const sure = clamp((confidence - UNSURE) / (SURE - UNSURE))
  const fresh = freshness(age_days)
  return clamp((weight * sizeShare(signal_id, event) * relevance * share * rarity * sure * fresh) / NAMED_WEIGHT)
}

function describeFit(fit: number | null): string {
  return fit === null ? 'the fit with your ideal customer is not known' : `ICP fit ${Math.round(fit)} of 100`
}

function whenOf(days: number): string {
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}
