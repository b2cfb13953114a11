import { CALENDAR_WORDS } from '../english/calendar.ts'
import { foldText } from '../text/fold.ts'

/** Capitalised words that are not names: the calendar, ranks, and the vocabulary of announcements. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  ...CALENDAR_WORDS,
  ...(
    'the a an and or of to in on at for from by with as is are its it this that has have had will was were be been inc llc ltd ' +
    'corp gmbh ag plc co company companies group jan feb mar apr jun jul aug sep sept oct nov dec today ' +
    'yesterday new first next its their our all more than over up out into chief executive financial technology operating ' +
    'marketing revenue product people information security officer ceo cfo cto coo cmo cro cio ciso president vice vp svp evp ' +
    'director head manager managing general senior chair chairman chairwoman board member founder co-founder partner lead global ' +
    'regional appoints appointed appointment names named hires hired joins joined promotes promoted series seed round funding ' +
    'financing investment capital raises raised raise secures secured closes closed million billion m bn k usd eur gbp acquires ' +
    'acquired acquisition acquire merger merges merge completes completed announces announced announce announcement agreement ' +
    'signs signed partnership partners partner strategic collaboration collaborates alliance opens opened opening office offices ' +
    'headquarters plant factory facility site location expands expanded expansion launches launched launch launching unveils ' +
    'introduces introduced releases released release platform solution solutions software product products service services app ' +
    'system version available availability customer customers contract selects selected chooses wins won awarded deal ipo ' +
    'initial public offering shares stock lists files filed registration statement nasdaq nyse layoffs lays off cuts jobs staff ' +
    'workforce employees positions open hiring hire breach incident data attack cyber cyberattack ransomware deploys adopts ' +
    'migrates implements goes live rolls item departure directors certain officers election compensatory arrangements ' +
    'mr mrs ms dr university county council ministry agency nok sek dkk chf pln mxn inr cad aud ebit ebitda'
  ).split(' '),
])

/** "AUSTIN, Texas, November 8, 2026 -- ": place and date of a release are not part of the event. */
const DATELINE = /^\p{Lu}.{0,70}?\s(?:--|[–—])\s+(?=\p{Lu})/u

/** Text without the dateline that opens it. */
export const stripOpeningDateline = (text: string) => text.replace(DATELINE, '')

/** The words of a company's name, which do not distinguish its events. */
export const companyNameWords = (companyName: string): ReadonlySet<string> =>
  new Set(foldName(companyName).split(/[^\p{L}\p{N}]+/u))

/**
 * Names of one or several words, which other reports repeat even when they reword the rest. A capital at the start of a
 * sentence counts only if the next word has one, too.
 */
export function extractNamedThings(text: string, own: ReadonlySet<string>): string[] {
  return [...new Set(text.split(SENTENCE_BOUNDARY).flatMap((sentence) => namesIn(sentence, own)))]
}

export const SENTENCE_BOUNDARY = /(?<=[.!?:]["”’')]?)\s+(?=["“‘(]?\p{Lu})|\n+/u

function namesIn(sentence: string, own: ReadonlySet<string>): string[] {
  const words = sentence.split(/[\s/–—]+/).filter(Boolean)
  // In a headline with capitals throughout they do not mark names.
  const long = words.filter((word) => /^\p{L}{4,}/u.test(word))
  const isHeadline = long.length > 2 && long.filter((word) => /^\p{Lu}/u.test(word)).length / long.length > 0.7
  const names: string[] = []
  let name: string[] = []
  const end = () => {
    if (name.some((word) => /\p{L}|\./u.test(word))) names.push(name.join(' '))
    name = []
  }
  for (const [index, word] of words.entries()) {
    const bare = hasCapital(word) || /\d/.test(word) ? bareWord(word) : ''
    const isOpening = index === 0 && !isHeadline && !hasCapital(words[1] ?? '')
    const isName = hasCapital(word) && !isOpening && bare.length > 1 && !COMMON_WORDS.has(bare) && !own.has(bare)
    // "Atlas 2" and "Pagelark 4.1" are names with a number, even after the company's name.
    const isNumbered = VERSION.test(bare) && (name.length > 0 || own.has(bareWord(words[index - 1] ?? '')))
    if (isName || isNumbered) name.push(bare)
    else end()
    // "Beta Labs, Gamma Works" are two names.
    if (/[,;:.)]$|['’]s$/.test(word)) end()
  }
  end()
  return names
}

const VERSION = /^v?\d{1,4}(?:\.\d{1,4}){0,3}$/

const hasCapital = (word: string) => /^[^\p{L}\p{N}]*\p{Lu}/u.test(word)

/** All words of a text, normalised like names. */
export const splitFoldedWords = (text: string): string[] => text.split(/[\s/–—-]+/).map(bareWord)

function bareWord(word: string): string {
  return foldName(word)
    .replace(/['’]s(?=[^\p{L}]*$)/u, '')
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
}

/** "Sjövind" and "Sjoevind" are the same. */
const foldName = (text: string) => foldText(text).replaceAll(/(?<=[aou])e/g, '')
