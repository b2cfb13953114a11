import { type Cascade, compileCascade, matchCascade } from '../../engine/cascade/index.ts'
import type { Tier, TierRule } from '../../engine/cascade/types.ts'
import { JOB_LEVELS, readTitle } from '../../engine/titles/index.ts'
import { titleWords } from '../../engine/titles/words.ts'
import { compileCascadeWithLlm } from '../../providers/llm/cascade.ts'
import { type ProviderParts, type RoleQuery, toProviderDeps } from '../../providers/types.ts'

/** Time limit for the language model, so that the search keeps most of its budget. */
const COMPILE_MS = 15_000
const NOT_BY_MODEL = 'The language model could not be used. The request was parsed without it.'

export const NO_ROLE_MESSAGE =
  'The request names no role, level or department. Name one, for example "CFO" or "head of sales".'

export type CompiledRequest = {
  cascade: Cascade
  /** The role to search for beyond rosters; null when the request names only words, a name or a place. */
  role: RoleQuery | null
  /** Set when a language model is configured but did not compile the request. */
  notice: string | null
}

/** Compiles a request with the language model if one is configured and responds in time, otherwise with the engine. */
export async function compileRequest(
  parts: ProviderParts,
  query: string,
  signal: AbortSignal,
): Promise<CompiledRequest> {
  const { config, log } = parts
  // Leaves most of a short budget for the search.
  const limit = Math.min(COMPILE_MS, (config.FIND_BUDGET_SECONDS * 1000) / 4)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limit)])
  const compiled = await compileCascadeWithLlm(toProviderDeps(parts, bounded), query).catch((err: unknown) => {
    log.warn({ err }, 'the language model did not compile the request for people in time')
    return null
  })
  const isFallback = compiled === null && config.LLM_BASE_URL !== null
  const parsed = parseRequest(query)
  const byModel = compiled && withRole(withoutLevels(compiled, parsed.cascade))
  return { ...(byModel ?? parsed), notice: isFallback ? NOT_BY_MODEL : null }
}

/** Prevents a model from making a whole job level ideal when the request names a title or a department. */
function withoutLevels(compiled: Cascade, parsed: Cascade): Cascade {
  const [ideal, ...others] = compiled.tiers
  if (!ideal || parsed.tiers.length === 0 || parsed.tiers[0]?.rules.some(isLevel)) return compiled
  const rules = ideal.rules.filter((rule) => !isLevel(rule))
  const job_levels = ideal.job_levels.filter((level) => rules.some((rule) => rule.job_levels.includes(level)))
  return { ...compiled, tiers: [{ ...ideal, rules, job_levels }, ...others] }
}

const isLevel = ({ department, keywords, fields, about }: TierRule) =>
  department === null && keywords.length === 0 && !fields && !about

/** Returns tiers in the form of the API. */
export function toTierSummaries(tiers: readonly Tier[]) {
  return tiers.map(({ tier, label, titles, job_levels }) => ({ tier, label, titles, job_levels }))
}

/** Parses a request with the engine, without the language model. */
export function parseRequest(query: string): Omit<CompiledRequest, 'notice'> {
  return withRole(compileCascade(query))
}

function withRole(cascade: Cascade): Omit<CompiledRequest, 'notice'> {
  const [ideal] = cascade.tiers
  if (!ideal) return { cascade, role: null }
  // Words that match no department are only compared with titles, so there are no adjacent roles.
  if (isByWords(ideal)) return { cascade: { ...cascade, tiers: [ideal] }, role: null }
  // Without titles the request names only a name, a place or a degree.
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

/** Returns the roles of the ideal and adjacent tiers; fallbacks are not searched for beyond the roster. */
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
 * Reduces a cascade to its conditions on titles. A title contains no name, degree or place, so those conditions would
 * reject every title; they are applied to the people found.
 */
function titlesOnly({ tiers, exclude }: Cascade): Cascade {
  const { keywords, job_levels, rules = [] } = exclude
  return {
    // A rule that matches every title applies only together with a name or a place.
    tiers: tiers.map((tier) => ({ ...tier, rules: tier.rules.filter((rule) => !matchesEveryTitle(rule)) })),
    geographies: [],
    country_codes: [],
    exclude: { keywords, job_levels, country_codes: [], rules },
    company: { industries: [], employees_min: null, employees_max: null },
  }
}

function matchesEveryTitle(rule: TierRule): boolean {
  return rule.job_levels.length === JOB_LEVELS.length && isLevel(rule)
}

type Titled = Parameters<typeof matchCascade>[1]

/**
 * Returns the tier of a person, or null. The head of the company is adjacent to no function: unless the request asks for
 * them, they are a fallback.
 */
export function tierFor(cascade: Cascade, person: Titled): Tier | null {
  const tier = matchCascade(cascade, person)
  const [ideal] = cascade.tiers
  if (!tier || !ideal || tier.label !== 'adjacent' || !isCompanyHead(person.title ?? '')) return tier
  if (asksForHead(ideal) || isAboutHeads(tier)) return tier
  return cascade.tiers.find(({ label }) => label === 'fallback') ?? null
}

export function isCompanyHead(title: string): boolean {
  const { department, job_level } = readTitle(title)
  return department === 'Executive' && job_level === 'C-Team'
}

function asksForHead({ titles, rules }: Tier): boolean {
  return rules.some(({ department }) => department === null || department === 'Executive') || titles.some(isCompanyHead)
}

/** Whether the request names the head of the company as second choice: "VP Sales, otherwise the CEO". */
function isAboutHeads({ titles, rules }: Tier): boolean {
  return rules.length > 0 ? rules.every(({ department }) => department === 'Executive') : titles.every(isCompanyHead)
}
