import { foldText } from '../text/fold.ts'

/** A job title is short; of a longer text only the beginning can name a job. */
const MAX_TITLE_CHARS = 300

/** Abbreviations with their long forms. Abbreviations of levels (vp, svp) are kept. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  (
    'sr,snr:senior|jr:junior|mgr,mngr:manager|mgmt:management|dir:director|asst,assist:assistant|assoc:associate|' +
    'exec:executive|eng:engineering|engr:engineer|ops:operations|mktg,mkt:marketing|dev:development|' +
    'bizdev,bd:business development|biz:business|acct:account|admin:administrative|coord:coordinator|' +
    'rep:representative|spec:specialist|supv:supervisor|pres:president|tech:technical|comms:communications|' +
    'intl:international|govt:government|svcs:services|svc:service|cust:customer|infosec:information security|' +
    'cyber:cybersecurity|hrm:human resources|pm:project manager|programme:program|centre:center|leader:lead|' +
    'chairman,chairwoman,chairperson:chair|cofounder:founder|cofounding:founding'
  )
    .split('|')
    .flatMap((row) => {
      const [short = '', meant = ''] = row.split(':')
      return short.split(',').map((word) => [word, meant] as const)
    }),
)

/** "l'atelier", "d'information": the article is a word of its own. */
const ELISION = /(?<![\p{L}\p{N}])(dell|all|nell|[dl]|qu)['’](?=\p{L})/gu

const WORD_CHAR = /[\p{L}\p{N}]/u

/**
 * The words of a title with abbreviations expanded; a comma, slash or dash becomes ',' so that rules see where a part ends.
 * "V.P." and "R&D" stay one word, because their parts have no meaning.
 */
export function titleWords(title: string): string[] {
  const text = foldText(title.slice(0, MAX_TITLE_CHARS)).replaceAll(ELISION, '$1 ')
  const words: string[] = []
  let word = ''
  const push = () => {
    if (word) words.push(...(SPELLINGS.get(word) ?? word).split(' '))
    word = ''
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (WORD_CHAR.test(char)) {
      word += char
    } else if (char === '.' && word.length <= 2 && /\p{L}/u.test(text[i + 1] ?? '') && !/\s/.test(text[i + 1] ?? ' ')) {
      // "v.p." becomes "vp"; a full stop before a space ends a word.
    } else if (char === '&' && word.length <= 2 && word.length > 0 && WORD_CHAR.test(text[i + 1] ?? '')) {
      word += 'n' // R&D -> rnd, FP&A -> fpna, P&L -> pnl
    } else if (char === "'" || char === '’') {
      // "founder's" becomes "founders".
    } else {
      push()
      if (char === '&' || char === '+') words.push('and')
      else if (
        char === ',' ||
        char === '/' ||
        char === '|' ||
        char === ';' ||
        char === ':' ||
        char === '–' ||
        char === '—'
      )
        words.push(',')
      else if (char === '-' && (text[i + 1] === ' ' || text[i - 1] === ' ')) words.push(',')
    }
  }
  push()
  return words
}

const ASSISTANTS = new Set(['assistant', 'secretary', 'ea', 'pa', 'aide', 'associate', 'clerk', 'support'])
const TIES = new Set(['to', 'for'])

/** "Assistant to the CEO": true when the title of a superior follows. */
export function isAssistantTitle(words: readonly string[]): boolean {
  for (let i = 0; i + 2 < words.length + 1; i++) {
    if (ASSISTANTS.has(words[i] as string) && TIES.has(words[i + 1] ?? '')) return true
  }
  const office = words.indexOf('office')
  return office > 0 && words[office + 1] === 'of' && words.slice(0, office).some((word) => word === 'assistant')
}

/** Drops the title of the superior: "…to the CEO", "…, Office of the CTO". */
export function dropSuperior(words: readonly string[]): string[] {
  const office = words.findIndex((word, i) => word === 'office' && words[i + 1] === 'of' && words[i + 2] === 'the')
  const to = words.findIndex((word, i) => i > 0 && (word === 'to' || (word === 'for' && words[i + 1] === 'the')))
  const cut = [office, to].filter((at) => at > 0)
  return words.slice(0, cut.length > 0 ? Math.min(...cut) : words.length)
}
