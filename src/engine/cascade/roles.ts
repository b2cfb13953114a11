import { JOB_LEVELS, type JobLevel, readTitle } from '../titles/index.ts'
import { ancestorsOf, isWithin, type Mention, mentionsIn, singular, wordsOf } from './fields.ts'
import { FILLERS } from './fillers.ts'
import { translate } from './languages.ts'
import type { Topic } from './types.ts'
import { correct, isJobWord } from './typos.ts'

/** One kind of person a request asks for. */
export type Role = {
  levels: JobLevel[]
  /** Any of them; none: any field. */
  fields: string[]
  /** Words to be looked for where no field is known: "vegetation supervisor". */
  words: string[]
  /** What they are to have to do with besides. */
  about: Topic
  title: string | null
  /** Whoever is at the top of it, or anybody who does it. */
  kind: 'rank' | 'leaders' | 'managers' | 'everyone' | 'doers'
}

const LEADERS: JobLevel[] = ['C-Team', 'VP', 'Director']
const MANAGERS: JobLevel[] = [...LEADERS, 'Manager']
export const EVERYONE: JobLevel[] = [...JOB_LEVELS]
const CHIEFS = /\b(?:c[- ]?levels?|c[- ]?suite|c[- ]?team|top management|executive team|chiefs|chief officers|cxos?|top executives)\b/i
const MOST_SENIOR = /\b(?:most senior|highest[- ]ranking|highest|top (?:person|guy|boss|man|woman|dog)|top-level|number one|no\. ?1)\b/i
const LEADING =
  /\b(?:leaders?|leadership|leads|decision[- ]?makers?|decides?|deciding|bosses|budget holders?|budget owners?|economic buyers?|has the (?:final )?say|final say|calls? the shots|approv\w+|signs? off|owns?|owning|heads?|heading|oversees?|overseeing|directs|controls?|holds? the budget|executives|management|chooses?|picks|selects?|key people|vips?|signs|purse strings|in command|evaluates?)\b/i
const MANAGING =
  /\b(?:whoever|runs?|running|manages?|managing|responsible|responsibility|in charge|looks? after|looking after|tak(?:es?|ing) care|handles?|handling|organi[sz]\w+|coordinates?|supervis\w+|deals? with|dealing with|keeps?|maintains?|sees to|accountable|(?:talk|speak|turn|go|write|reach out|pitch|sell) to|contact(?: person)? for|right (?:person|contact))\b/i
