import { lookupTable } from '../text/lookup-table.ts'
import { JOB_NOUNS } from './job-nouns.ts'
import lines from './languages.json' with { type: 'json' }

/**
 * Translates job titles of other languages, so that one vocabulary covers them all. Spellings are folded (no accents).
 * A line contains `foreign|foreign=english` pairs; phrases precede their words.
 */
const PHRASES = pairs(lines.phrases)
const JOBS = pairs(Object.values(lines.jobs).flat())
/** The first meaning of a word counts: the jobs of one language may be fields in another. */
const WORDS = new Map([...JOBS, ...pairs(lines.words)])

/** Nouns that name a job in other languages, and words that are translated to one. */
const FOREIGN_JOBS = new Set([
  ...JOBS.keys(),
  ...[...PHRASES, ...WORDS].flatMap(([word, english]) =>
    JOB_NOUNS.has(english.split(' ').at(-1) ?? '') && !word.includes(' ') ? word : [],
  ),
])

/** Whether one of the words of a title names a job. */
export function namesJob(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (isJobNoun(word) || JOB_ENDING.test(word)) return true
    const last = phraseAt(words, i)?.english.split(' ').at(-1) ?? ''
    return JOB_NOUNS.has(last) || last === 'board'
  })
}

const isJobNoun = (word: string) => JOB_NOUNS.has(word) || isForeignJobNoun(word)

export const isForeignJobNoun = (word: string): boolean => FOREIGN_JOBS.has(word) || LONG_HEAD.test(word)

const LINKS = new Set(
  'de des du di del della delle dei da do dos das d der van af av til for fur et y e und og och en la le les el los il les l the'.split(
    ' ',
  ),
)
const AND = new Set(['et', 'y', 'e', 'und', 'og', 'och', 'en'])
/** Second halves of compounds: "Innkjøps-sjef", "Personal-leiterin". The longest is tried first. */
const HEADS = [
  'abteilungsleiterin abteilungsleiter sachbearbeiterin sachbearbeiter mitarbeiterin mitarbeiter beauftragter beauftragte',
  'ingenieurin ingenieur managerin manager direktorin direktor directeur referentin referent spezialistin spezialist',
  'entwicklerin entwickler beraterin berater assistentin assistent leiterin leitung leiter medewerker medarbetare',
  'medarbejder adviseur konsulent radgiver ansvarlig ansvarig sjefen sjef chefin chef leder ledare leider vorstand paallikko johtaja',
  'einkaufer verkaufer ingenior ingenjor utvikler utvecklare controller analyst hoofd fahrer',
  'medewerkster beheerder verantwoordelijke functionaris ontwikkelaar monteur techniker technikerin analist jurist adviseur',
  'mechaniker mechanikerin vertreter vertreterin trainer trainerin geschaftsfuhrer geschaftsfuhrerin',
  'secretaresse chauffeur administrator administrateur sprecher sprecherin buchhalter buchhalterin beraterin assistentin',
]
  .join(' ')
  .split(' ')
const HEAD_WORDS = lookupTable<string>({ chef: 'manager', chefin: 'manager', sjefen: 'manager', leider: 'manager' })
/** Heads that are also the ends of other words: microcontroller, leather. */
const UNSURE_HEADS = new Set(['controller', 'administrator', 'leder'])
/** Ends of compounds that name a job but have no translation. */
const MORE_ENDINGS = 'kaufmann kauffrau meister meisterin'.split(' ')
const JOB_ENDING = new RegExp(
  `\\p{L}{3}(?:${[...HEADS.filter((head) => !UNSURE_HEADS.has(head)), ...MORE_ENDINGS].join('|')})$`,
  'u',
)

/** Long heads, with which no surname ends. */
const LONG_HEAD = new RegExp(
  `\\p{L}{3}(?:${HEADS.filter((head) => head.length > 7 || /^leiter/.test(head)).join('|')})$`,
  'u',
)

/** The longest phrase in words that begins with a word: most words of a title begin none. */
const LONGEST = new Map<string, number>()
for (const phrase of PHRASES.keys()) {
  const [first = '', ...others] = phrase.split(' ')
  LONGEST.set(first, Math.max(LONGEST.get(first) ?? 0, others.length + 1))
}
const SHORTEST_STEM = 3
/** A shorter end of a stem is more often a part of a word: "Fahr", "bau". */
const SHORTEST_FIELD = 5

