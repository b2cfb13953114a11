import { findPersonas } from '../cascade/personas.ts'
import { type Department, readTitle } from '../titles/index.ts'

/** What the workspace sells, as far as ranking needs it. */
export type Offering = {
  /** Signals that the knowledge base names as reasons to buy. */
  signals: ReadonlySet<string>
  /** Departments of the buyers that it names. */
  departments: ReadonlySet<Department>
}

type Section = { type: string; content_md: string }

/** The words by which a knowledge base names a signal. */
const WORDS: readonly [signal: string, words: RegExp][] = [
  [
    'funding',
    /\b(?:funding|fundraising|raised|raising (?:money|capital|a round)|series [a-e]\b|investment round|fresh capital)/i,
  ],
  [
    'leadership_change',
    /\b(?:leadership change|new (?:executive|leader|c-level|ceo|cto|cfo|coo|cro|ciso|cio|chief|head of|vp)|appoint(?:s|ed|ment))/i,
  ],
  [
    'hiring',
    /\b(?:hiring|recruiting (?:for|wave)|job (?:ads|postings|openings)|open (?:positions|roles)|headcount growth|growing (?:its|their|the) team)/i,
  ],
  [
    'expansion',
    /\b(?:expansion|expanding|new (?:office|site|market|plant|country|warehouse|location)s?|international growth)/i,
  ],
  ['acquisition', /\b(?:acquisitions?|mergers?|m&a|acquired|takeovers?)/i],
  ['product_launch', /\b(?:product launch(?:es)?|launch(?:es|ing)? (?:a )?(?:new )?products?|new products?)\b/i],
  ['partnership', /\b(?:new partnerships?|partnership announcements?|alliances?)\b/i],
  [
    'technology_adoption',
    /\b(?:tech(?:nology)? adoption|adopt(?:s|ed|ing)? (?:a )?(?:new )?(?:tool|technology|platform)|(?:uses|running|migrat\w+ to) (?:salesforce|hubspot|sap|aws|azure|kubernetes|snowflake))/i,
  ],
  [
    'customer_win',
    /\b(?:wins? (?:a )?(?:major |large )?(?:customer|contract|tender)s?|customer wins?|new contracts?)\b/i,
  ],
  ['layoffs', /\b(?:layoffs?|redundanc(?:y|ies)|job cuts|restructuring|downsizing|workforce reductions?)\b/i],
  [
    'security_incident',
    /\b(?:security (?:incident|breach)e?s?|data breach(?:es)?|ransomware|cyber ?attacks?|breached)\b/i,
  ],
  ['ipo', /\b(?:ipos?|going public|public listing|initial public offering)\b/i],
]
/** Where a knowledge base says when companies buy; other sections describe the product and mention many things. */
const BUYING_TYPES: ReadonlySet<string> = new Set(['icp', 'persona', 'signals', 'playbook'])
const MAX_CHARS = 50_000

const parsed = new WeakMap<readonly Section[], Offering>()

/** Reads the offering from the knowledge base. Cached by the array, which is a new one after an edit. */
export function readOffering(sections: readonly Section[]): Offering {
  const known = parsed.get(sections)
  if (known) return known
  const text = sections
    .filter(({ type }) => BUYING_TYPES.has(type))
    .map(({ content_md }) => content_md.slice(0, MAX_CHARS))
    .join('\n')
  const departments = findPersonas(sections).map((persona) => readTitle(persona).department)
  const offering: Offering = {
    signals: new Set(WORDS.filter(([, words]) => words.test(text)).map(([signal]) => signal)),
    departments: new Set(departments.filter((department) => department !== 'Other')),
  }
  parsed.set(sections, offering)
  return offering
}
