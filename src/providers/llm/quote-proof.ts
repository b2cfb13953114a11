// Whether a document says what a language model read in it: the sentence stands there, the company is named at it, the day is written.
import { companyShortForms, coreWords } from '../../engine/companies/company-names.ts'
import { findDates } from '../../engine/dates/find-dates.ts'
import { detectLanguage } from '../../engine/text/language.ts'

/** What a model was shown; `isCut` when the text went on. */
export type ShownDocument = { title: string | null; text: string; published_date: string | null; isCut: boolean }

/** What proves an event; the quote is the document's own. */
type Proof = { quote: string; date: string | null }

/** A full stop after these ends no sentence: "3. November", "GmbH & Co. KG", "20 Mio. Euro", "z. B.", "Dr. Maier". */
const NO_END =
  /(?<![\p{L}\p{N}])(?:\d{1,2}|\p{L}|co|dr|prof|ing|mio|mill|mrd|nr|núm|bzw|ca|inkl|vgl|sra?|mme|dott|avv|art|tel)\.$/iu
/** Sentences that a quote may cover: some texts break their lines in the middle of one. */
const MOST_SENTENCES = 3
const MOST_QUOTED_CHARS = 600
const MOST_NAME_CHARS = 200

/** Languages that write no blanks between words. */
const UNSPACED = new Set(['ja', 'zh', 'th', 'ko'])
/** Languages that leave names as they are, but for an s. In all others a name may have any ending. */
const UNINFLECTED = new Set(['en', 'de', 'nl', 'sv', 'no', 'da', 'fr', 'es', 'it', 'pt'])
const LEGAL_FORMS = /株式会社|有限会社|合同会社|股份有限公司|有限公司|주식회사|\(주\)|（株）/g

const sentencesIn = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Tells of what a model says a document reports of a company whether it does: null when the document does not prove it. */
export function createQuoteProver(shown: ShownDocument, company: string, today: string) {
  const { title, text, published_date } = shown
  const titled = title === null ? [] : sentencesOf(title)
  const sentences = [...titled, ...sentencesOf(text).slice(0, shown.isCut ? -1 : undefined)]
  const letters = sentences.map(withoutBlanks)
  const isNamed = namesIn(`${title ?? ''}\n${text}`, company)
  const days = new Set(findDates(`${title ?? ''}\n${text}`, 'day-first').map(({ date }) => date))
  if (published_date !== null) days.add(published_date)

  return (quote: string, date: string | null): Proof | null => {
    const place = placeOf(quote)
    if (!place || (date !== null && !days.has(date))) return null
    const told = sentences.slice(place.from, place.to).join(' ')
    const around = [...titled, ...sentences.slice(Math.max(0, place.from - 1), place.from), told]
    if (told.length > MOST_QUOTED_CHARS || !around.some(isNamed)) return null
    // Without a day of its own the event has that of the document: it must not be one of earlier years.
    return date === null && isOfEarlierYears(told, published_date ?? today) ? null : { quote: told, date }
  }

  /** Where the document has exactly these words, from the beginning of a sentence to the end of one. */
  function placeOf(quote: string): { from: number; to: number } | null {
    const wanted = withoutMarks(withoutBlanks(quote))
    if (wanted === '') return null
    for (let from = 0; from < letters.length; from++) {
      let covered = ''
      for (let to = from; to < letters.length && to < from + MOST_SENTENCES; to++) {
        covered += letters[to]
        if (withoutMarks(covered) === wanted) return { from, to: to + 1 }
      }
    }
    return null
  }
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let goesOn = false
  for (const { segment } of sentencesIn.segment(text)) {
    const words = segment.replaceAll(/\s+/g, ' ').trim()
    if (words === '') continue
    const last = sentences.at(-1)
    // A line that begins with a small letter goes on where the one before was broken.
    if (last !== undefined && (goesOn || (/^\p{Ll}/u.test(words) && !'.!?'.includes(last.at(-1) as string)))) {
      sentences[sentences.length - 1] = `${last} ${words}`
    } else sentences.push(words)
    goesOn = !segment.endsWith('\n') && NO_END.test(words.slice(-12))
  }
  return sentences
}

const withoutBlanks = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, '')

/** Without the marks around a sentence, which a model may leave out. Every letter and number counts. */
function withoutMarks(text: string): string {
  const isMark = (at: number) => /\p{P}/u.test(text[at] as string)
  let [from, to] = [0, text.length]
  while (from < to && isMark(from)) from++
  while (to > from && isMark(to - 1)) to--
  return text.slice(from, to)
}

function isOfEarlierYears(sentence: string, published: string): boolean {
  const years = (sentence.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []).map(Number)
  return years.length > 0 && Math.max(...years) < Number(published.slice(0, 4)) - 1
}

/** Tells whether a sentence of a document names the company: in full, or for short where the document has the full name. */
function namesIn(document: string, company: string): (sentence: string) => boolean {
  const name = company.normalize('NFC').slice(0, MOST_NAME_CHARS).replaceAll(LEGAL_FORMS, ' ').trim()
  const core = withoutInitials(coreWords(name))
  if (core.length === 0) return () => false
  const language = detectLanguage(document)
  const forms = [core, ...companyShortForms(core)].map((words) => patternOf(words, language))
  // A company whose name has a capital is not meant by a word without one.
  const isCapital = /^\p{Lu}/u.test(name)
  const has = (text: string, form: RegExp) =>
    [...text.normalize('NFC').matchAll(form)].some(([found]) => !isCapital || !/^\p{Ll}/u.test(found))
  const full = forms[0] as RegExp
  if (!has(document, full)) return () => false
  return (sentence) => forms.some((form) => has(sentence, form))
}

/** "s.r.o." arrives as three letters. */
function withoutInitials(words: string[]): string[] {
  const end = words.findLastIndex((word) => word.length > 1) + 1
  return end > 0 && words.length - end > 1 ? words.slice(0, end) : words
}

function patternOf(words: readonly string[], language: string | null): RegExp {
  const spelled = words.map((word) => RegExp.escape(word)).join('[^\\p{L}\\p{N}]{1,3}')
  if (language !== null && UNSPACED.has(language)) {
    // Particles are glued to a name, but never a letter of its own script when that is Latin.
    const [before, after] = [/^[a-z0-9]/, /[a-z0-9]$/].map((edge) => (edge.test(words.join(' ')) ? '[a-z0-9]' : ''))
    return new RegExp(`${before && `(?<!${before})`}${spelled}${after && `(?!${after})`}`, 'giu')
  }
  const ending = language !== null && UNINFLECTED.has(language) ? "(?:[’']?s)?(?![\\p{L}\\p{N}])" : ''
  return new RegExp(`(?<![\\p{L}\\p{N}])${spelled}${ending}`, 'giu')
}
