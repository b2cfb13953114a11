// Finds the company a headline is about. A wrong name costs research into an unrelated company, so an ambiguous
// headline yields none.
import { findCountryCode } from '../countries.ts'
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../signals/index.ts'

/** Words before a name that describe the company: "fintech startup Acme", "Berlin-based Acme". */
const KINDS =
  'startup start-up company maker firm platform provider giant unicorn developer vendor operator retailer specialist pioneer competitor rival owner parent'
const DESCRIPTORS = new RegExp(
  `^.*(?<!\\p{L})(?:${KINDS.split(' ').map(eitherCase).join('|')}|\\p{L}+-(?:${['based', 'backed', 'founded'].map(eitherCase).join('|')})|\\p{Lu}\\p{L}+[’']s)\\s+(?=\\p{Lu}|\\p{N})`,
  'u',
)
const LABEL = /^(?:Breaking|Exclusive|Report|Update|News|Show HN|Launch HN|Tell HN|Press release|Watch|Video)\s?:\s*/i
/** Questions, lists and opinions report no event. */
const NO_NEWS =
  /^(?:Ask HN|Why|How|What|When|Who|Is|Are|Can|Could|Should|Will|Would|Does|Do|The|A|An|If|My|Our|Your|I|We|You|It|He|She|They|This|That|These|Those|Here|There|Former|Ex|Top|Best|\d+ )\b|\?$/
const NAME =
  /^(?:\p{Lu}|\p{N}|[a-z]\p{Lu})[\p{L}\p{N}.&’'+-]*(?: (?:\p{Lu}|\p{N}|&|of|and|de)[\p{L}\p{N}.&’'+-]*){0,3}$/u
/** Words at the start of a sentence that are no company names. */
const NOT_NAMES = new Set(
  (
    'startup startups company companies investors founders employees report reports court judge police government ' +
    'eu us uk fed nasa nato un congress senate fbi fda ftc sec doj cdc irs california texas europe africa asia ' +
    // check-words-ignore: vocabulary
    'ceo cfo cto scientists researchers hackers developers engineers workers someone everyone nobody today'
  ).split(' '),
)

const MAX_NAME_CHARS = 60

/** A company, and the signals that a headline reports of it. */
export type HeadlineSubject = { name: string; signals: string[] }

/** The companies that are the subjects of a headline's events; usually none or one. */
export function findHeadlineSubjects(title: string): HeadlineSubject[] {
  const found = new Map<string, string[]>()
  for (const { id } of BUILTIN_SIGNALS) {
    const name = findHeadlineSubject(title, id)
    if (name) found.set(name, [...(found.get(name) ?? []), id])
  }
  return [...found].map(([name, signals]) => ({ name, signals }))
}

/** The company that is the subject of the signal's event in a headline; null when it is ambiguous. */
export function findHeadlineSubject(title: string, signalId: string): string | null {
  const event = findBuiltinSignal(signalId)?.headline.event
  const headline = title.replace(LABEL, '').replaceAll(/\s+/g, ' ').trim()
  if (!event || NO_NEWS.test(headline)) return null
  const words = headline.split(' ')
  // The name ends where the event begins.
  for (let length = 1; length <= Math.min(words.length - 1, 12); length++) {
    if (!event.test(words.slice(length).join(' '))) continue
    return parseCompanyName(words.slice(0, length).join(' '))
  }
  return null
}

function parseCompanyName(subject: string): string | null {
  const name = subject
    .replace(DESCRIPTORS, '')
    // "Acme (YC W19)", "Acme, a maker of robots,", "Acme's"
    .replace(/\s*\([^)]*\)$/, '')
    .replace(/,.*$/, '')
    .replace(/[’']s$/, '')
    .replace(/[:–—-]+$/, '')
    .trim()
  if (name.length < 2 || name.length > MAX_NAME_CHARS || !NAME.test(name)) return null
  if (NOT_NAMES.has(name.toLowerCase()) || findCountryCode(name)) return null
  return name
}

/** Without the `i` flag, because the next word has to start with a capital. */
function eitherCase(word: string): string {
  return `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`
}
