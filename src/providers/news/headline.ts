import { table } from '../../engine/table.ts'
// Who a headline is about. A wrong name costs research into somebody who did nothing, so a headline whose subject is
// not plain to see is passed over.
import { countryCode } from '../countries.ts'

/** What a headline says right after the name of the company. `phrases` are searched for, `event` must follow the name. */
type Pattern = { phrases: readonly string[]; event: RegExp }

const MONEY = '(?:an? |another |up to |over |nearly |more than )?(?:[$€£]|US\\$|USD |EUR )\\d'

export const HEADLINES = table<Pattern>({
  funding: {
    phrases: ['raises', 'secures funding', 'Series A', 'Series B', 'Series C', 'seed round'],
    event: new RegExp(
      `^(?!.*\\bfund\\b)(?:has )?(?:raises|raised|secures|secured|closes|closed|lands|landed|nabs|bags|gets|nets|picks up|scores) (?:${MONEY}|(?:an? |its )?(?:new |oversubscribed )?(?:pre-?seed|seed|series [a-h]\\b|funding|growth round))`,
      'i',
    ),
  },
  acquisition: {
    phrases: ['acquires', 'acquired by', 'to acquire', 'buys', 'to buy'],
    event:
      /^(?:(?:has |have )?(?:acquires|acquired|buys|bought)|(?:agrees )?to (?:acquire|buy)|(?:is |was |has been |to be )?(?:acquired|bought) by|joins) (?=\p{Lu}|\p{N})/u,
  },
  leadership_change: {
    phrases: ['names CEO', 'appoints', 'CEO steps down', 'new CEO', 'hires CFO'],
    event:
      /^(?:(?:has )?(?:names|named|appoints|appointed|hires|hired|taps) .*\b(?:CEO|CFO|CTO|COO|CMO|CRO|CISO|chief|president|chair(?:man|woman)?)\b|(?:(?:co-?)?founder(?: and |\/))?(?:CEO|CFO|CTO|COO|president|chair(?:man|woman)?) .*\b(?:steps down|resigns|to step down|leaves|departs|ousted|fired|out)\b)/i,
  },
  hiring: {
    phrases: ['is hiring', 'to hire', 'plans to hire'],
    event: /^(?:is hiring|to hire|plans to hire|will hire|to create) .*\b\d/i,
  },
  product_launch: {
    phrases: ['launches', 'unveils', 'announces general availability'],
    event: /^(?:launches|launched|unveils|releases|introduces|debuts) (?!.*\b(?:fund|probe|lawsuit|attack)\b)/i,
  },
  expansion: {
    phrases: ['opens', 'expands to', 'expands into', 'new headquarters'],
    event:
      /^(?:(?:opens|to open|is opening) .*\b(?:office|plant|factory|terminal|warehouse|store|hub|headquarters|HQ|site|facility|cent(?:er|re)|lab|branch|campus)s?\b|expands (?:to|into) )/i,
  },
  partnership: {
    phrases: ['partners with', 'partnership'],
    event:
      /^(?:partners with|teams up with|and \p{Lu}[\p{L}\p{N} ]{1,30} (?:partner|team up|announce (?:a )?(?:strategic )?partnership))/u,
  },
  layoffs: {
    phrases: ['lays off', 'layoffs', 'cuts jobs', 'job cuts'],
    event:
      /^(?:lays off|laid off|to lay off|is laying off|(?:cuts|to cut|cutting|slashes|to slash|axes) .*\b(?:jobs|staff|workforce|employees|workers|roles|positions)|layoffs)/i,
  },
  ipo: {
    phrases: ['IPO', 'goes public', 'go public', 'S-1', 'market debut'],
    event:
      /^(?:(?:confidentially |publicly )?(?:files|filed|files confidentially) (?:its |an |the )?(?:for (?:an? |its )?(?:US |U\.S\. )?(?:IPO|initial public offering)|to go public|S-1)|goes public|went public|prices (?:its )?IPO|raises .* in (?:its )?IPO|S-1\b|makes (?:its )?(?:stock )?market debut)/i,
  },
  customer_win: {
    phrases: ['wins contract', 'awarded contract', 'selected by'],
    event:
      /^(?:wins|won|lands|secures|(?:is |was )?awarded) .*\b(?:contract|deal)\b|^(?:is |was )?(?:selected|chosen) by \p{Lu}/u,
  },
  technology_adoption: {
    phrases: ['migrates to', 'moves to', 'switches to'],
    event: /^(?:migrates|migrated|moves|moved|switches|switched|is moving|is migrating) (?:.{0,40}\b)?(?:from|to) /i,
  },
  security_incident: {
    phrases: ['data breach', 'hacked', 'ransomware', 'security incident'],
    event:
      /^(?:(?:confirms|discloses|suffers|reports|reveals|says it suffered|hit by|admits) .*\b(?:breach|hack|attack|ransomware|incident|leak)|(?:was |is |got )?(?:hacked|breached)|(?:data )?breach\b|leaks )/i,
  },
})

