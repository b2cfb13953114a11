import { type NameForm, nameForms } from './name-forms.ts'
import vocabulary from './words.json' with { type: 'json' }

export { givenNameForms } from './name-forms.ts'

type Rule = {
  build: (form: NameForm) => string
  /** The relative frequency of the pattern among companies, which is an estimate. */
  prior: number
  /** The form of an address with this pattern, for addresses without a known name. */
  shape: RegExp
}

const LETTERS = /^[a-z-]{3,30}$/

const PATTERNS = {
  'first.last': { build: ({ first, last }) => `${first}.${last}`, prior: 0.38, shape: /^[a-z-]{2,20}\.[a-z-]{2,30}$/ },
  flast: { build: ({ first, last }) => `${first.charAt(0)}${last}`, prior: 0.24, shape: LETTERS },
  first: { build: ({ first }) => first, prior: 0.14, shape: LETTERS },
  firstlast: { build: ({ first, last }) => `${first}${last}`, prior: 0.06, shape: LETTERS },
  'f.last': { build: ({ first, last }) => `${first.charAt(0)}.${last}`, prior: 0.05, shape: /^[a-z]\.[a-z-]{2,30}$/ },
  first_last: { build: ({ first, last }) => `${first}_${last}`, prior: 0.03, shape: /^[a-z-]{2,20}_[a-z-]{2,30}$/ },
  firstl: { build: ({ first, last }) => `${first}${last.charAt(0)}`, prior: 0.03, shape: LETTERS },
  last: { build: ({ last }) => last, prior: 0.02, shape: LETTERS },
  'last.first': { build: ({ first, last }) => `${last}.${first}`, prior: 0.02, shape: /^[a-z-]{2,30}\.[a-z-]{2,20}$/ },
  lastf: { build: ({ first, last }) => `${last}${first.charAt(0)}`, prior: 0.02, shape: LETTERS },
  'first.l': { build: ({ first, last }) => `${first}.${last.charAt(0)}`, prior: 0.01, shape: /^[a-z-]{2,20}\.[a-z]$/ },
  'first-last': { build: ({ first, last }) => `${first}-${last}`, prior: 0.01, shape: /^[a-z]{2,20}-[a-z]{2,30}$/ },
  lastfirst: { build: ({ first, last }) => `${last}${first}`, prior: 0.005, shape: LETTERS },
  'last.f': { build: ({ first, last }) => `${last}.${first.charAt(0)}`, prior: 0.005, shape: /^[a-z-]{2,30}\.[a-z]$/ },
} as const satisfies Record<string, Rule>

type Pattern = keyof typeof PATTERNS

export type KnownAddress = { email: string; full_name?: string }
/** `weight` is relative to the other candidates; it is not the probability that the mailbox exists. */
export type EmailCandidate = { email: string; pattern: Pattern; weight: number }

const MAX_KNOWN = 2_000
const MAX_CANDIDATES = 24
/** One known address with a name outweighs the general frequencies. */
const NAMED_EVIDENCE = 8
const SHAPE_EVIDENCE = 1.5

const ROLE_WORDS = new Set(vocabulary.roles.flatMap((line) => line.split(' ')))
const FREE_DOMAINS = new Set(vocabulary.free_domains.flatMap((line) => line.split(' ')))

/** True for shared addresses such as info@ and sales@. */
export function isRoleAddress(email: string): boolean {
  return ROLE_WORDS.has((email.split('@')[0] ?? '').toLowerCase())
}

/** True for addresses at free or disposable email providers. */
export function isFreeAddress(email: string): boolean {
  return FREE_DOMAINS.has((email.split('@')[1] ?? '').toLowerCase())
}

/**
 * Possible addresses of a person at a domain, most likely first. Known addresses at the domain raise the weight of their
 * pattern: exactly when the name is known, by their form otherwise.
 */
export function emailCandidates(
  fullName: string,
  domain: string,
  known: readonly KnownAddress[] = [],
): EmailCandidate[] {
  const host = domain.trim().toLowerCase().replace(/^@/, '')
  const forms = nameForms(fullName)
  if (forms.length === 0 || !/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/.test(host)) return []
  const weights = learnPatterns(known, host)
  const candidates = new Map<string, EmailCandidate>()
  for (const form of forms) {
    for (const pattern of Object.keys(PATTERNS) as Pattern[]) {
      const local = PATTERNS[pattern].build(form)
      if (!local || local.length > 64 || ROLE_WORDS.has(local)) continue
      const email = `${local}@${host}`
      const weight = (weights.get(pattern) ?? 0) * form.weight
      const before = candidates.get(email)
      if (!before || before.weight < weight) candidates.set(email, { email, pattern, weight })
    }
  }
  const ranked = [...candidates.values()].sort((a, b) => b.weight - a.weight || (a.email < b.email ? -1 : 1))
  const kept = ranked.slice(0, MAX_CANDIDATES)
  const total = kept.reduce((sum, { weight }) => sum + weight, 0)
  return kept.map((candidate) => ({ ...candidate, weight: Math.round((candidate.weight / total) * 1000) / 1000 }))
}

/** The weight of each pattern at a domain: its general frequency plus the evidence of the known addresses. */
function learnPatterns(known: readonly KnownAddress[], domain: string): Map<Pattern, number> {
  const weights = new Map(
    (Object.keys(PATTERNS) as Pattern[]).map((pattern) => [pattern, PATTERNS[pattern].prior as number]),
  )
  for (const { email, full_name } of known.slice(0, MAX_KNOWN)) {
    const [local, host] = email.trim().toLowerCase().split('@')
    if (!local || host !== domain || isRoleAddress(email)) continue
    const shown = full_name ? matchPatterns(local, full_name) : []
    if (shown.length > 0) {
      for (const pattern of shown) weights.set(pattern, (weights.get(pattern) ?? 0) + NAMED_EVIDENCE / shown.length)
    } else {
      const fitting = (Object.keys(PATTERNS) as Pattern[]).filter((pattern) => PATTERNS[pattern].shape.test(local))
      const prior = fitting.reduce((sum, pattern) => sum + PATTERNS[pattern].prior, 0)
      for (const pattern of fitting) {
        weights.set(pattern, (weights.get(pattern) ?? 0) + (SHAPE_EVIDENCE * PATTERNS[pattern].prior) / prior)
      }
    }
  }
  return weights
}

/** All local parts that the patterns make of a name. */
export function possibleLocalParts(fullName: string): Set<string> {
  const found = new Set<string>()
  for (const form of nameForms(fullName)) {
    for (const { build } of Object.values(PATTERNS)) found.add(build(form))
  }
  return found
}

/** The patterns that make this local part of the name; empty when none does. */
export function matchPatterns(local: string, fullName: string): Pattern[] {
  const found = new Set<Pattern>()
  for (const form of nameForms(fullName)) {
    for (const pattern of Object.keys(PATTERNS) as Pattern[])
      if (PATTERNS[pattern].build(form) === local) found.add(pattern)
  }
  return [...found]
}
