import { type Department, type JobLevel, readTitle } from '../titles/index.ts'
import { titleWords } from '../titles/words.ts'
import { FUNCTIONS } from './functions.ts'

/** One kind of person a request asks for. `words` are the request's own for the field ("demand generation"). */
export type Role = {
  levels: JobLevel[]
  /** null: any department. */
  department: Department | null
  words: string[]
  title: string | null
}

const LEADERS: JobLevel[] = ['C-Team', 'VP', 'Director']
const EVERYONE: JobLevel[] = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const LEADER_WORDS =
  /\b(?:leaders?|leadership|leads|decision[- ]makers?|heads?|executives?|senior|bosses|budget holders?|whoever|who(?:ever)? (?:runs|leads|owns|heads|manages)|in charge|responsible|runs|running|owns|owning|oversees|overseeing)\b/
const CHIEF_WORDS = /\b(?:c-?level|c-?suite|c-?team|top management|executive team|chiefs)\b/
const FILLER = new Set(
  (
    'whoever who is are runs run leads lead owns own heads manages manage handles handle oversees ' +
    'responsible for in charge of the at with from a an any anyone anybody someone somebody ' +
    'people person persons folks guys staff team teams department decision maker makers leader leaders ' +
    'leadership senior executives at find me get show need want looking ' +
    'we i us please with and or their our function budget holder holders contact contacts best ideally ' +
    'preferably main right to buying running owning overseeing level everything ' +
    'all other that can does do managing their its company companies budget budgets role roles equivalent ' +
    'similar someone ask talk speak reach'
  ).split(' '),
)
/** Plural forms of job words, so that "CTOs" and "sales directors" read like one of them. */
export function singular(word: string): string {
  if (
    /^(?:sales|operations|analytics|logistics|communications|business|devops|revops|success|accounts|systems|partnerships|resources|services|alliances|process|series|facilities|ops)$/.test(
      word,
    )
  )
    return word
  if (/(?:ies)$/.test(word) && word.length > 5) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word
}

const STRONG_LEADERS =
  /\b(?:leaders|leadership|decision[- ]makers?|whoever|budget holders?|economic buyers?|in charge|responsible)\b/
const JOB_ENDING = /(?:er|or|ist|ant|yst|ive|ect|ian)$/

/** "People who …" asks for nobody in the people department. */
const SOMEBODY =
  /\b(?:people|persons?|folks|someone|anyone)\b(?= (?:who|that|in|responsible|with|managing|running|at)\b)/gi

/** Reads one alternative of a request; null when it names neither a level nor a field. */
export function readRole(part: string): Role | null {
  const lower = part.toLowerCase()
  const words = titleWords(part.replace(SOMEBODY, ' '))
    .filter((word) => word !== ',')
    .map(singular)
  if (words.length === 0) return null
  if (lower.includes('chief of staff'))
    return { levels: ['Director'], department: 'Executive', words: ['staff'], title: 'Chief of Staff' }
  if (/\beconomic buyers?\b/.test(lower)) return { levels: LEADERS, department: null, words: [], title: null }
  const { job_level: level, department } = readTitle(words.join(' '))
  const field = words.filter((word) => !FILLER.has(word))
  const own = fieldWords(field, department)
  if (CHIEF_WORDS.test(lower)) {
    const any = department === 'Other' || department === 'Executive'
    return { levels: ['C-Team'], department: any ? null : department, words: [], title: null }
  }
  if (level !== 'Staff' && !STRONG_LEADERS.test(lower)) {
    return { levels: [level], department, words: own, title: titleCase(withoutOpening(words)) }
  }
  if (field.length === 0)
    return LEADER_WORDS.test(lower) ? { levels: LEADERS, department: null, words: [], title: null } : null
  if (department === 'Other') return unknownField(field)
  const namesJob = JOB_ENDING.test(field[field.length - 1] ?? '') && !STRONG_LEADERS.test(lower)
  if (namesJob) return { levels: ['Staff'], department, words: own, title: titleCase(withoutOpening(words)) }
  return { levels: LEADER_WORDS.test(lower) ? LEADERS : EVERYONE, department, words: own, title: null }
}

/** The request's own wording of a title, without "find me the". */
function withoutOpening(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !FILLER.has(word) || word === 'senior' || word === 'lead')
  let end = words.length
  while (end > start + 1 && TRAILING_WORDS.has(words[end - 1] as string)) end--
  return words.slice(Math.max(0, start), end)
}

/** What is left of "at mid-size SaaS" once the company is taken out. */
const TRAILING_WORDS = new Set(['at', 'with', 'in', 'for', 'from', 'of', 'and', 'the', 'a', 'an', 'to'])

/** A field no department knows ("cobol") can still be looked for by its own words. */
function unknownField(field: readonly string[]): Role | null {
  return field.length > 0 && field.length <= 4
    ? { levels: EVERYONE, department: 'Other', words: [...field], title: titleCase(field) }
    : null
}

const LEVEL_WORDS = new Set(
  'vp svp evp avp vice president director head manager chief officer senior junior lead of ceo cfo cto cio ciso cmo cro coo cpo chro cco cdo founder owner partner managing global regional deputy associate supervisor general counsel technical'.split(
    ' ',
  ),
)

/** The words that narrow a department: none when they only name the department itself. */
function fieldWords(field: readonly string[], department: Department): string[] {
  const own = new Set(
    FUNCTIONS[department].names.flatMap((name) => titleWords(name)).concat(department.toLowerCase().split(' ')),
  )
  const narrow = field.filter((word) => !LEVEL_WORDS.has(word) && !own.has(word))
  // a sentence instead of a field: only its words that name one can be looked for in titles
  return narrow.length <= MAX_FIELD_WORDS ? narrow : narrow.filter((word) => readTitle(word).department === department)
}

const MAX_FIELD_WORDS = 3
const ACRONYM =
  /^(?:[csea]?[a-z]?o|vp|svp|evp|avp|rvp|hr|it|ai|ml|bi|qa|pr|seo|crm|erp|ciso|chro|rnd|fpna|ux|ui|sre|sdr|bdr)$/
const SPELLED: Record<string, string> = { rnd: 'R&D', fpna: 'FP&A' }

export function titleCase(words: readonly string[]): string {
  return words
    .map((word) => {
      if (SPELLED[word]) return SPELLED[word]
      if (word === 'of' || word === 'and' || word === 'for') return word
      return ACRONYM.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}
