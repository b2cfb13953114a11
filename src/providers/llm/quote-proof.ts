// Checks that a document contains what a language model extracted from it: the quoted sentence, the company's name next
// to it, and the date.
import { companyShortForms, coreWords } from '../../engine/companies/company-names.ts'
import { findDates } from '../../engine/dates/find-dates.ts'
import { detectLanguage } from '../../engine/text/language.ts'

/** The part of a document in the prompt; `isCut` when its text was truncated. */
export type ShownDocument = { title: string | null; text: string; published_date: string | null; isCut: boolean }

/** The proof of an event, with the sentence as the document has it. */
type Proof = { quote: string; date: string | null }

/**
 * A full stop after these does not end a sentence: "3. November", "GmbH & Co. KG", "20 Mio. Euro", "z. B.", "Dr.
 * Maier".
 */
const ABBREVIATION =
  /(?<![\p{L}\p{N}])(?:\d{1,2}|\p{L}|co|dr|prof|ing|mio|mill|mrd|nr|núm|bzw|ca|inkl|vgl|sra?|mme|dott|avv|art|tel)\.$/iu
/** Segments that a quote may span: some texts have line breaks within a sentence. */
const MAX_SENTENCES = 3
const MAX_QUOTE_CHARS = 600
const MAX_NAME_CHARS = 200

/** Languages without spaces between words. */
const UNSPACED = new Set(['ja', 'zh', 'th', 'ko'])
/** Languages that do not inflect names except for a possessive s. In other languages a name may have any ending. */
const UNINFLECTED = new Set(['en', 'de', 'nl', 'sv', 'no', 'da', 'fr', 'es', 'it', 'pt'])
const LEGAL_FORMS = /株式会社|有限会社|合同会社|股份有限公司|有限公司|주식회사|\(주\)|（株）/g

const sentencesIn = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Returns a function that checks a quote and a date against the document; it returns null without proof. */
export function createQuoteProver(shown: ShownDocument, company: string, today: string) {
  const { title, text, published_date } = shown
  const titled = title === null ? [] : sentencesOf(title)
  const sentences = [...titled, ...sentencesOf(text).slice(0, shown.isCut ? -1 : undefined)]
  const letters = sentences.map(removeSpaces)
  const isNamed = createMentionTest(`${title ?? ''}\n${text}`, company)
  const days = new Set(findDates(`${title ?? ''}\n${text}`, 'day-first').map(({ date }) => date))
  if (published_date !== null) days.add(published_date)

  return (quote: string, date: string | null): Proof | null => {
    const place = placeOf(quote)
    if (!place || (date !== null && !days.has(date))) return null
    const sentence = sentences.slice(place.from, place.to).join(' ')
    const around = [...titled, ...sentences.slice(Math.max(0, place.from - 1), place.from), sentence]
    if (sentence.length > MAX_QUOTE_CHARS || !around.some(isNamed)) return null
    // An event without a date gets the date of the document, so the sentence must not be about earlier years.
    return date === null && isOfEarlierYears(sentence, published_date ?? today) ? null : { quote: sentence, date }
  }

  /** Finds exactly these words, from the start of a sentence to the end of one. */
  function placeOf(quote: string): { from: number; to: number } | null {
    const wanted = trimPunctuation(removeSpaces(quote))
    if (wanted === '') return null
    for (let from = 0; from < letters.length; from++) {
      let covered = ''
      for (let to = from; to < letters.length && to < from + MAX_SENTENCES; to++) {
        covered += letters[to]
        if (trimPunctuation(covered) === wanted) return { from, to: to + 1 }
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
    // A line that starts in lower case continues the previous line.
    if (last !== undefined && (goesOn || (/^\p{Ll}/u.test(words) && !'.!?'.includes(last.at(-1) as string)))) {
      sentences[sentences.length - 1] = `${last} ${words}`
    } else sentences.push(words)
    goesOn = !segment.endsWith('\n') && ABBREVIATION.test(words.slice(-12))
  }
  return sentences
}

const removeSpaces = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, '')

/** Removes punctuation around a sentence, which a model may omit. All letters and digits have to match. */
function trimPunctuation(text: string): string {
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

/**
 * Returns a function that checks whether a sentence mentions the company: by its full name, or by a short form if the
 * document contains the full name.
 */
function createMentionTest(document: string, company: string): (sentence: string) => boolean {
  const name = company.normalize('NFC').slice(0, MAX_NAME_CHARS).replaceAll(LEGAL_FORMS, ' ').trim()
  const core = removeInitials(coreWords(name))
  if (core.length === 0) return () => false
  const language = detectLanguage(document)
  const forms = [core, ...companyShortForms(core)].map((words) => patternOf(words, language))
  // A lower-case word is no mention of a company whose name is capitalised.
  const isCapital = /^\p{Lu}/u.test(name)
  const has = (text: string, form: RegExp) =>
    [...text.normalize('NFC').matchAll(form)].some(([found]) => !isCapital || !/^\p{Ll}/u.test(found))
  const full = forms[0] as RegExp
  if (!has(document, full)) return () => false
  return (sentence) => forms.some((form) => has(sentence, form))
}

/** "s.r.o." is tokenized into three letters. */
function removeInitials(words: string[]): string[] {
  const end = words.findLastIndex((word) => word.length > 1) + 1
  return end > 0 && words.length - end > 1 ? words.slice(0, end) : words
}

function patternOf(words: readonly string[], language: string | null): RegExp {
  const spelled = words.map((word) => RegExp.escape(word)).join('[^\\p{L}\\p{N}]{1,3}')
  if (language !== null && UNSPACED.has(language)) {
    // Particles are attached to a name, but a Latin name is not followed by another Latin letter.
    const [before, after] = [/^[a-z0-9]/, /[a-z0-9]$/].map((edge) => (edge.test(words.join(' ')) ? '[a-z0-9]' : ''))
    return new RegExp(`${before && `(?<!${before})`}${spelled}${after && `(?!${after})`}`, 'giu')
  }
  const ending = language !== null && UNINFLECTED.has(language) ? "(?:[’']?s)?(?![\\p{L}\\p{N}])" : ''
  return new RegExp(`(?<![\\p{L}\\p{N}])${spelled}${ending}`, 'giu')
}
