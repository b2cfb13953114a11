/** A part of a request between two commas, conjunctions or sentences. */
export type Clause = {
  text: string
  /** Describes a person ("someone who owns the budget") instead of naming a title, a level or a department. */
  isDescription: boolean
  /** Introduced by "or" or "and": another person than the one before. */
  isAlternative: boolean
  /** Introduced by "ideally": precedes the other roles of the request. */
  isPreferred: boolean
}

const oneOf = (...patterns: string[]) => `(?:${patterns.join('|')})`
const insensitive = (pattern: string) => new RegExp(pattern, 'i')

const SEPARATOR = oneOf('[,;/?!]', '\\bor\\b', '\\bplus\\b', '\\bas well as\\b')
const SPLIT_AT = insensitive(`\\s*(${SEPARATOR})\\s*`)
const IS_SEPARATOR = insensitive(`^${SEPARATOR}$`)
const ALTERNATIVE = /^(?:or|and|plus|as well as|\/)$/

/** Words that state how certain or strict the request is, and nothing about the person. */
const HEDGE = oneOf(
  'ideally|preferably|prefer|best case|probably|most likely|likely|maybe|perhaps|possibly|presumably|usually|typically',
  'hopefully|e\\.?g\\.?|i\\.?e\\.?|for example|such as|namely',
)
const PREFERRED = /\b(?:ideally|preferably|prefer|best case)\b/i

const PERSON = oneOf(
  'someone|somebody|anyone|anybody|whoever|whomever',
  '(?:the|an?|some|any|another|that) (?:right |best |main |key |senior |same )?' +
    '(?:person|individual|one|guy|man|woman|contact) (?:who|that|in|with|responsible|at|for|to)\\b',
)
/** Verbs that begin a clause about a person named before; those that are also parts of titles need an article. */
const VERB = oneOf(
  'owns?|owning|runs?|running|decid(?:es?|ing)|holds?|holding|makes?|making|signs?|signing|approv(?:es?|ing)',
  'overse(?:es?|eing)|manages|influenc(?:es?|ing)|negotiates?|calls? the shots|pays|cares|knows',
  'works (?:in|on|with|for|at|closely)|(?:looks?|looking) after|tak(?:es?|ing) care',
  '(?:controls?|handles?|heads?|leads?|directs?|buys?|leading|heading|managing|buying) (?:the|their|an?|our|its|all|up)',
  'has|have|having|is|are|can|could|must|should|will|needs? to|able|responsible|in charge|accountable',
  'report(?:s|ing) (?:directly )?to|with|who|whom|whose|that|which',
)
const ADJECTIVE = oneOf(
  'very|really|quite|more|most|real|true|actual|final|ultimate|key|main|top|senior|strong|strategic|good|great|proven',
  'experienced|influential|powerful|hands-?on|technical|high[- ]ranking|business|economic|right|other|another',
)
/** Nouns for decision makers of any department. */
const AUTHORITY = oneOf(
  'decision[- ]?makers?|budget[- ]?(?:holders?|owners?)|economic buyers?|buying (?:committee|cent(?:er|re)|group)',
  'champions?|stakeholders?|sponsors?|signator(?:y|ies)|leaders?|leadership(?: team)?|executives|execs?',
  'management(?: team)?|key people|vips?',
)
const STANDING = 'senior|influential|powerful|experienced|hands-?on|strategic|high[- ]ranking'

const OPENING = insensitive(
  `^${oneOf(
    '(?:he|she|they)\\b',
    '(?:people|persons|folks) (?:who|that|with)\\b',
    `${PERSON}\\b`,
    `${VERB}\\b(?!-)`,
    `(?:(?:the|an?|some|any|${ADJECTIVE})\\s+)*${oneOf(AUTHORITY, STANDING)}(?: only| please)?$`,
  )}`,
)
/** Words before a clause that only join or hedge it: "and ideally", "our champion is the". */
const LEAD_IN = insensitive(
  `^(?:${oneOf("and|but|also|because|since|as|it['’]?s|must be|should be|has to be|needs to be|is|be")}\\s+|${HEDGE}[,:]?\\s+|(?:(?:our|the|their|my)\\s+)?${AUTHORITY}\\s+(?:is|are|would be|should be)\\s+(?=(?:the|an?|our|their)\\b))+`,
)
const ABBREVIATED = oneOf('dir|mgr|sr|jr|exec|asst|dept|eng|mktg|assoc|no|st|dr')
/** Clause boundaries without a comma: "CFO someone who owns the budget", "CFO - owns the budget". */
const UNMARKED = insensitive(
  oneOf(
    `\\s+(?=${PERSON}\\b)`,
    '\\s+(?=(?:ideally|preferably)\\b)',
    `\\s+[-–—]\\s+(?=${oneOf(HEDGE, 'must|he|she|they', PERSON, VERB)}\\b)`,
    ':\\s+',
    '\\s+(?:because|since)\\s+',
    `(?<!\\b${ABBREVIATED})\\.\\s+`,
  ),
)

/** The clauses of a request in order, without the words that only join or hedge. */
export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = []
  let joint = ''
  for (const piece of text.split(SPLIT_AT)) {
    if (IS_SEPARATOR.test(piece)) {
      joint = piece.toLowerCase()
      continue
    }
    for (const [i, part] of piece.split(UNMARKED).entries()) {
      const before = i === 0 ? joint : /\b(?:and|or)$/i.test(clauses.at(-1)?.text ?? '') ? 'and' : ''
      const last = clauses.at(-1)
      if (i > 0 && last) last.text = last.text.replace(/\s+(?:and|or)$/i, '')
      const bare = part.trim().replace(LEAD_IN, '')
      if (bare === '') continue
      clauses.push({
        text: bare,
        isDescription: OPENING.test(bare),
        isAlternative: ALTERNATIVE.test(before) || /^and\b/i.test(part.trim()),
        isPreferred: PREFERRED.test(part.slice(0, part.length - bare.length)),
      })
    }
    joint = ''
  }
  return clauses
}
