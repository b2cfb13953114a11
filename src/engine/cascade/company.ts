/** What a request states about the companies; informational only, because accounts are selected elsewhere. */
export type CompanyTraits = { industries: string[]; employees_min: number | null; employees_max: number | null }

const SIZES: [RegExp, number | null, number | null][] = [
  [/\b(?:mid[- ]?(?:size|sized|market)|medium[- ]sized?)\b/, 51, 1000],
  [
    /\b(?:enterprise|large|big) (?:companies|company|accounts|businesses|firms|organisations|organizations)\b/,
    1001,
    null,
  ],
  [/\b(?:small (?:business|businesses|companies|firms)|smbs?|smes?)\b/, 1, 200],
  [/\b(?:early[- ]stage|seed[- ]stage|start-?ups?)\b/, 1, 50],
  [/\bscale-?ups?\b/, 51, 500],
]
const INDUSTRIES =
  /\b(?:b2b |b2c )?(saas|fintech|healthtech|biotech|edtech|insurtech|proptech|medtech|cleantech|e-?commerce|software|healthcare|manufacturing|logistics|retail|banking|insurance|telecoms?|energy|pharma(?:ceuticals?)?|construction|hospitality|automotive|aerospace|non-?profits?|government|gaming|media|cybersecurity) (?:companies|company|startups?|firms?|businesses|vendors?|accounts|organi[sz]ations?|industry|sector|space)\b|\b(saas|fintech|healthtech|biotech|edtech|insurtech|proptech|medtech|cleantech)\b/g
const RANGE = /\b(\d{1,6})\s?(?:-|–|to)\s?(\d{1,6}) (?:employees|people|staff|fte)\b/
const OVER =
  /\b(?:over|more than|at least|above) (\d{1,6}) (?:employees|people|staff)\b|\b(\d{1,6})\+ (?:employees|people|staff)\b/
const UNDER = /\b(?:under|fewer than|less than|up to|at most|below) (\d{1,6}) (?:employees|people|staff)\b/
/** Funding stages and experience: neither is part of a title. */
const NOT_IN_TITLES = /\bseries [a-f]\b|\bpre-?seed\b|\bwith [^,;.]{1,40}\b(?:experience|background|skills)\b/gi
const PLACE_WORDS = /\b(?:at|in|for|from|of)\s+(?:a\s+|an\s+|the\s+)?(?=$|[,.;])/g

/** Extracts sizes and industries from a request, so that "at mid-size SaaS" is not parsed as a job. */
export function extractCompanyTraits(query: string): { traits: CompanyTraits; rest: string } {
  const traits: CompanyTraits = { industries: [], employees_min: null, employees_max: null }
  let rest = query
  const cut = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest.toLowerCase())
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    return match
  }
  const range = cut(RANGE)
  const over = range ? null : cut(OVER)
  const under = range ? null : cut(UNDER)
  if (range) Object.assign(traits, { employees_min: Number(range[1]), employees_max: Number(range[2]) })
  if (over) traits.employees_min = Number(over[1] ?? over[2])
  if (under) traits.employees_max = Number(under[1])
  for (const match of rest.toLowerCase().matchAll(INDUSTRIES)) {
    const industry = match[1] ?? match[2]
    if (industry && !traits.industries.includes(industry)) traits.industries.push(industry)
  }
  for (const industry of traits.industries) cut(new RegExp(`\\b(?:b2b |b2c )?${industry}\\b`))
  for (const [pattern, min, max] of SIZES) {
    if (!cut(pattern) || range || over || under) continue
    traits.employees_min = min
    traits.employees_max = max
  }
  rest = rest.replace(
    /\b(?:b2b|b2c|companies|company|startups?|firms?|businesses|organi[sz]ations?|industry|sector)\b/gi,
    ' ',
  )
  rest = rest.replace(NOT_IN_TITLES, ' ')
  rest = rest
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;])/g, '$1')
    .replace(PLACE_WORDS, '')
  return { traits, rest: rest.trim() }
}
