import { type Department, JOB_LEVELS, type JobLevel } from '../titles/index.ts'
import { takeCompany } from './company.ts'
import { FUNCTIONS } from './functions.ts'
import { takeGeographies } from './geographies.ts'
import { type Role, readRole, singular, titleCase } from './roles.ts'
import type { Cascade, Rule, Tier } from './types.ts'

export { matchCascade } from './match.ts'
export type { Cascade } from './types.ts'

const MAX_QUERY_CHARS = 1_000
const LABELS = ['ideal', 'adjacent', 'fallback'] as const
const EXCLUDING =
  /\b(?:but not|but no|no|not|without|except(?: for)?|excluding|exclude|avoid|skip|ignore|never|don't want|do not want)\b/
/** Words that open a second or third choice rather than an equal one. */
const SECOND_CHOICE =
  /(?:,|;|\.)?\s*\b(?:otherwise|failing that|if (?:not|none|that fails|there is none|there are none|unavailable|missing)(?: (?:available|found|there|possible))?,?|fallback|backup|then|else|or else|as a (?:fallback|backup)|fall(?:ing)? back (?:to|on)|second choice|alternatively|next best)\b:?/

/**
 * Compiles a plain-English request into tiers: the ideal role as asked, adjacent roles one step away, and whom to ask
 * when neither is there. Second choices the request names itself come before those the compiler adds.
 */
export function compileCascade(query: string): Cascade {
  const original = query
    .slice(0, MAX_QUERY_CHARS)
    .replace(/[()[\]"“”]/g, ' , ')
    .replace(/\s+/g, ' ')
  const upward = OR_ABOVE.test(original)
  const { wanted, unwanted } = splitExclusions(original.replace(OR_ABOVE, ' '))
  const company = takeCompany(wanted)
  const exclude: Cascade['exclude'] = { keywords: [], job_levels: [], country_codes: [] }
  for (const phrase of unwanted) readExclusion(phrase, exclude)

  const geographies: string[] = []
  const codes: string[] = []
  const choices = company.rest.split(SECOND_CHOICE).map((choice) => {
    const { found, rest } = takeGeographies(
      choice
        .toLowerCase()
        .replaceAll('.', '')
        .replace(/([,;/])/g, ' $1 ')
        .split(/\s+/)
        .filter(Boolean),
      original,
    )
    for (const { name, codes: found_codes } of found) {
      if (!geographies.includes(name)) geographies.push(name)
      for (const code of found_codes) if (!codes.includes(code)) codes.push(code)
    }
    return splitRoles(rest.join(' '))
  })
  const asked = choices.filter((roles) => roles.length > 0).map((roles) => (upward ? roles.map(withAbove) : roles))
  return {
    tiers: buildTiers(asked, exclude.job_levels),
    geographies,
    country_codes: codes,
    exclude,
    company: company.traits,
  }
}

const OR_ABOVE = /\b(?:or|and) (?:above|higher|up|more senior)\b/i

/** "Managers or above": every level from the lowest asked for upwards. */
function withAbove(role: Role): Role {
  const lowest = Math.max(...role.levels.map((level) => JOB_LEVELS.indexOf(level)))
  return { ...role, levels: JOB_LEVELS.slice(0, lowest + 1) }
}

function splitExclusions(query: string): { wanted: string; unwanted: string[] } {
  const unwanted: string[] = []
  let wanted = ''
  let rest = query
  for (let i = 0; i < 10; i++) {
    const match = EXCLUDING.exec(rest.toLowerCase())
    if (!match) break
    // "if not available" and "not only" exclude nothing
    if (
      /\bif $/.test(rest.slice(0, match.index).toLowerCase()) ||
      /^not (?:only|just|necessarily)\b/.test(rest.slice(match.index).toLowerCase())
    ) {
      wanted += rest.slice(0, match.index + match[0].length)
      rest = rest.slice(match.index + match[0].length)
      continue
    }
    wanted += rest.slice(0, match.index)
    const tail = rest.slice(match.index + match[0].length)
    const stop = tail.search(/[;.]|, (?!(?:and|or|no|nor)\b)| but | at | who | with /)
    const end = stop < 0 ? tail.length : stop
    unwanted.push(tail.slice(0, end))
    rest = tail.slice(end)
  }
  return { wanted: wanted + rest, unwanted }
}

function readExclusion(phrase: string, exclude: Cascade['exclude']): void {
  const { found, rest } = takeGeographies(
    phrase
      .toLowerCase()
      .replaceAll('.', '')
      .replace(/([,;/])/g, ' $1 ')
      .split(/\s+/)
      .filter(Boolean),
    phrase,
  )
  for (const { codes } of found) exclude.country_codes.push(...codes)
  for (const part of rest.join(' ').split(/\s*(?:,|\/|\bor\b|\band\b|\bnor\b|\bno\b)\s*/)) {
    const words = part
      .split(/\s+/)
      .filter(
        (word) => word !== '' && !/^(?:any|the|a|an|in|people|please|of|anyone|just|level|below|junior)$/.test(word),
      )
      .map(singular)
    if (/\bjunior\b/.test(part)) exclude.keywords.push('junior')
    if (words.length === 0) continue
    const level = JOB_LEVELS.find(
      (known) =>
        singular(known.toLowerCase()) === words.join(' ') ||
        (known === 'Staff' && words.join(' ') === 'individual contributor'),
    )
    if (level) exclude.job_levels.push(level)
    else exclude.keywords.push(words.join(' '))
  }
}

function splitRoles(text: string): Role[] {
  const roles: Role[] = []
  for (const part of text.split(/\s*(?:,|;|\/|\bor\b|\bplus\b|\bas well as\b)\s*/)) {
    if (part.trim() === '') continue
    // "CTO and CISO" asks for two people, "Sales and Marketing Director" for one
    const halves = part.split(/\s+(?:and|&)\s+/).map(readRole)
    const both =
      halves.length > 1 && halves.every((half) => half !== null && (half.title !== null || half.levels.length < 5))
    for (const role of both ? halves : [readRole(part)]) if (role) roles.push(role)
  }
  return roles
}

function buildTiers(choices: readonly Role[][], excluded: readonly JobLevel[]): Tier[] {
  const ideal = choices[0] ?? []
  const groups = choices.slice(0, LABELS.length).map((roles) => [...roles])
  if (ideal.length > 0 && groups.length < 2) groups.push(ideal.flatMap(adjacent))
  if (ideal.length > 0 && groups.length < 3) groups.push(ideal.flatMap(fallback))
  const seen = new Set<string>()
  const tiers: Tier[] = []
  for (const [i, group] of groups.entries()) {
    const roles = group
      .map((role) => ({ ...role, levels: role.levels.filter((level) => !excluded.includes(level)) }))
      .filter((role) => role.levels.length > 0)
    if (roles.length === 0) continue
    const titles = [...new Set(roles.flatMap(titlesFor))].filter((title) => !seen.has(title)).slice(0, MAX_TITLES)
    for (const title of titles) seen.add(title)
    tiers.push({
      tier: tiers.length + 1,
      label: LABELS[i] ?? 'fallback',
      titles,
      job_levels: JOB_LEVELS.filter((level) => roles.some((role) => role.levels.includes(level))),
      rules: rulesOf(roles),
    })
  }
  return tiers
}

function rulesOf(roles: readonly Role[]): Rule[] {
  const rules = new Map<string, Rule>()
  for (const { levels, department, words } of roles) {
    const rule: Rule = { job_levels: levels, department, keywords: words }
    rules.set(JSON.stringify(rule), rule)
  }
  return [...rules.values()]
}

const MAX_TITLES = 24
const ANY_CHIEF = [
  'Chief Executive Officer',
  'CEO',
  'Founder',
  'President',
  'Chief Operating Officer',
  'Chief Financial Officer',
  'Managing Director',
]

/** Titles people with such a role carry. */
function titlesFor({ levels, department, words, title }: Role): string[] {
  const titles = title ? [title] : []
  if (department === null) return levels.includes('C-Team') ? [...titles, ...ANY_CHIEF] : titles
  if (department === 'Executive' && title && !levels.includes('C-Team')) return titles
  const { names, chiefs } = FUNCTIONS[department]
  const fields = words.length > 0 ? [titleCase(words)] : names
  for (const level of levels) {
    if (level === 'C-Team' && words.length === 0) titles.push(...chiefs)
    for (const field of title && words.length > 0 ? [] : fields) {
      if (level === 'VP') titles.push(`VP of ${field}`, `SVP ${field}`)
      else if (level === 'Director') titles.push(`Director of ${field}`, `Head of ${field}`)
      else if (level === 'Manager') titles.push(`${field} Manager`)
    }
  }
  return titles
}

const ABOVE: Record<JobLevel, JobLevel[]> = {
  'C-Team': ['VP'],
  VP: ['C-Team', 'Director'],
  Director: ['VP', 'Manager'],
  Manager: ['Director'],
  Staff: ['Manager'],
}

const group = (department: Department | null, levels: JobLevel[]): Role => ({
  levels,
  department,
  words: [],
  title: null,
})

/** One step up or down in the same department, and the whole department where the request was narrower. */
function adjacent({ department, levels, words }: Role): Role[] {
  if (department === null) return [group(null, levels.includes('C-Team') && levels.length === 1 ? ['VP'] : ['Manager'])]
  if (department === 'Executive' || department === 'Other') {
    return FUNCTIONS[department].neighbours.map((near) => group(near, ['C-Team']))
  }
  const steps = JOB_LEVELS.filter(
    (level) => !levels.includes(level) && levels.some((own) => ABOVE[own].includes(level)),
  )
  const same = words.length > 0 ? [...levels, ...steps] : steps
  if (same.length > 0) return [group(department, same)]
  return FUNCTIONS[department].neighbours.map((near) => group(near, ['C-Team', 'VP']))
}

/** The managers of the department, the leaders of the one next to it, and whoever runs the company. */
function fallback({ department, levels }: Role): Role[] {
  const top = group('Executive', ['C-Team'])
  if (department === null) return [top]
  const near = FUNCTIONS[department].neighbours.slice(0, 1).map((other) => group(other, ['C-Team', 'VP']))
  const led = levels.includes('VP') || levels.includes('Director')
  return led && department !== 'Executive' ? [group(department, ['Manager']), ...near, top] : [...near, top]
}
