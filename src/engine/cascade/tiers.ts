import { type Department, JOB_LEVELS, type JobLevel, LEADING_LEVELS } from '../titles/index.ts'
import { JOB_NOUNS } from '../titles/job-nouns.ts'
import departments from './departments.json' with { type: 'json' }
import { fieldAncestors, fieldForDepartment, fieldRoots, findField } from './fields.ts'
import { ALL_LEVELS, isSubfield, type RequestedRole, titleCase } from './roles.ts'
import type { Tier, TierRule } from './types.ts'

/** The names of a department in titles (true synonyms only), and the titles of its heads. */
const FUNCTIONS: Record<Department, { names: string[]; chiefs: string[] }> = departments
const LABELS = ['ideal', 'adjacent', 'fallback'] as const
const MAX_TITLES = 24
const EXECUTIVES = ['ceo', 'founder', 'owner']
const EXECUTIVE_TITLES: Record<string, string[]> = {
  ceo: ['Chief Executive Officer', 'CEO', 'Managing Director', 'President'],
  founder: ['Founder', 'Co-Founder'],
  owner: ['Owner'],
  board: ['Board Member', 'Chair'],
  partner: ['Partner'],
  'chief of staff': ['Chief of Staff'],
}
/** The best known titles of the C-Team, for requests without a department. */
const CHIEFS = [
  'Chief Executive Officer',
  'CEO',
  'Founder',
  'President',
  'Chief Operating Officer',
  'Chief Financial Officer',
  'Managing Director',
]
type Step = { rules: TierRule[]; titles: string[] }
type Steps = [Step, Step, Step]

/** The levels next to the requested one, and the ones after. */
const NEXT: Record<JobLevel, [JobLevel[], JobLevel[]]> = {
  'C-Team': [['VP', 'Director'], ['Manager']],
  VP: [['C-Team', 'Director'], ['Manager']],
  Director: [['C-Team', 'VP', 'Manager'], []],
  Manager: [['Director'], ['C-Team', 'VP']],
  Staff: [['Manager'], ['Director']],
}

/**
 * Builds the tiers; choices that the request names precede those that the compiler adds. `adjacent` roles are in the
 * first tier that the compiler adds.
 */
export function buildTiers(
  choices: readonly RequestedRole[][],
  adjacent: readonly RequestedRole[],
  excluded: readonly JobLevel[],
): Tier[] {
  const [ideal = []] = choices
  const steps = ideal.map(stepsOf)
  const groups: Step[] = choices
    .slice(0, LABELS.length)
    .map((roles, i) => joined((i === 0 ? steps : roles.map(stepsOf)).map(([first]) => first)))
  const own = adjacent.map((role) => stepsOf(role)[0])
  for (const i of [1, 2] as const)
    if (groups.length === i && ideal.length > 0)
      groups.push(joined([...(i === choices.length ? own : []), ...steps.map((step) => step[i])]))
  const seen = new Set<string>()
  const tiers: Tier[] = []
  for (const [i, { rules, titles }] of groups.entries()) {
    const kept = rules
      .map((rule) => ({ ...rule, job_levels: rule.job_levels.filter((level) => !excluded.includes(level)) }))
      .filter(({ job_levels }) => job_levels.length > 0)
    if (kept.length === 0) continue
    const fresh = [...new Set(titles)].filter((title) => !seen.has(title)).slice(0, MAX_TITLES)
    for (const title of fresh) seen.add(title)
    tiers.push({
      tier: tiers.length + 1,
      label: LABELS[i] ?? 'fallback',
      titles: fresh,
      job_levels: JOB_LEVELS.filter((level) => kept.some(({ job_levels }) => job_levels.includes(level))),
      rules: [...new Map(kept.map((rule) => [JSON.stringify(rule), rule])).values()],
    })
  }
  return tiers
}

/** A tier that matches everyone: for a request with only a name, a place or a degree. */
export function createOpenTier(tier: number): Tier {
  return {
    tier,
    label: LABELS[tier - 1] ?? 'fallback',
    titles: [],
    job_levels: ALL_LEVELS,
    rules: [{ job_levels: ALL_LEVELS, department: null, keywords: [] }],
  }
}

const joined = (steps: readonly Step[]): Step => ({
  rules: steps.flatMap(({ rules }) => rules),
  titles: steps.flatMap(({ titles }) => titles),
})

function stepsOf(role: RequestedRole): Steps {
  if (role.fields.length > 0) return fieldSteps(role)
  const { levels, words, title } = role
  const rule = (job_levels: JobLevel[]): TierRule => ({
    job_levels,
    department: null,
    keywords: [],
    ...(words.length > 0 ? { about: { fields: [], words } } : {}),
  })
  if (words.length > 0) {
    const named = title ?? titleCase(words)
    return [
      { rules: [rule(levels)], titles: [named] },
      { rules: [rule(ALL_LEVELS)], titles: [] },
      role.kind === 'doers' ? empty() : top(),
    ]
  }
  if (role.kind === 'leaders')
    return [
      { rules: [rule(['C-Team'])], titles: CHIEFS },
      { rules: [rule(['VP', 'Director'])], titles: [] },
      { rules: [rule(['Manager'])], titles: [] },
    ]
  const isTop = levels.length === 1 && levels[0] === 'C-Team'
  const chiefs = levels.includes('C-Team') ? CHIEFS : []
  return [
    { rules: [rule(levels)], titles: title ? [title, ...chiefs] : chiefs },
    { rules: [rule(isTop ? ['VP'] : levels.includes('Manager') ? ['Director'] : ['Manager'])], titles: [] },
    top(),
  ]
}

