import { daysBetween } from '../dates/calendar.ts'

/** One factor of a score: `points` of at most `max`, and the reason. */
export type ScoreFactor = { name: string; points: number; max: number; why: string }
export type ExplainedScore = { score: number; components: ScoreFactor[] }

export type AlphaScoreInput = {
  /** Confidence of the detection, 0 to 1. */
  confidence: number
  evidence: readonly { source_url?: string | null; published_date?: string | null }[]
  /** The account's domain, to distinguish its own pages from others. */
  domain?: string | null
  detected_at?: string | null
}

const MAX = { match: 45, source: 20, corroboration: 15, recency: 20 }
/** Recency points halve in a month, because buying windows are quarters, not years. */
const RECENCY_HALF_LIFE_DAYS = 30
const WIRES =
  /(?:^|\.)(?:prnewswire|businesswire|globenewswire|accesswire|einpresswire|newswire|sec|europa|companieshouse|gov)\b/

/** Detection score 0 to 100 from match strength, source, corroboration and recency; 0 without evidence. */
export function scoreAlpha(
  { confidence, evidence, domain, detected_at }: AlphaScoreInput,
  today: string,
): ExplainedScore {
  if (evidence.length === 0)
    return { score: 0, components: [{ name: 'evidence', points: 0, max: 100, why: 'nothing was found' }] }
  const sure = Math.min(1, Math.max(0, confidence))
  const hosts = [...new Set(evidence.map(({ source_url }) => hostOf(source_url)).filter((host) => host !== null))]
  const sources = hosts.map((host) => sourceKind(host, domain ?? null))
  const best = sources.sort((a, b) => b.share - a.share)[0] ?? { share: 0.2, why: 'source not known' }
  const others = Math.max(0, hosts.length - 1)
  const dates = evidence.map(({ published_date }) => published_date ?? null).filter((date) => date !== null)
  const latest = dates.sort().at(-1) ?? detected_at ?? null
  const age = latest ? daysBetween(latest, today) : null
  const fresh = age === null ? 0.25 : 0.5 ** (Math.max(0, age) / RECENCY_HALF_LIFE_DAYS)
  return sumComponents([
    component('match', sure, `detection is ${Math.round(sure * 100)} % sure`),
    component('source', best.share, best.why),
    component('corroboration', 1 - 0.5 ** others, others === 0 ? 'one source' : `${others + 1} independent sources`),
    component('recency', fresh, age === null ? 'no date is known' : `${Math.max(0, age)} days old`),
  ])
}

function component(name: keyof typeof MAX, share: number, why: string): ScoreFactor {
  return { name, points: Math.round(share * MAX[name]), max: MAX[name], why }
}

function sumComponents(components: ScoreFactor[]): ExplainedScore {
  const score = components.reduce((sum, { points }) => sum + points, 0)
  return { score: Math.min(100, Math.max(0, Math.round(score))), components }
}

function hostOf(url: string | null | undefined): string | null {
  return url ? (URL.parse(url)?.hostname.replace(/^www\./, '') ?? null) : null
}

/** The company's own page and official wires are first-hand sources; others are second-hand. */
function sourceKind(host: string, domain: string | null): { share: number; why: string } {
  if (domain && (host === domain || host.endsWith(`.${domain}`))) return { share: 1, why: 'said by the company itself' }
  if (WIRES.test(host)) return { share: 0.9, why: `published on ${host}` }
  return { share: 0.6, why: `reported by ${host}` }
}

export type ScoredSignal = {
  signal_id: string
  alpha: number
  detected_at: string
  /** The weight of its signal and size, where 1 is usual; 1 unless given. */
  weight?: number
  /** Names of other signals that found the same event, which counts once. */
  also?: readonly string[]
}

/** An account stays warm for about a quarter after its last signal. */
const ACCOUNT_HALF_LIFE_DAYS = 45
const SIGNAL_SHARE = 70
const FIT_SHARE = 30
/** Minimum score of a hot account. */
const HOT_SCORE = 70

/**
 * Account score 0 to 100 from the fit and the signals, each with a half-life. The strongest signal counts in full, and
 * each further one fills half of the remainder, so that ten weak signals never equal a strong one.
 */
export function scoreAccount(
  signals: readonly ScoredSignal[],
  icpFit: number,
  today: string,
  why = `fits the ideal customer to ${Math.round(icpFit)} of 100`,
): ExplainedScore & { is_hot: boolean } {
  const faded = signals
    .filter(({ alpha }) => alpha > 0)
    .map((signal) => {
      const age = Math.max(0, daysBetween(signal.detected_at, today) ?? ACCOUNT_HALF_LIFE_DAYS)
      const strength = Math.min(1, (signal.alpha / 100) * (signal.weight ?? 1)) * 0.5 ** (age / ACCOUNT_HALF_LIFE_DAYS)
      return { ...signal, age, strength }
    })
    .sort((a, b) => b.strength - a.strength)
  let reached = 0
  const components: ScoreFactor[] = [
    {
      name: 'icp_fit',
      points: Math.round((icpFit / 100) * FIT_SHARE),
      max: FIT_SHARE,
      why,
    },
  ]
  for (const [i, { signal_id, alpha, age, strength, also = [] }] of faded.entries()) {
    const gain = i === 0 ? strength : (1 - reached) * strength * 0.5
    reached = Math.min(1, reached + gain)
    const points = Math.round(gain * SIGNAL_SHARE * 10) / 10
    if (points >= 0.1)
      components.push({
        name: signal_id,
        points,
        max: SIGNAL_SHARE,
        why: `strength ${alpha} of 100, ${howLongAgo(age)}${also.length > 0 ? `, also found as ${also.join(', ')}` : ''}`,
      })
  }
  const { score } = sumComponents(components)
  return { score, components, is_hot: score >= HOT_SCORE }
}

function howLongAgo(days: number): string {
  if (days < 2) return days === 0 ? 'today' : 'yesterday'
  return `${days} days ago`
}
