/** The robots.txt of an origin. When it could not be fetched, nothing is allowed. */
export type Robots =
  | { known: true; allows: (url: string) => boolean; sitemaps: string[]; delayMs: number }
  | { known: false; reason: string }

const USER_AGENT = 'bellwether'
/** Longer crawl delays are cut to this, because a site with minutes between requests could not be read completely. */
const MAX_DELAY_MS = 10_000
/** Every URL is compared with every rule. Large sites have some hundred rules; a site with more than this is not crawled. */
const MAX_RULES = 3_000
/** Of all rules together: the texts between wildcards, each of which is searched in the URL. */
const MAX_PARTS = 20_000
/** A longer path counts as forbidden where there are rules: escaping makes a URL nine times as long. */
const MAX_PATH_CHARS = 4_000
const MAX_SITEMAPS = 20

export const ALLOW_ALL: Robots = { known: true, allows: () => true, sitemaps: [], delayMs: 0 }

/** `parts` are the texts between the wildcards of a path; `isWhole`: the path must end with the last part. */
type Rule = { isAllowed: boolean; length: number; parts: string[]; isWhole: boolean }
/** The rules for one user agent. */
type Group = { rules: Rule[]; delay: number; chars: number }

/** The group of a robots.txt (RFC 9309) for this crawler, or for `*`, as plain data that can be sent between threads. */
export type RobotsFile = Group & { sitemaps: string[] }

/** Parses a robots.txt; `chars` is the size of its rules. */
export function parseRobots(url: string, text: string): { robots: Robots; chars: number } {
  return compileRobots(url, parseRobotsFile(text))
}

/** Null when the file has too many rules. */
export function parseRobotsFile(text: string): RobotsFile | null {
  const read = groupsForUs(text)
  if (!read) return null
  const { groups, sitemaps } = read
  return { ...(groups.get(USER_AGENT) ?? groups.get('*') ?? { rules: [], delay: 0, chars: 0 }), sitemaps }
}

/** Makes the function that checks URLs of the origin against the rules. */
export function compileRobots(url: string, file: RobotsFile | null): { robots: Robots; chars: number } {
  if (!file) return { robots: { known: false, reason: 'The robots.txt of the site has too many rules.' }, chars: 0 }
  const { rules, delay, chars, sitemaps } = file
  if (rules.length === 0 && delay === 0 && sitemaps.length === 0) return { robots: ALLOW_ALL, chars: 0 }
  const origin = URL.parse(url)?.origin
  const robots: Robots = {
    known: true,
    allows: (page) => {
      const target = URL.parse(page)
      return target?.origin !== origin || isAllowed(upperCaseEscapes(`${target?.pathname}${target?.search}`), rules)
    },
    sitemaps,
    delayMs: Number.isFinite(delay) && delay > 0 ? Math.min(delay * 1000, MAX_DELAY_MS) : 0,
  }
  return { robots, chars: chars + sitemaps.join('').length }
}

/** The groups for this crawler and for `*`; null when they have too many rules. */
function groupsForUs(text: string): { groups: Map<string, Group>; sitemaps: string[] } | null {
  const groups = new Map<string, Group>()
  const sitemaps: string[] = []
  let names = new Set<string>()
  let isNaming = false
  let rules = 0
  let parts = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', written = ''] = /^[ \t]*([a-z-]{1,20})[ \t]*:([^#]*)/i.exec(line) ?? []
    const name = field.toLowerCase()
    const value = written.trim()
    if (name === '') continue
    if (name === 'user-agent') {
      if (!isNaming) names = new Set()
      isNaming = true
      const agent = value.toLowerCase().split('/', 1)[0]?.trim() ?? ''
      if (agent === '*' || agent === USER_AGENT) names.add(agent)
      continue
    }
    isNaming = false
    if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value)
    } else if (name === 'crawl-delay') {
      const delay = Number(value)
      for (const group of namedGroups(groups, names)) if (!Number.isNaN(delay)) group.delay = delay
    } else if ((name === 'allow' || name === 'disallow') && names.size > 0) {
      const rule = readRule(value, name === 'allow')
      parts += rule.parts.length
      if (++rules > MAX_RULES || parts > MAX_PARTS) return null
      for (const group of namedGroups(groups, names)) {
        if (value === '') continue
        group.rules.push(rule)
        group.chars += rule.length
      }
    }
  }
  return { groups, sitemaps }
}

function namedGroups(groups: Map<string, Group>, names: ReadonlySet<string>): Group[] {
  return [...names].map((name) => {
    const group = groups.get(name) ?? { rules: [], delay: 0, chars: 0 }
    groups.set(name, group)
    return group
  })
}

/** `*` matches any text, a final `$` the end of the path; non-ASCII letters are compared percent-encoded. */
function readRule(value: string, isAllowed: boolean): Rule {
  const path = upperCaseEscapes(encodeURI(value.toWellFormed()).replaceAll('%25', '%'))
  const isWhole = path.endsWith('$')
  return { isAllowed, length: path.length, parts: (isWhole ? path.slice(0, -1) : path).split(/\*+/), isWhole }
}

const upperCaseEscapes = (path: string) => path.replace(/%[0-9a-f]{2}/gi, (letter) => letter.toUpperCase())

/** The longest matching rule decides; of two equally long ones, the one that allows. */
function isAllowed(path: string, rules: readonly Rule[]): boolean {
  if (path.length > MAX_PATH_CHARS && rules.length > 0) return false
  let best: Rule | null = null
  for (const rule of rules) {
    const isBetter = !best || rule.length > best.length || (rule.length === best.length && rule.isAllowed)
    if (isBetter && fits(path, rule)) best = rule
  }
  return best?.isAllowed ?? true
}

/** Greedy matching: each part is matched at its first position after the previous one, which is never worse than a later one. */
function fits(path: string, { parts, isWhole }: Rule): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  const last = isWhole ? rest.pop() : undefined
  let at = first.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}