const empty = (): Step => ({ rules: [], titles: [] })
const inField = (fields: string[], job_levels: JobLevel[], more: Partial<TierRule> = {}): TierRule => ({
  job_levels,
  department: findField(fields[0] as string).department,
  keywords: [],
  fields,
  ...more,
})
/** The people who run the company. */
const top = (): Step => ({ rules: [inField(EXECUTIVES, ['C-Team'])], titles: FUNCTIONS.Executive.chiefs })

function fieldSteps(role: RequestedRole): Steps {
  const { fields, levels, about, kind, title } = role
  const isAbout = about.fields.length > 0 || about.words.length > 0
  const topic = isAbout ? { about } : {}
  const narrow = fields.some(isSubfield)
  const executive = fields.every((id) => EXECUTIVES.includes(id))
  const [ideal, next, last] = levelsOf(role, narrow)
  const above = [...new Set(fields.flatMap(fieldAncestors))].filter((id) => !fields.includes(id))
  const first: TierRule[] = [inField(fields, ideal, topic)]
  // "HR managers": those of HR precede those of payroll, unless their title also contains HR.
  const isWhole = kind === 'rank' && !isAbout && !narrow && !executive && !levels.includes('C-Team')
  if (isWhole) {
    const words = fields.flatMap(namesOf).map((name) => name.toLowerCase())
    first.splice(
      0,
      1,
      inField(fields, ideal, { whole: true }),
      inField(fields, ideal, { about: { fields: [], words } }),
    )
  }
  const second: TierRule[] = [inField(fields, next), inField(fields, ideal, { loosely: true, ...topic })]
  const third: TierRule[] = [inField(fields, last), inField(fields, [...ideal, ...next], { loosely: true })]
  if (isWhole) second.push(inField(fields, ideal))
  if (isAbout) {
    second.push(inField(fields, ideal, { plain: true }), inField(fields, ALL_LEVELS, { about }))
    third.push(inField(fields, ideal))
  }
  const heads: JobLevel[] = kind === 'rank' && levels[0] === 'Manager' ? ['Director'] : LEADING_LEVELS
  if (above.length > 0) {
    second.push(inField(above, heads, { whole: true }))
    third.push(inField(above, LEADING_LEVELS), inField(above, ['Manager'], { whole: true }))
  }
  const near = executive
    ? ['operations', 'finance']
    : fields.flatMap(fieldRoots).flatMap((id) => findField(id).near.slice(0, 1))
  if (executive) second.push(inField(EXECUTIVES, ['C-Team']))
  if (kind !== 'doers' && near.length > 0)
    third.push(inField([...new Set(near)], executive ? ['C-Team'] : LEADING_LEVELS))
  const wanted = isAbout && title ? [`${title}, ${topicName(role)}`] : title ? [title] : []
  return [
    { rules: first, titles: [...wanted, ...(isAbout ? [] : titlesFor(fields, ideal, title !== null))] },
    {
      rules: second,
      titles: [
        ...(isAbout && title ? [title] : []),
        ...titlesFor(fields, next, false),
        ...titlesFor(above, heads, false),
      ],
    },
    joined([{ rules: third, titles: [] }, kind === 'doers' || executive ? empty() : top()]),
  ]
}

function topicName({ about }: RequestedRole): string {
  return about.fields.length > 0 ? nameOf(about.fields[0] as string) : titleCase(about.words)
}

/** The levels of the three tiers. */
function levelsOf({ kind, levels }: RequestedRole, narrow: boolean): [JobLevel[], JobLevel[], JobLevel[]] {
  if (kind === 'everyone') return [levels, [], []]
  if (kind === 'doers') return [levels, ['Director', 'VP'], ['C-Team']]
  if (kind === 'managers') return narrow ? [levels, [], ['Staff']] : [LEADING_LEVELS, ['Manager'], ['Staff']]
  if (kind === 'leaders') return [levels, ['Manager'], narrow ? ['Staff'] : []]
  const next = JOB_LEVELS.filter(
    (level) => !levels.includes(level) && levels.some((own) => NEXT[own][0].includes(level)),
  )
  const staff: JobLevel[] = narrow && levels.includes('Manager') ? ['Staff'] : []
  const last = JOB_LEVELS.filter((level) => levels.some((own) => NEXT[own][1].includes(level)))
  return [levels, [...next, ...staff], narrow && staff.length === 0 ? [...last, 'Staff'] : last]
}

const nameOf = (id: string) => titleCase(findField(id).name.split(' '))

const isDepartment = (id: string) => fieldForDepartment(findField(id).department) === id
/** The names of a field in titles. */
const namesOf = (id: string) => (isDepartment(id) ? FUNCTIONS[findField(id).department].names : [nameOf(id)])

/** Titles of people in a field. A title in the request needs no additions except those of chiefs. */
function titlesFor(fields: readonly string[], levels: readonly JobLevel[], isNamed: boolean): string[] {
  const titles: string[] = []
  for (const id of fields) {
    const { department } = findField(id)
    const names = namesOf(id)
    // "account executive" is a complete job, so "Head of" does not apply.
    const isJob = !isDepartment(id) && JOB_NOUNS.has(findField(id).name.split(' ').at(-1) ?? '')
    if (isJob || EXECUTIVE_TITLES[id]) {
      titles.push(...(EXECUTIVE_TITLES[id] ?? (levels.includes('Staff') ? names : [])))
      continue
    }
    for (const level of levels) {
      if (level === 'C-Team' && isDepartment(id)) titles.push(...FUNCTIONS[department].chiefs)
      if (isNamed && isSubfield(id)) continue
      for (const name of names) {
        if (level === 'VP') titles.push(`VP of ${name}`)
        else if (level === 'Director') titles.push(`Head of ${name}`, `Director of ${name}`)
        else if (level === 'Manager') titles.push(`${name} Manager`)
      }
    }
  }
  return titles
}