/** Words before a name that say what the company is: "fintech startup Acme", "Berlin-based Acme". */
const KINDS =
  'startup start-up company maker firm platform provider giant unicorn developer vendor operator retailer specialist pioneer competitor rival owner parent'
const DESCRIPTORS = new RegExp(
  `^.*(?<!\\p{L})(?:${KINDS.split(' ').map(eitherCase).join('|')}|\\p{L}+-(?:${['based', 'backed', 'founded'].map(eitherCase).join('|')})|\\p{Lu}\\p{L}+[’']s)\\s+(?=\\p{Lu}|\\p{N})`,
  'u',
)
const LABEL = /^(?:Breaking|Exclusive|Report|Update|News|Show HN|Launch HN|Tell HN|Press release|Watch|Video)\s?:\s*/i
/** Questions, lists and opinions are about something else than an event. */
const NO_NEWS =
  /^(?:Ask HN|Why|How|What|When|Who|Is|Are|Can|Could|Should|Will|Would|Does|Do|The|A|An|If|My|Our|Your|I|We|You|It|He|She|They|This|That|These|Those|Here|There|Former|Ex|Top|Best|\d+ )\b|\?$/
const NAME =
  /^(?:\p{Lu}|\p{N}|[a-z]\p{Lu})[\p{L}\p{N}.&’'+-]*(?: (?:\p{Lu}|\p{N}|&|of|and|de)[\p{L}\p{N}.&’'+-]*){0,3}$/u
/** Words that a sentence begins with and no company is called. */
const NOT_NAMES = new Set(
  (
    'startup startups company companies investors founders employees report reports court judge police government ' +
    'eu us uk fed nasa nato un congress senate fbi fda ftc sec doj cdc irs california texas europe africa asia ' +
    'ceo cfo cto scientists researchers hackers developers engineers workers someone everyone nobody today'
  ).split(' '),
)

const MAX_NAME_CHARS = 60

/** The company that does in a headline what the signal is about, or null when the headline does not plainly say. */
export function subjectOf(title: string, signalId: string): string | null {
  const pattern = HEADLINES[signalId]
  const headline = title.replace(LABEL, '').replaceAll(/\s+/g, ' ').trim()
  if (!pattern || NO_NEWS.test(headline)) return null
  const words = headline.split(' ')
  // The name ends where the event begins.
  for (let length = 1; length <= Math.min(words.length - 1, 12); length++) {
    if (!pattern.event.test(words.slice(length).join(' '))) continue
    return companyIn(words.slice(0, length).join(' '))
  }
  return null
}

function companyIn(subject: string): string | null {
  const name = subject
    .replace(DESCRIPTORS, '')
    // "Acme (YC W19)", "Acme, a maker of robots,", "Acme's"
    .replace(/\s*\([^)]*\)$/, '')
    .replace(/,.*$/, '')
    .replace(/[’']s$/, '')
    .replace(/[:–—-]+$/, '')
    .trim()
  if (name.length < 2 || name.length > MAX_NAME_CHARS || !NAME.test(name)) return null
  if (NOT_NAMES.has(name.toLowerCase()) || countryCode(name)) return null
  return name
}

/** Not by a flag: what follows must be a capital. */
function eitherCase(word: string): string {
  return `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`
}
