import { lookupTable } from '../text/lookup-table.ts'
import { JOB_LEVELS, type JobLevel, LEADING_LEVELS, readTitle } from '../titles/index.ts'
import { translateTitleWords } from '../titles/languages.ts'
import {
  type FieldMention,
  fieldAncestors,
  findFieldMentions,
  isFieldWithin,
  singularize,
  tokenizeTitle,
} from './fields.ts'
import type { Topic } from './types.ts'
import { correctTypo, FILLERS, isJobWord } from './vocabulary.ts'

/** One kind of person that a request asks for. */
export type RequestedRole = {
  levels: JobLevel[]
  /** Any of these fields; empty for any field. */
  fields: string[]
  /** Words to match where no field is known: "vegetation supervisor". */
  words: string[]
  /** The topic they must also match. */
  about: Topic
  title: string | null
  /** Whether the request means a rank, leaders, managers, everyone, or the people who do the work. */
  kind: 'rank' | 'leaders' | 'managers' | 'everyone' | 'doers'
  /** Described by money or seniority alone, so that a named title takes precedence: "someone who owns the budget". */
  isVague?: true
}

// Wording of requests: leaders, people who do the work, and filler words.

const CHIEFS =
  /\b(?:c[- ]?levels?|c[- ]?suite|c[- ]?team|top management|executive team|chiefs|chief officers|cxos?|top executives)\b/i
const MOST_SENIOR =
  /\b(?:most senior|highest[- ]ranking|highest|top (?:person|guy|boss|man|woman|dog)|top-level|number one|no\. ?1)\b/i
const LEADING =
  /\b(?:leaders?|leadership|leads|decision[- ]?makers?|decides?|deciding|bosses|budget holders?|budget owners?|economic buyers?|has (?:the|a|any) (?:final |last )?say|final say|last word|calls? the shots|approv\w+|signs? off|owns?|owning|heads?|heading|oversees?|overseeing|directs|controls?(?! engineer)|holds? the budget|executives|management|chooses?|picks|selects?|key people|vips?|signs|purse strings|in command|evaluates?|champions?|stakeholders?|sponsors?)\b/i
/** A team leader is a separate rank. */
const LEADER =
  /(?<!\b(?:team|shift|group|squad|crew|project|section|tech|technical|line|cell|deputy) )\b(?:leaders|leader(?!ship))\b/i
const MANAGING =
  /\b(?:whoever|runs?|running|manages?|managing|responsible|responsibility|in charge|looks? after|looking after|tak(?:es?|ing) care|handles?|handling|organi[sz]\w+|coordinates?|supervis\w+|deals? with|dealing with|keeps?|maintains?|sees to|accountable|(?:talk|speak|turn|go|write|reach out|pitch|sell) to|contact(?: person)? for|right (?:person|contact))\b/i
const BOSS =
  /\b(?:boss|(?:runs?|leads?|heads?|owns?|manages?|running|leading) (?:the |this |that |their |your )?(?:whole |entire )?(?:company|business|firm|place|show|shop|organi[sz]ation|bank|hospital|university|airline|hotel|agency|group)|in charge(?: there| here| overall)?\s*[?.!]*$|(?:top|number one) (?:person|guy|dog|man|woman|boss)\s*(?:there|here)?\s*[?.!]*$|big cheese|head honcho|(?:in charge|head) of (?:the |this )?(?:whole |entire )?(?:company|business|firm|everything))/i
/** Responsibility for the company's money, where no department is named. */
const BUDGET = /\b(?:budgets?|purse strings?|spend|spending|wallet|che(?:que|ck)book|money|p ?& ?l|pnl)\b/i
/** Describes a person by seniority alone. */
const SENIOR = /\b(?:senior|influential|influence|powerful|authority|high[- ]ranking|says? yes)\b/i
const SENIOR_PERSON =
  /\b(?:someone|somebody|anyone|anybody) (?:very |more |really )?senior\b|\bsenior (?:persons?|people|contacts?|folks?)\b|\bwith (?:\w+ )?(?:authority|influence|budget)\b/i
/** Terms for decision makers that contain another job: an economic buyer is not a buyer. */
const DECIDERS =
  /\b(?:economic buyers?|budget[- ]?owners?|budget[- ]?holders?|p ?& ?l owners?|buying (?:committee|cent(?:er|re)|group))\b/gi
