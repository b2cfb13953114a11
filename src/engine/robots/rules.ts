import robotsParser from 'robots-parser'

/** What robots.txt says about an origin. Without an answer nobody knows what is allowed, so nothing is read. */
export type Robots =
  | { known: true; allows: (url: string) => boolean; sitemaps: string[]; delayMs: number }
  | { known: false; reason: string }

const USER_AGENT = 'bellwether'
/** Sites that ask for minutes between two requests would never be read to the end. */
const MAX_DELAY_MS = 10_000
/** Every page is held against every rule. Large sites have some hundred; one with more is left alone. */
const MAX_RULES = 3_000
/** Each wildcard goes through the whole path, which may be long. */
const MAX_WILDCARDS = 20
/** A rule longer than this is none that anybody wrote. */
const MAX_RULE_CHARS = 2_000
/** Rules and wildcards, times the characters of an address: so many are tried within some milliseconds. */
const MAX_STEPS = 2_000_000
const MAX_SITEMAPS = 20

export const OPEN: Robots = { known: true, allows: () => true, sitemaps: [], delayMs: 0 }

// Its types describe an ES module, but it is a function.
const parse = robotsParser as unknown as typeof robotsParser.default

/** The rules of a robots.txt, and how many characters of it they take. */
export function readRules(url: string, text: string): { robots: Robots; chars: number } {
  return rulesOf(url, linesForUs(text))
}

/** The rules that lines of `linesForUs` make. */
export function rulesOf(url: string, lines: readonly string[] | null): { robots: Robots; chars: number } {
  if (!lines) return { robots: { known: false, reason: 'The robots.txt of the site has too many rules.' }, chars: 0 }
  if (lines.length === 0) return { robots: OPEN, chars: 0 }
  const kept = lines.join('\n')
  const rules = parse(url, kept)
  const weight = lines.reduce((sum, line) => sum + line.split('*').length, 0)
  const delay = rules.getCrawlDelay(USER_AGENT) ?? 0
  const robots: Robots = {
    known: true,
    // What would take too long to find out is taken for forbidden.
    allows: (page) => weight * page.length <= MAX_STEPS && (rules.isAllowed(page, USER_AGENT) ?? true),
    sitemaps: rules.getSitemaps(),
    delayMs: Number.isFinite(delay) && delay > 0 ? Math.min(delay * 1000, MAX_DELAY_MS) : 0,
  }
  return { robots, chars: kept.length }
}

/**
 * What a robots.txt says to us or to everybody; null when that is too much. The parser keeps each rule once for every
 * name of its group, which a file of half a megabyte can make hundreds of millions.
 */
export function linesForUs(text: string): string[] | null {
  const kept: string[] = []
  let group = new Set<string>()
  let isNaming = false
  let rules = 0
  let sitemaps = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^[ \t]*([a-z-]{1,20})[ \t]*:([^#]*)/i.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === '') continue
    if (name === 'user-agent') {
      if (!isNaming) group = new Set()
      isNaming = true
      const agent = value.toLowerCase().split('/', 1)[0]?.trim() ?? ''
      if (agent === '*' || agent === USER_AGENT) group.add(agent)
      continue
    }
    // The names are written when their group begins to say something.
    const begins = isNaming && group.size > 0
    isNaming = false
    if (begins) kept.push('-:', ...[...group].map((agent) => `user-agent: ${agent}`))
    if (name === 'sitemap') {
      if (sitemaps++ < MAX_SITEMAPS) kept.push(`sitemap:${value}`)
    } else if (/^(?:allow|disallow|crawl-delay)$/.test(name) && group.size > 0) {
      if (++rules > MAX_RULES || value.length > MAX_RULE_CHARS) return null
      kept.push(`${name}:${value.trim().split('*').slice(0, MAX_WILDCARDS).join('*')}`)
    }
  }
  return kept
}