const BOSS = /\b(?:boss|(?:runs?|leads?|heads?|owns?|manages?|running|leading) (?:the |this |that |their |your )?(?:whole |entire )?(?:company|business|firm|place|show|shop|organi[sz]ation|bank|hospital|university|airline|hotel|agency|group)|in charge(?: there| here| overall)?\s*[?.!]*$|(?:top|number one) (?:person|guy|dog|man|woman|boss)\s*(?:there|here)?\s*[?.!]*$|big cheese|head honcho|(?:in charge|head) of (?:the |this )?(?:whole |entire )?(?:company|business|firm|everything))/i
/** "People who …" asks for nobody in the people department, and "people in marketing" neither. */
const SOMEBODY =
  /\b(?:people|persons?|ppl|folks?|guys?|someone|somebody|anyone|anybody|everyone|everybody|professionals?|experts?|employees'?|staff|workers?|(?:team )?members?|contacts?|colleagues)\b/gi
const PEOPLE_DEPARTMENT = /\b(?:head|vp|director|chief|manager|lead|president|svp|of|and|&) (?:of )?people\b(?! (?:who|that|in|at|with|from|working|named|called))|\bpeople (?:officer|ops|operations|and culture|& culture|team|department|partner|director|manager|leaders?|lead|function)\b/i
const SPLIT = /\b(?:who|whoever|whom|that|which|whose|for|on|about|over|after|with|in|from|working|hiring|buying|handling|managing|looking|taking|responsible|charge|focus(?:ed|ing)?|special\w+|dealing|recruiting|selling|covering|serving|doing|using|to)\b/i
const ACTIVE = /\b(?:hiring|buying|recruiting|selling)\b/i
/** Objects that say little beside another word: "HR software" is a matter of HR. */
const WEAK = new Set(['software', 'systems', 'system', 'platform', 'technology', 'project', 'product', 'customer', 'client', 'purchase', 'deal', 'testing', 'service', 'office', 'employee', 'mobile', 'price', 'number', 'goods', 'digital', 'contract', 'culture', 'money', 'cash', 'content', 'environment', 'building', 'student', 'office space', 'plant', 'vendor', 'supplier', 'patient'].map(singular))
const BUYING = /\b(?:buys?|buying|purchas\w+|procures?|procuring|sourc(?:es|ing)|orders|ordering|negotiat\w+)\b/i
const HIRING = /\b(?:hir(?:es?|ing)|recruits?|recruiting)\b/i
const JOB_ENDING = /(?:er|or|ist|ant|yst|ive|ect|ian|ey|man|nurse|clerk|rep|aide|coach|chef|cook|dean|intern|sdr|bdr|sre|ae|csm|agent|assistant|representative|counsel|pilot|professor)$/
/** Jobs that say nothing of rank: a general counsel is a lawyer too. */
const PROFESSIONS = new Set('lawyer attorney counsel doctor physician nurse scientist pilot professor teacher actuary underwriter dean chef'.split(' '))

/** Reads one alternative of a request; null when it names neither a level nor a field. */
export function readRole(part: string): Role | null {
  const cleaned = part.replace(/[?!."“”]/g, ' ')
  const asked = PEOPLE_DEPARTMENT.test(cleaned) ? cleaned : cleaned.replace(SOMEBODY, ' ')
  if (BOSS.test(cleaned) && mentionsOf(asked.replace(BOSS, ' ')).every(({ fields }) => fields.includes('ceo')))
    return { levels: ['C-Team'], fields: ['ceo', 'owner', 'founder'], words: [], about: none(), title: 'Chief Executive Officer', kind: 'rank' }
  const { head, clause } = split(asked)
  const words = corrected(asked)
  if (words.length === 0) return CHIEFS.test(cleaned) ? ranked(['C-Team']) : null
  const own = readPart(head)
  const other = readPart(clause)
  const isHeadless = own.fields.length === 0 && own.words.length === 0
  const main = isHeadless ? other : own
  const about: Topic = isHeadless ? { fields: [], words: [] } : { fields: [...other.fields, ...other.modifiers].filter((id) => !own.fields.includes(id)), words: other.words }
  about.fields.push(...main.modifiers)
  if (main.fields.length > 0) about.words.push(...main.words)
  const levels = levelsOf(cleaned, corrected(isHeadless ? asked : head).join(' '))
  const isSomebody = main.fields.length > 0 || main.words.length > 0
  if (!isSomebody) return levels.kind === 'everyone' || levels.kind === 'doers' ? null : { ...levels, fields: [], words: [], about: none(), title: null }
  // a word nobody knows needs a sentence around it to be something to look for
  if (main.fields.length === 0 && levels.kind === 'everyone' && !/\b(?:who|whoever|works?|working|does|doing|experts?|people|specialists?)\b/i.test(cleaned)) return null
  const role = { ...levels, fields: main.fields, words: main.fields.length > 0 ? [] : main.words, about }
  const isTitle = levels.kind === 'rank' || levels.kind === 'doers'
  return { ...role, title: isTitle ? titleCase(withoutOpening(corrected(isHeadless ? asked : head))) : null }
}

const none = (): Topic => ({ fields: [], words: [] })
const ranked = (levels: JobLevel[]): Role => ({ levels, fields: [], words: [], about: none(), title: null, kind: 'rank' })

function mentionsOf(text: string): Mention[] {
  return mentionsIn(corrected(text))
}

/** The words of a text with typing errors mended, plural forms made singular and other languages translated. */
function corrected(text: string): string[] {
  return translate(wordsOf(text)).words.filter((word) => word !== ',').map((word) => {
    const one = singular(word)
    if (isJobWord(one) || FILLERS.has(word) || FILLERS.has(one)) return one
    return correct(one) ?? one
  })
}

/** "Recruiters hiring engineers" is a job and what it is about; "who decides on marketing" is the latter alone. */
function split(text: string): { head: string; clause: string } {
  const match = SPLIT.exec(text)
  if (!match) return { head: text, clause: '' }
  const isActive = ACTIVE.test(match[0])
  return { head: text.slice(0, match.index), clause: text.slice(isActive ? match.index : match.index + match[0].length) }
}

function readPart(text: string): { fields: string[]; words: string[]; modifiers: string[] } {
  const words = corrected(text)
  let mentions = mentionsIn(words)
  const isWeak = ({ start, length }: Mention) => length === 1 && WEAK.has(words[start] as string)
  if (mentions.some((mention) => !isWeak(mention))) mentions = mentions.filter((mention) => !isWeak(mention))
  const taken = new Set(mentions.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i)))
  const rest = words.filter((word, i) => !taken.has(i) && !FILLERS.has(word) && !isRank(word) && /\p{L}/u.test(word) && word.length > 1 && !WEAK.has(word))
  let all = [...new Set(mentions.flatMap(({ fields }) => fields))]
  // the narrower of two fields one of which holds the other
  all = all.filter((id) => !all.some((other) => other !== id && isWithin(other, id)))
  const served = HIRING.test(text) ? all.filter((id) => !isWithin(id, 'recruiting')) : []
  if (served.length > 0 && served.length < all.length) return { fields: ['recruiting'], words: rest, modifiers: served }
  const bought = BUYING.test(text) ? all.filter((id) => !isWithin(id, 'procurement')) : []
  if (bought.length > 0 && bought.length < all.length) return { fields: [...new Set(['procurement', ...bought])], words: rest, modifiers: [] }
  const last = mentions.at(-1)
  const isJoined = /\b(?:and|or)\b|&|,|\//.test(text)
  const kept = isJoined || !last || mentions.length < 2 ? all : all.filter((id) => last.fields.includes(id))
  const fields = kept.length > 0 ? kept : all
  return { fields, words: rest, modifiers: all.filter((id) => !fields.includes(id)) }
}

const RANKS = new Set('vp svp evp avp rvp vice president director head manager chief officer lead executive supervisor specialist coordinator consultant analyst engineer associate representative administrator advisor technician generalist agent operator professional expert responsible clerk mechanic editor writer driver planner crew scientist researcher developer designer buyer'.split(' '))
/** Words of rank are read as levels; the job nouns among them are looked for only with a field. */
const isRank = (word: string) => RANKS.has(word)

function levelsOf(text: string, words: string): Pick<Role, 'levels' | 'kind'> {
  if (CHIEFS.test(text)) return { levels: ['C-Team'], kind: 'rank' }
  if (MOST_SENIOR.test(text)) return { levels: ['C-Team'], kind: 'rank' }
  if (/\bchief of staff\b/i.test(text)) return { levels: ['Director'], kind: 'rank' }
  const level = readTitle(words).job_level
  const isVerb = /\b(?:whoever|who|responsible|in charge)\b/i.test(text)
  if (/\bheads?\b(?: of)?/i.test(text) && level === 'Director' && !isVerb) return { levels: ['VP', 'Director'], kind: 'rank' }
  if (level !== 'Staff' && !(isVerb && LEADING.test(text)) && !/\b(?:leaders|leadership|decision[- ]?makers?|budget holders?)\b/i.test(text))
    return { levels: [level], kind: 'rank' }
  if (LEADING.test(text)) return { levels: LEADERS, kind: 'leaders' }
  if (/\bpeople (?:who|that)\b/i.test(text)) return { levels: EVERYONE, kind: 'everyone' }
  if (MANAGING.test(text)) return { levels: MANAGERS, kind: 'managers' }
  const last = words.split(' ').filter((word) => !FILLERS.has(word)).at(-1) ?? ''
  if (last !== '' && PROFESSIONS.has(last)) return { levels: EVERYONE, kind: 'everyone' }
  if (JOB_ENDING.test(last) && (isRank(last) || isJobWord(last)) && !/\b(?:people|ppl|folks|guys|team|staff|department)\b/i.test(text)) return { levels: ['Staff', 'Manager'], kind: 'doers' }
  return { levels: EVERYONE, kind: 'everyone' }
}

/** Fillers that are part of a title when they open it: "general counsel". */
const QUALIFYING = new Set('software product system systems project customer office platform technology digital senior junior general managing global regional national local corporate group head chief'.split(' '))

/** The request's own wording of a title, without "find me the". */
function withoutOpening(words: readonly string[]): string[] {
  const isOpening = (word: string) => FILLERS.has(word) && !isRank(word) && !QUALIFYING.has(word)
  let start = 0
  while (start < words.length && isOpening(words[start] as string)) start++
  let end = words.length
  while (end > start + 1 && isOpening(words[end - 1] as string)) end--
  return words.slice(start, end)
}

const ACRONYM =
  /^(?:[csea]?[a-z]?o|vp|svp|evp|avp|rvp|hr|it|ai|ml|bi|qa|pr|seo|crm|erp|ciso|chro|rnd|fpna|lnd|ux|ui|cx|sre|sdr|bdr|esg|grc|npd|lms|hris|gis|cmc|dei|ip)$/
const SPELLED: Record<string, string> = { rnd: 'R&D', fpna: 'FP&A', lnd: 'L&D', devops: 'DevOps', finops: 'FinOps' }

export function titleCase(words: readonly string[]): string {
  return words
    .map((word) => {
      if (SPELLED[word]) return SPELLED[word]
      if (word === 'of' || word === 'and' || word === 'for') return word
      return ACRONYM.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}

/** Whether a field lies below a department as a whole: "payroll" does, "finance" does not. */
export const isNarrow = (id: string): boolean => ancestorsOf(id).length > 0
