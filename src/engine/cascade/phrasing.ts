import { table } from '../table.ts'
import { singular } from './fields.ts'

// How requests are worded: who leads, who does the work, and what says nothing.

export const CHIEFS =
  /\b(?:c[- ]?levels?|c[- ]?suite|c[- ]?team|top management|executive team|chiefs|chief officers|cxos?|top executives)\b/i
export const MOST_SENIOR =
  /\b(?:most senior|highest[- ]ranking|highest|top (?:person|guy|boss|man|woman|dog)|top-level|number one|no\. ?1)\b/i
export const LEADING =
  /\b(?:leaders?|leadership|leads|decision[- ]?makers?|decides?|deciding|bosses|budget holders?|budget owners?|economic buyers?|has (?:the|a|any) (?:final |last )?say|final say|last word|calls? the shots|approv\w+|signs? off|owns?|owning|heads?|heading|oversees?|overseeing|directs|controls?(?! engineer)|holds? the budget|executives|management|chooses?|picks|selects?|key people|vips?|signs|purse strings|in command|evaluates?|champions?|stakeholders?|sponsors?)\b/i
/** A team leader is a rank of its own. */
export const LEADER =
  /(?<!\b(?:team|shift|group|squad|crew|project|section|tech|technical|line|cell|deputy) )\b(?:leaders|leader(?!ship))\b/i
export const MANAGING =
  /\b(?:whoever|runs?|running|manages?|managing|responsible|responsibility|in charge|looks? after|looking after|tak(?:es?|ing) care|handles?|handling|organi[sz]\w+|coordinates?|supervis\w+|deals? with|dealing with|keeps?|maintains?|sees to|accountable|(?:talk|speak|turn|go|write|reach out|pitch|sell) to|contact(?: person)? for|right (?:person|contact))\b/i
export const BOSS =
  /\b(?:boss|(?:runs?|leads?|heads?|owns?|manages?|running|leading) (?:the |this |that |their |your )?(?:whole |entire )?(?:company|business|firm|place|show|shop|organi[sz]ation|bank|hospital|university|airline|hotel|agency|group)|in charge(?: there| here| overall)?\s*[?.!]*$|(?:top|number one) (?:person|guy|dog|man|woman|boss)\s*(?:there|here)?\s*[?.!]*$|big cheese|head honcho|(?:in charge|head) of (?:the |this )?(?:whole |entire )?(?:company|business|firm|everything))/i
/** Whoever holds the money of the company, where no department is named. */
export const BUDGET = /\b(?:budgets?|purse strings?|spend|spending|wallet|che(?:que|ck)book|money|p ?& ?l|pnl)\b/i
/** Describes somebody by their standing alone. */
export const SENIOR = /\b(?:senior|influential|influence|powerful|authority|high[- ]ranking|says? yes)\b/i
export const SENIOR_PERSON =
  /\b(?:someone|somebody|anyone|anybody) (?:very |more |really )?senior\b|\bsenior (?:persons?|people|contacts?|folks?)\b|\bwith (?:\w+ )?(?:authority|influence|budget)\b/i
/** Words for those who decide that hold a word of another job: an economic buyer is no buyer. */
export const DECIDERS =
  /\b(?:economic buyers?|budget[- ]?owners?|budget[- ]?holders?|p ?& ?l owners?|buying (?:committee|cent(?:er|re)|group))\b/gi
export const STAKEHOLDERS = /\b(?:stakeholders?|signator(?:y|ies))\b/gi
/** "People who …" asks for nobody in the people department, and "people in marketing" neither. */
export const SOMEBODY =
  /\b(?:people|persons?|ppl|folks?|guys?|someone|somebody|anyone|anybody|everyone|everybody|professionals?|experts?|employees'?|(?<!chiefs? of )staff|(?<!social )workers?|(?:team )?members?|contacts?(?! cent)|colleagues)\b/gi
export const PEOPLE_DEPARTMENT =
  /\b(?:head|vp|director|chief|manager|lead|president|svp|of|and|&) (?:of )?people\b(?! (?:who|that|in|at|with|from|working|named|called))|\bpeople (?:officer|ops|operations|and culture|& culture|team|department|partner|director|manager|leaders?|lead|function)\b/i
export const SPLIT =
  /\b(?:who|whoever|whom|that|which|whose|for|on|about|over|after|with|in|from|working|hiring|buying|handling|managing(?! (?:director|partner|editor|principal|member))|looking|taking|responsible|charge|focus(?:ed|ing)?|special\w+|dealing|recruiting|selling|covering|serving|doing|using|to)\b/i
export const ACTIVE = /\b(?:hiring|buying|recruiting|selling)\b/i
/** Objects that say little beside another word: "HR software" is a matter of HR. */
export const WEAK = new Set(
  (
    'software systems system platform technology project purchase deal testing service office employee ' +
    'price number contract culture money cash environment building student vendor supplier patient'
  )
    .split(' ')
    .map(singular),
)
export const BUYING = /\b(?:buys?|buying|purchas\w+|procures?|procuring|sourc(?:es|ing)|orders|ordering|negotiat\w+)\b/i
export const HIRING = /\b(?:hir(?:es?|ing)|recruits?|recruiting)\b/i
export const JOB_ENDING =
  /(?:er|or|ist|ant|yst|ive|ect|ian|ey|man|nurse|clerk|rep|aide|coach|chef|cook|dean|intern|sdr|bdr|sre|ae|csm|agent|assistant|representative|counsel|pilot|professor)$/
/** Jobs that say nothing of rank: a general counsel is a lawyer too. */
export const PROFESSIONS = new Set(
  'lawyer attorney counsel doctor physician nurse scientist pilot professor teacher actuary underwriter dean chef'.split(
    ' ',
  ),
)

export const RANKS = new Set(
  'vp svp evp avp rvp vice president director head manager chief officer lead executive supervisor specialist coordinator consultant analyst engineer associate representative administrator advisor technician generalist agent operator professional expert responsible clerk mechanic editor writer driver planner crew scientist researcher developer designer buyer owner'.split(
    ' ',
  ),
)

/** Fillers that are part of a title when they open it: "general counsel". */
export const QUALIFYING = new Set(
  'software product system systems project customer office platform technology digital senior junior general managing global regional national local corporate group head chief'.split(
    ' ',
  ),
)

export const ACRONYM =
  /^(?:[csea]?[a-z]?o|vp|svp|evp|avp|rvp|hr|it|ai|ml|bi|qa|pr|seo|crm|erp|ciso|chro|rnd|fpna|lnd|ux|ui|cx|sre|sdr|bdr|esg|grc|npd|lms|hris|gis|cmc|dei|ip)$/
export const SPELLED = table<string>({
  rnd: 'R&D',
  fpna: 'FP&A',
  lnd: 'L&D',
  devops: 'DevOps',
  finops: 'FinOps',
})
