// Language detection: counts function words of the common European languages, and recognises other scripts by their letters.

const ENGLISH = 'the of and to in for with is that on by as are from has will its this an be at it was have our which'
const OTHERS: readonly [language: string, words: string][] = [
  ['es', 'de la que el en los las del por para con una su como más se ha es y un al lo'],
  ['fr', 'le les des et du une dans pour est que sur avec par qui au aux plus ses son la de en'],
  ['de', 'der die und das den von zu mit für auf ist im dem nicht ein eine sich des auch als bei'],
  ['sv', 'och att det som en på är av för med till den ett inte har om de i'],
  ['it', 'di il che la e per un con del della sono le una dei nel gli alla'],
  ['nl', 'de het een en van te dat op zijn voor met niet aan er om ook'],
  ['pt', 'o que e do da em um para com não uma os no se na por mais as dos'],
  ['no', 'og i det er til en av på som for med den har ikke de'],
  ['pl', 'w i z na do się nie że jest oraz dla od po'],
]
/** Languages that are recognised by their script; the first match wins. */
const SCRIPTS: readonly [language: string, letter: RegExp][] = [
  ['ja', /[\u3040-\u30ff]/g],
  ['ko', /[\uac00-\ud7af]/g],
  ['zh', /[\u4e00-\u9fff]/g],
  ['ru', /[\u0400-\u04ff]/g],
  ['el', /[\u0370-\u03ff]/g],
  ['he', /[\u0590-\u05ff]/g],
  ['ar', /[\u0600-\u06ff]/g],
  ['th', /[\u0e00-\u0e7f]/g],
]
const SCRIPT_LETTERS = 10

const WORDS_READ = 400
/** Fewer words do not show a language. */
const ENOUGH_WORDS = 8
/** In prose of at least this many words, at least this share are function words of its language. */
const MANY_WORDS = 60
const LEAST_SHARE = 0.03

const english = new Set(ENGLISH.split(' '))
const others = OTHERS.map(([, words]) => new Set(words.split(' ').filter((word) => !english.has(word))))

/** True when the text is English. A text too short to decide counts as English. */
export function isEnglish(text: string): boolean {
  const parts = partsOf(text).map(countWords)
  return parts.every(isEnglishPart) && hasEnglish(parts)
}

/** The middle is checked too, because the start may be a dateline or an English headline over a translated body. */
function partsOf(text: string): string[] {
  const middle = text.length >> 1
  return text.length > 6000 ? [text.slice(0, 2500), text.slice(middle, middle + 2500)] : [text.slice(0, 5000)]
}

/** The two-letter code of a text's language; null when the text is too short or its language is not in the lists above. */
export function detectLanguage(text: string): string | null {
  const parts = partsOf(text).map((part) => ({ part, counted: countWords(part) }))
  const foreign = parts.find(({ counted }) => !isEnglishPart(counted))
  const { part, counted } = foreign ?? (parts[0] as (typeof parts)[number])
  if (isForeignScript(counted)) {
    return SCRIPTS.find(([, letter]) => (part.match(letter)?.length ?? 0) >= SCRIPT_LETTERS)?.[0] ?? null
  }
  if (counted.words < ENOUGH_WORDS) return null
  if (!foreign && hasEnglish(parts.map(({ counted }) => counted))) return counted.english >= 2 ? 'en' : null
  const strongest = Math.max(...counted.others)
  // Too few function words of any listed language.
  if (strongest < counted.words * LEAST_SHARE) return null
  return OTHERS[counted.others.indexOf(strongest)]?.[0] ?? null
}

/** The English name of a language: "German" for `de`. */
export function languageName(language: string): string {
  return NAMES.of(language) ?? language
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' })

type Counted = { words: number; letters: number; foreignLetters: number; english: number; others: number[] }

const isForeignScript = ({ letters, foreignLetters }: Counted) => letters > 20 && foreignLetters * 3 > letters

function isEnglishPart(counted: Counted): boolean {
  if (isForeignScript(counted)) return false
  const { words, english, others } = counted
  const strongest = Math.max(...others)
  // About every third word of English prose is in the list; names and tables have fewer.
  return words < ENOUGH_WORDS || strongest <= english * 0.8 || (strongest < 4 && strongest <= words * 0.12)
}

/** A long text with hardly any English function word is in an unlisted language, such as Finnish. A table may have few, too. */
function hasEnglish(parts: readonly Counted[]): boolean {
  const [words, english] = [sum(parts.map(({ words }) => words)), sum(parts.map(({ english }) => english))]
  return words < MANY_WORDS || english >= words * LEAST_SHARE
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function countWords(part: string): Counted {
  let words = 0
  let letters = 0
  let foreignLetters = 0
  let englishWords = 0
  const otherWords = new Array<number>(others.length).fill(0)
  let start = -1
  for (let i = 0; i <= part.length && words < WORDS_READ; i++) {
    const code = i < part.length ? part.charCodeAt(i) : 32
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0xc0
    const isPunctuation = code >= 0x2000 && code <= 0x2bff
    if (isLetter && !isPunctuation) {
      letters++
      if (code > 0x24f) foreignLetters++
      if (start < 0) start = i
      continue
    }
    if (start < 0) continue
    if (i - start <= 5) {
      const word = part.slice(start, i).toLowerCase()
      if (english.has(word)) englishWords++
      else for (let k = 0; k < others.length; k++) if (others[k]?.has(word)) (otherWords[k] as number)++
    }
    words++
    start = -1
  }
  return { words, letters, foreignLetters, english: englishWords, others: otherWords }
}