function pairs(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of lines.flatMap((line) => line.split(';'))) {
    const [foreign = '', english = ''] = entry.trim().split('=')
    for (const word of foreign.split('|')) found.set(word.trim(), english)
  }
  return found
}

/** Translates the words of a title to English; `isForeign` when any was translated. */
export function translateTitleWords(words: readonly string[]): { words: string[]; isForeign: boolean } {
  const sure = translateWords(words, (word) => isUnsure(word, words.length === 1))
  return sure.isForeign || words.some((word) => FOREIGN_LINKS.has(word)) ? translateWords(words, () => false) : sure
}

/** English words that mean something else in another language: translated only next to a foreign word. */
const ENGLISH_TOO = new Set(
  'advocate atelier calculator conductor cuisine direction drift exploitation expeditions formation labor lager personal personas technique transports'.split(
    ' ',
  ),
)
/** Parts of English words, translated next to a foreign word or as the whole title, like short abbreviations. */
const PARTS_TOO = new Set(['consejero', 'medico', 'socio'])
const ABBREVIATION = 3
/** Short words that an English title does not contain. */
const FOREIGN_LINKS = new Set('de des du del della delle dei der et und och og fur av til'.split(' '))

const isUnsure = (word: string, isAlone: boolean) =>
  ENGLISH_TOO.has(word) || (!isAlone && (word.length <= ABBREVIATION || PARTS_TOO.has(word)))

function translateWords(words: readonly string[], isSkipped: (word: string) => boolean) {
  const result: string[] = []
  let isForeign = false
  for (let i = 0; i < words.length; ) {
    const taken = phraseAt(words, i)
    if (taken && !(taken.length === 1 && isSkipped(words[i] as string))) {
      result.push(...taken.english.split(' '))
      i += taken.length
      isForeign = true
      continue
    }
    const word = words[i] as string
    const english = isChief(words, i) ? 'manager' : isSkipped(word) ? null : (WORDS.get(word) ?? compound(word))
    if (english) result.push(...english.split(' '))
    else result.push(word)
    isForeign ||= english !== null && english !== undefined
    i++
  }
  if (!isForeign) return { words: result, isForeign }
  return { words: result.map((word) => (AND.has(word) ? 'and' : LINKS.has(word) ? 'of' : word)), isForeign }
}

/** "HR-chef" leads HR; an executive chef cooks. */
function isChief(words: readonly string[], i: number): boolean {
  return (
    words[i] === 'chef' &&
    i > 0 &&
    !/^(?:executive|sous|head|pastry|private|personal|master|senior|,|and)$/.test(words[i - 1] as string)
  )
}

function phraseAt(words: readonly string[], start: number): { english: string; length: number } | null {
  const longest = LONGEST.get(words[start] ?? '') ?? 0
  for (let length = Math.min(longest, words.length - start); length > 0; length--) {
    const english = PHRASES.get(words.slice(start, start + length).join(' '))
    if (english) return { english, length }
  }
  return null
}

/** "markedssjef" is "marketing manager": its second half names the job, its first the field. */
function compound(word: string): string | null {
  const head = HEADS.find((ending) => word.endsWith(ending) && word.length >= ending.length + SHORTEST_STEM)
  if (!head) return null
  const stem = word.slice(0, -head.length).replace(/-$/, '')
  const field = fieldOf(stem)
  if (!field && UNSURE_HEADS.has(head)) return null
  const english = field ?? stem
  const job = HEAD_WORDS[head] ?? PHRASES.get(head)?.replace(/ of$/, '') ?? WORDS.get(head) ?? head
  return job === 'head' ? `head of ${english}` : `${english} ${job}`
}

/** The field that a stem names as a whole or, in "Gebiets-verkaufs-leiter", by its end. */
function fieldOf(stem: string): string | undefined {
  for (let from = 0; from === 0 || from + SHORTEST_FIELD <= stem.length; from++) {
    const part = stem.slice(from)
    for (const form of [part, part.replace(/s$/, ''), part.replace(/e?n$/, ''), `${part}e`]) {
      const english = WORDS.get(form) ?? PHRASES.get(form)
      if (english) return english
    }
  }
  return undefined
}

/** Every word that the translation covers. */
export function translatableWords(): string[] {
  return [...PHRASES.keys(), ...WORDS.keys()].flatMap((phrase) => phrase.split(' '))
}
