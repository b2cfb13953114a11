import { foldText } from '../text/fold.ts'
import { JOB_LEVELS, type JobLevel, readTitle } from '../titles/index.ts'
import { translateTitleWords } from '../titles/languages.ts'
import {
  EXECUTIVE_FIELDS,
  fieldForDepartment,
  fieldRoots,
  findFieldMentions,
  isFieldWithin,
  singularize,
  tokenizeTitle,
} from './fields.ts'

/** What is known of a person; only the title is required. */
export type TitledPerson = {
  title: string | null
  country_code?: string | null
  full_name?: string | null
  headline?: string | null
  location?: string | null
}

export type PersonTraits = {
  level: JobLevel
  /** The fields of the title, or of a headline that explains it. */
  fields: string[]
  /** Other fields in title and headline: those a recruiter hires for, or those next to a marketing intern. */
  mentioned: string[]
  /** Title and headline as space-separated words. */
  text: string
  /** The title alone, in the original and in English. */
  title: string
}

/** Jobs that serve a field without being part of it: a recruiter of engineers is not an engineer. */
const SERVING = ['intern', 'assistant', 'recruiting']
const LEVEL_WORDS =
  /\b(?:head|director|manager|lead|chief|officer|vp|svp|evp|avp|president|supervisor|engineer|recruiter|specialist|analyst|partner|counsel|coordinator|[a-z]?c[a-z]{1,2}o|representative|consultant|developer|designer|accountant|advisor|executive|administrator|technician|associate|clerk|agent|controller|scientist|buyer|planner|founder|owner|intern|assistant)\b/
/** An officer of these fields is responsible for all of it at the company, and so is a counsel. */
const RESPONSIBLE = ['privacy', 'compliance', 'safety', 'procurement', 'sustainability']

export function parsePersonTraits(person: TitledPerson): PersonTraits {
  const written = tokenizeTitle(person.title ?? '')
  const own = translateTitleWords(written)
  const headline = translateTitleWords(tokenizeTitle(person.headline ?? ''))
  const english = own.words.join(' ')
  const reading = readTitle(english)
  let level = reading.job_level
  let { primary, secondary } = fieldsOf(english, reading.department)
  const mentioned = findFieldMentions(headline.words.map(singularize)).flatMap(({ fields }) => fields)
  const isUnclear = own.isForeign || (primary.length === 0 && level === 'Staff')
  if (isUnclear && isTitle(headline.words)) {
    const explained = readTitle(headline.words.join(' '))
    if (rank(explained.job_level) < rank(level)) level = explained.job_level
    if (primary.length === 0) primary = fieldsOf(headline.words.join(' '), explained.department).primary
  }
  if (level === 'Staff' && isResponsible(english, primary)) level = 'Manager'
  // Executives count for the whole company, whatever it makes.
  const isExecutive = primary.length > 0 && primary.every((id) => EXECUTIVE_FIELDS.includes(id))
  const others = isExecutive ? secondary : [...secondary, ...mentioned]
  const roots = new Set(primary.flatMap(fieldRoots))
  const near = others.filter((id) => primary.length === 0 || fieldRoots(id).some((root) => roots.has(root)))
  secondary = others.filter((id) => !near.includes(id))
  const title = own.words.map(singularize)
  const plain = written.map(singularize)
  const both = [
    ...new Set([
      title.join(' '),
      plain.join(' '),
      headline.words.map(singularize).join(' '),
      foldText(person.headline ?? ''),
    ]),
  ]
  return {
    level,
    fields: [...new Set([...primary, ...near])],
    mentioned: [...new Set(secondary)],
    text: ` ${both.join(' , ')} `,
    title: ` ${plain.join(' ')} , ${title.join(' ')} `,
  }
}

function isResponsible(english: string, fields: readonly string[]): boolean {
  if (/\bcounsel\b/.test(english)) return true
  return /\bofficer\b/.test(english) && fields.some((id) => RESPONSIBLE.some((known) => isFieldWithin(id, known)))
}

const rank = (level: JobLevel) => JOB_LEVELS.indexOf(level)

/**
 * The parts of a title that name the job define the field; other parts ("…, Sales & Marketing") are mentioned fields.
 */
function fieldsOf(english: string, department: ReturnType<typeof readTitle>['department']) {
  const cut = english.replace(/\b(assistant|secretary|ea|pa)\b(?: (?:to|of|for)\b.*)/, '$1')
  const parts = cut.split(/\s*(?:,|\(|\))\s*/).filter((part) => part.trim() !== '')
  const read = parts.map((part) => {
    const mentions = findFieldMentions(part.split(' ').map(singularize))
    return { namesJob: LEVEL_WORDS.test(part), fields: mentions.flatMap(({ fields }) => fields) }
  })
  const all = read.flatMap(({ fields }) => fields)
  const serving = all.filter((id) => SERVING.some((known) => isFieldWithin(id, known)))
  if (serving.length > 0) return { primary: serving, secondary: all.filter((id) => !serving.includes(id)) }
  let primary = read.filter(({ namesJob }) => namesJob).flatMap(({ fields }) => fields)
  const special = primary.filter((id) => !EXECUTIVE_FIELDS.includes(id))
  if (
    special.length === 0 &&
    all.some((id) => !EXECUTIVE_FIELDS.includes(id)) &&
    !/\b(?:ceo|founder|owner|managing director|president)\b/.test(cut)
  )
    primary = all
  else if (primary.length === 0) primary = all
  // "Vorstand Finanzen", "Partner, Tax": a named field replaces the rank; a founder stays a founder.
  const kept = primary.filter((id) => id !== 'partner' && id !== 'ceo' && id !== 'board')
  if (kept.length > 0 && !/\b(?:ceo|chief executive|president|managing director|general manager|chair)\b/.test(cut))
    primary = kept
  if (primary.length === 0) {
    const field = fieldForDepartment(department)
    return { primary: field ? [field] : [], secondary: [] }
  }
  return { primary, secondary: all.filter((id) => !primary.includes(id)) }
}

/** Whether a headline is itself a title: "Head of Human Resources", "CFO". */
function isTitle(words: readonly string[]): boolean {
  const text = words.join(' ')
  return (
    words.length > 0 &&
    words.length <= 8 &&
    !/\b(?:former|ex|aspiring|retired|assistant|helping|building|hiring)\b/.test(text)
  )
}
