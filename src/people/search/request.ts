import { type Cascade, compileCascade, matchCascade } from '../../engine/cascade/index.ts'
import type { Tier, TierRule } from '../../engine/cascade/types.ts'
import { JOB_LEVELS, readTitle } from '../../engine/titles/index.ts'
import { titleWords } from '../../engine/titles/words.ts'
import { compileCascadeWithLlm } from '../../providers/llm/cascade.ts'
import { type ProviderParts, type RoleQuery, toProviderDeps } from '../../providers/types.ts'

/** A language model that takes longer would take the time from the search. */
const COMPILE_MS = 15_000
const NOT_BY_MODEL = 'The language model could not be used: the request was read without it.'

export const NO_ROLE =
  'The request names no role, level or department. Ask for instance for a CFO, or for whoever runs sales.'

export type CompiledRequest = {
  cascade: Cascade
  /** Whom to look for beyond rosters; null when the request names no role but only words, a name or a place. */
  role: RoleQuery | null
  /** That the language model did not compile it, though there is one; null otherwise. */
  notice: string | null
}

/** By the language model where there is one and it answers in time, otherwise by the service itself. */
export async function compileRequest(
  parts: ProviderParts,
  query: string,
  signal: AbortSignal,
): Promise<CompiledRequest> {
  const { config, log } = parts
  // Most of a short budget stays for the search.
  const limit = Math.min(COMPILE_MS, (config.FIND_BUDGET_SECONDS * 1000) / 4)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limit)])
  const compiled = await compileCascadeWithLlm(toProviderDeps(parts, bounded), query).catch((err: unknown) => {
    log.warn({ err }, 'the language model did not compile the request for people in time')
    return null
  })
  const isFallback = compiled === null && config.LLM_BASE_URL !== null
  const read = readRequest(query)
  const told = compiled && withRole(withoutLevels(compiled, read.cascade))
  return { ...(told ?? read), notice: isFallback ? NOT_BY_MODEL : null }
}

/** Keeps a model from making a whole level ideal where the request names a title or a department. */
function withoutLevels(compiled: Cascade, read: Cascade): Cascade {
  const [ideal, ...others] = compiled.tiers
  if (!ideal || read.tiers.length === 0 || read.tiers[0]?.rules.some(isLevel)) return compiled
  const rules = ideal.rules.filter((rule) => !isLevel(rule))
  const job_levels = ideal.job_levels.filter((level) => rules.some((rule) => rule.job_levels.includes(level)))
  return { ...compiled, tiers: [{ ...ideal, rules, job_levels }, ...others] }
}

const isLevel = ({ department, keywords, fields, about }: TierRule) =>
  department === null && keywords.length === 0 && !fields && !about

/** Tiers as a caller sees them. */
export function shownTiers(tiers: readonly Tier[]) {
  return tiers.map(({ tier, label, titles, job_levels }) => ({ tier, label, titles, job_levels }))
}

/** As the service itself reads it, which takes no time. */
export function readRequest(query: string): Omit<CompiledRequest, 'notice'> {
  return withRole(compileCascade(query))
}

function withRole(cascade: Cascade): Omit<CompiledRequest, 'notice'> {
  const [ideal] = cascade.tiers
  if (!ideal) return { cascade, role: null }
  // Words that no department knows mean something only where somebody has them in their title: nothing is next to them.
  if (isByWords(ideal)) return { cascade: { ...cascade, tiers: [ideal] }, role: null }
  // A name, a place or a degree alone.
  const titles = cascade.tiers.flatMap((tier) => tier.titles)
  return { cascade, role: titles.length > 0 ? roleOf(cascade) : null }
}

function isByWords({ rules }: Tier): boolean {
  const isUnknown = rules.every(
    ({ department, job_levels, keywords }) =>
      department === 'Other' && job_levels.length === JOB_LEVELS.length && keywords.length > 0,
  )
  return rules.length > 0 && isUnknown
}

const SMALL_WORDS = new Set(['of', 'and', 'the', 'for', ','])

/** Whoever is of the ideal tier or next to it; fallbacks are not worth looking for beyond the roster. */
function roleOf(cascade: Cascade): RoleQuery {
  const titles = cascade.tiers.filter(({ label }) => label !== 'fallback').flatMap((tier) => tier.titles)
  const words = new Set(titles.flatMap((title) => titleWords(title)).filter((word) => !SMALL_WORDS.has(word)))
  const bare = titlesOnly(cascade)
  const fits = (title: string) => {
    const tier = tierFor(bare, { title })
    return tier !== null && tier.label !== 'fallback'
  }
  return { titles, words, fits, key: JSON.stringify(bare) }
}

/**
 * What a cascade asks of a title. A title shows no name, degree or place, so by these it would refuse everybody; whoever is
 * found is judged by them once they are known.
 */
function titlesOnly({ tiers, exclude }: Cascade): Cascade {
  const { keywords, job_levels, rules = [] } = exclude
  return {
    // Anybody at all is meant only of those with the name or at the place.
    tiers: tiers.map((tier) => ({ ...tier, rules: tier.rules.filter((rule) => !isAnybody(rule)) })),
    geographies: [],
    country_codes: [],
    exclude: { keywords, job_levels, country_codes: [], rules },
    company: { industries: [], employees_min: null, employees_max: null },
  }
}

function isAnybody(rule: TierRule): boolean {
  return rule.job_levels.length === JOB_LEVELS.length && isLevel(rule)
}

type Titled = Parameters<typeof matchCascade>[1]

/**
 * The tier somebody belongs to, or null. Whoever runs the company is next to no function: where the request does not ask
 * for them they are a fallback.
 */
export function tierFor(cascade: Cascade, person: Titled): Tier | null {
  const tier = matchCascade(cascade, person)
  const [ideal] = cascade.tiers
  if (!tier || !ideal || tier.label !== 'adjacent' || !runsCompany(person.title ?? '')) return tier
  if (isAskedFor(ideal) || isAboutHeads(tier)) return tier
  return cascade.tiers.find(({ label }) => label === 'fallback') ?? null
}

export function runsCompany(title: string): boolean {
  const { department, job_level } = readTitle(title)
  return department === 'Executive' && job_level === 'C-Team'
}

function isAskedFor({ titles, rules }: Tier): boolean {
  return rules.some(({ department }) => department === null || department === 'Executive') || titles.some(runsCompany)
}

/** A second choice that the request names itself: "VP Sales, otherwise the CEO". */
function isAboutHeads({ titles, rules }: Tier): boolean {
  return rules.length > 0 ? rules.every(({ department }) => department === 'Executive') : titles.every(runsCompany)
}