const STAKEHOLDERS = /\b(?:stakeholders?|signator(?:y|ies))\b/gi
/** "People who …" and "people in marketing" do not mean the people department. */
const PERSON_WORDS =
  /\b(?:people|persons?|ppl|folks?|guys?|someone|somebody|anyone|anybody|everyone|everybody|professionals?|experts?|employees'?|(?<!chiefs? of )staff|(?<!social )workers?|(?:team )?members?|contacts?(?! cent)|colleagues)\b/gi
const PEOPLE_DEPARTMENT =
  /\b(?:head|vp|director|chief|manager|lead|president|svp|of|and|&) (?:of )?people\b(?! (?:who|that|in|at|with|from|working|named|called))|\bpeople (?:officer|ops|operations|and culture|& culture|team|department|partner|director|manager|leaders?|lead|function)\b/i
const SPLIT =
  /\b(?:who|whoever|whom|that|which|whose|for|on|about|over|after|with|in|from|working|hiring|buying|handling|managing(?! (?:director|partner|editor|principal|member))|looking|taking|responsible|charge|focus(?:ed|ing)?|special\w+|dealing|recruiting|selling|covering|serving|doing|using|to)\b/i
const ACTIVE = /\b(?:hiring|buying|recruiting|selling)\b/i
/** Objects that add little to another word: "HR software" is a topic of HR. */
const WEAK = new Set(
  (
    'software systems system platform technology project purchase deal testing service office employee ' +
    'price number contract culture money cash environment building student vendor supplier patient'
  )
    .split(' ')
    .map(singularize),
)
const BUYING = /\b(?:buys?|buying|purchas\w+|procures?|procuring|sourc(?:es|ing)|orders|ordering|negotiat\w+)\b/i
const HIRING = /\b(?:hir(?:es?|ing)|recruits?|recruiting)\b/i
const JOB_ENDING =
  /(?:er|or|ist|ant|yst|ive|ect|ian|ey|man|nurse|clerk|rep|aide|coach|chef|cook|dean|intern|sdr|bdr|sre|ae|csm|agent|assistant|representative|counsel|pilot|professor)$/
/** Jobs without a rank: a general counsel is a lawyer, too. */
const PROFESSIONS = new Set(
  'lawyer attorney counsel doctor physician nurse scientist pilot professor teacher actuary underwriter dean chef'.split(
    ' ',
  ),
)

/** Rank words, which are parsed as levels; the job nouns among them are matched only with a field. */
const RANKS = new Set(
  'vp svp evp avp rvp vice president director head manager chief officer lead executive supervisor specialist coordinator consultant analyst engineer associate representative administrator advisor technician generalist agent operator professional expert responsible clerk mechanic editor writer driver planner crew scientist researcher developer designer buyer owner'.split(
    ' ',
  ),
)

/** Fillers that are part of a title when they open it: "general counsel". */
const QUALIFYING = new Set(
  'software product system systems project customer office platform technology digital senior junior general managing global regional national local corporate group head chief'.split(
    ' ',
  ),
)

const ACRONYM =
  /^(?:[csea]?[a-z]?o|vp|svp|evp|avp|rvp|hr|it|ai|ml|bi|qa|pr|seo|crm|erp|ciso|chro|rnd|fpna|lnd|ux|ui|cx|sre|sdr|bdr|esg|grc|npd|lms|hris|gis|cmc|dei|ip)$/
const SPELLED = lookupTable<string>({
  rnd: 'R&D',
  fpna: 'FP&A',
  lnd: 'L&D',
  devops: 'DevOps',
  finops: 'FinOps',
})

export const LEADING_ROLE: Pick<RequestedRole, 'levels' | 'kind'> = { levels: LEADING_LEVELS, kind: 'leaders' }
const MANAGERS: JobLevel[] = [...LEADING_LEVELS, 'Manager']
export const ALL_LEVELS: JobLevel[] = [...JOB_LEVELS]
/** Parses one alternative of a request; null when it names neither a level nor a field. */
export function parseRole(part: string): RequestedRole | null {
  const cleaned = part
    .replace(/[?!."“”]/g, ' ')
    .replace(/\b(directors?|vps?|managers?)[- ]levels?\b/gi, '$1')
    .replace(DECIDERS, 'budget holders')
    .replace(STAKEHOLDERS, 'decision makers')
  const unranked = cleaned.replace(CHIEFS, ' ').replace(MOST_SENIOR, ' ')
  const request = PEOPLE_DEPARTMENT.test(unranked) ? unranked : unranked.replace(PERSON_WORDS, ' ')
  if (
    BOSS.test(cleaned) &&
    findFieldMentions(corrected(request.replace(BOSS, ' '))).every(({ fields }) => fields.includes('ceo'))
  )
    return { ...atTop(['ceo', 'owner', 'founder']), title: 'Chief Executive Officer' }
  // "Finance boss" is the leader of finance, not of the company.
  const { head, clause } = split(request.replace(/(?<=\p{L}\s+)boss(?:es)?\b/iu, 'leaders'))
  const words = corrected(request)
  if (words.length === 0) {
    if (MOST_SENIOR.test(cleaned)) return { ...atTop(['ceo', 'owner', 'founder']), isVague: true }
    return CHIEFS.test(cleaned) ? atTop([]) : null
  }
  const own = readPart(head)
  const other = readPart(clause)
  const isHeadless = own.fields.length === 0 && own.words.length === 0
  const main = isHeadless ? other : own
  const about: Topic = isHeadless
    ? { fields: [], words: [] }
    : { fields: [...other.fields, ...other.modifiers].filter((id) => !own.fields.includes(id)), words: other.words }
  about.fields.push(...main.modifiers)
  if (main.fields.length > 0) about.words.push(...main.words)
  const isServing = main.fields.includes('assistant') || main.fields.includes('intern')
  const levels: Pick<RequestedRole, 'levels' | 'kind'> = isServing
    ? { levels: ALL_LEVELS, kind: 'everyone' }
    : levelsOf(cleaned, corrected(isHeadless ? request : head).join(' '), hasRank(corrected(head)))
  const namesRole = main.fields.length > 0 || main.words.length > 0
  if (!namesRole) {
    if (levels.kind !== 'rank' && levels.kind !== 'doers') {
      if (BUDGET.test(cleaned)) return { ...atTop(['finance', 'ceo', 'founder', 'owner']), isVague: true }
      if (levels.kind === 'leaders' || SENIOR.test(cleaned))
        return { ...LEADING_ROLE, fields: [], words: [], about: emptyTopic(), title: null, isVague: true }
      return null
    }
    // "analysts": a job in any field is matched by its name.
    const job = levels.kind === 'doers' ? words.filter((word) => !FILLERS.has(word)).slice(-1) : []
    return { ...levels, fields: [], words: job, about: emptyTopic(), title: job.length > 0 ? titleCase(job) : null }
  }
  // An unknown word counts as a job only within a sentence.
  if (
    main.fields.length === 0 &&
    levels.kind === 'everyone' &&
    !/\b(?:who|whoever|works?|working|does|doing|experts?|people|specialists?)\b/i.test(cleaned)
  )
    return null
  const role = { ...levels, fields: main.fields, words: main.fields.length > 0 ? [] : main.words, about }
  const isTitle = levels.kind === 'rank' || levels.kind === 'doers'
  return {
    ...role,
    title:
      isTitle && !(isHeadless && clause !== '')
        ? titleCase(withoutOpening(corrected(isHeadless ? request : head)))
        : null,
  }
}

export const emptyTopic = (): Topic => ({ fields: [], words: [] })
const atTop = (fields: string[]): RequestedRole => ({
  levels: ['C-Team'],
  fields,
  words: [],
  about: emptyTopic(),
  title: null,
  kind: 'rank',
})

/** The words of a text with typing errors corrected, plurals made singular and other languages translated. */
function corrected(text: string): string[] {
  return translateTitleWords(tokenizeTitle(text))
    .words.filter((word) => word !== ',')
    .flatMap((word) => {
      const one = singularize(word)
      if (isJobWord(one) || FILLERS.has(one)) return one
      if (FILLERS.has(word)) return word
      // "reps" is expanded once it is "rep".
      return correctTypo(one) ?? tokenizeTitle(one).map(singularize)
    })
}

/** "Recruiters hiring engineers" is a job and its topic; "who decides on marketing" is only a topic. */
function split(text: string): { head: string; clause: string } {
  const match = SPLIT.exec(text)
  if (!match) return { head: text, clause: '' }
  const isActive = ACTIVE.test(match[0])
  return {
    head: text.slice(0, match.index),
    clause: text.slice(isActive ? match.index : match.index + match[0].length),
  }
}

function readPart(text: string): { fields: string[]; words: string[]; modifiers: string[] } {
  const words = corrected(text)
  let mentions = findFieldMentions(words)
  const isWeak = ({ start, length }: FieldMention) => length === 1 && WEAK.has(words[start] as string)
  if (mentions.some((mention) => !isWeak(mention))) mentions = mentions.filter((mention) => !isWeak(mention))
  const taken = new Set(mentions.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i)))
  const rest = words.filter(
    (word, i) =>
      !taken.has(i) &&
      !LEADING.test(word) &&
      !MANAGING.test(word) &&
      !BUYING.test(word) &&
      !FILLERS.has(word) &&
      !RANKS.has(word) &&
      /^\p{L}/u.test(word) &&
      word.length > 1 &&
      !WEAK.has(word),
  )
  let all = [...new Set(mentions.flatMap(({ fields }) => fields))]
  // Of two fields, one of which contains the other, the narrower one counts.
  all = all.filter((id) => !all.some((other) => other !== id && isFieldWithin(other, id)))
  const served = HIRING.test(text) ? all.filter((id) => !isFieldWithin(id, 'recruiting')) : []
  if (served.length > 0 && served.length < all.length) return { fields: ['recruiting'], words: rest, modifiers: served }
  const bought = BUYING.test(text) ? all.filter((id) => !isFieldWithin(id, 'procurement')) : []
  if (bought.length > 0 && bought.length < all.length)
    return { fields: [...new Set(['procurement', ...bought])], words: rest, modifiers: [] }
  const last = mentions.at(-1)
  const isJoined = /\b(?:and|or)\b|&|,|\//.test(text)
  const kept = isJoined || !last || mentions.length < 2 ? all : all.filter((id) => last.fields.includes(id))
  const fields = kept.length > 0 ? kept : all
  return { fields, words: rest, modifiers: all.filter((id) => !fields.includes(id)) }
}

/** Whether the words contain a level: "directors" in "directors who own the budget". */
const hasRank = (words: readonly string[]) =>
  words.length > 0 && readTitle(words.join(' ')).job_level !== 'Staff' && !LEADER.test(words.join(' '))

function levelsOf(text: string, words: string, isHeadRanked: boolean): Pick<RequestedRole, 'levels' | 'kind'> {
  if (CHIEFS.test(text)) return { levels: ['C-Team'], kind: 'rank' }
  if (MOST_SENIOR.test(text)) return { levels: ['C-Team'], kind: 'rank' }
  if (/\bchief of staff\b/i.test(text)) return { levels: ['Director'], kind: 'rank' }
  const level = readTitle(words).job_level
  const isVerb = !isHeadRanked && /\b(?:whoever|who|responsible|in charge)\b/i.test(text)
  if (/\bheads?\b/i.test(`${text} ${words}`) && level === 'Director' && !isVerb)
    return { levels: ['VP', 'Director'], kind: 'rank' }
  if (
    level !== 'Staff' &&
    !(isVerb && LEADING.test(text)) &&
    !LEADER.test(text) &&
    !(/\b(?:leadership|decision[- ]?makers?|budget holders?)\b/i.test(text) && !isHeadRanked)
  )
    return { levels: [level], kind: 'rank' }
  if (LEADING.test(text) || SENIOR_PERSON.test(text)) return LEADING_ROLE
  if (/\bpeople (?:who|that)\b/i.test(text)) return { levels: ALL_LEVELS, kind: 'everyone' }
  if (MANAGING.test(text)) return { levels: MANAGERS, kind: 'managers' }
  const last =
    words
      .split(' ')
      .filter((word) => !FILLERS.has(word) || RANKS.has(word))
      .at(-1) ?? ''
  if (last !== '' && PROFESSIONS.has(last)) return { levels: ALL_LEVELS, kind: 'everyone' }
  if (
    JOB_ENDING.test(last) &&
    (RANKS.has(last) || isJobWord(last)) &&
    !/\b(?:people|ppl|folks|guys|team|staff|department)\b/i.test(text)
  )
    return { levels: ['Staff', 'Manager'], kind: 'doers' }
  return { levels: ALL_LEVELS, kind: 'everyone' }
}

/** The wording of a title in the request, without "find me the". */
function withoutOpening(words: readonly string[]): string[] {
  const named = findFieldMentions(words)
  const isOpening = (word: string, i: number) =>
    FILLERS.has(word) &&
    !RANKS.has(word) &&
    !QUALIFYING.has(word) &&
    !named.some(({ start, length }) => i >= start && i < start + length)
  let start = 0
  while (start < words.length && isOpening(words[start] as string, start)) start++
  let end = words.length
  while (end > start + 1 && isOpening(words[end - 1] as string, end - 1)) end--
  return words.slice(start, end)
}

export function titleCase(words: readonly string[]): string {
  return words
    .map((word) => {
      if (SPELLED[word]) return SPELLED[word]
      if (word === 'of' || word === 'and' || word === 'for') return word
      return ACRONYM.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}

/** Whether a field is part of a department: "payroll" is, "finance" is not. */
export const isSubfield = (id: string): boolean => fieldAncestors(id).length > 0
