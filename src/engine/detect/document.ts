// A document prepared for detection: its words, its sentences, and where they name the company.
import { type CompanyIdentity, findCompany, type Mention } from '../company-names.ts'
import { type Tokens, tokenize } from '../scan.ts'
import { type Sentence, splitSentences } from '../sentences.ts'
import { cutText } from '../storable.ts'
import type { ShownLine } from './doubt.ts'

export type ParsedDocument = { tokens: Tokens; lower: string; titleEnd: number; sentences: Sentence[] }

/** Cuts a title and a text. */
export function parseDocument(title: string, text: string): ParsedDocument {
  // A title without a word is none: its place would be taken by the first words of the text.
  const isTitled = /[\p{L}\p{N}]/u.test(title)
  const full = isTitled ? `${title}\n\n${text}` : text
  const titleEnd = isTitled ? title.length + 2 : 0
  const tokens = tokenize(full)
  return { tokens, lower: lowerCase(full), titleEnd, sentences: splitSentences(tokens, titleEnd) }
}

export type CompanyMentions = { all: readonly Mention[]; bySentence: ReadonlyMap<number, readonly Mention[]> }

/** Where the document names the company; null when it does not. */
export function findCompanyMentions(document: ParsedDocument, company: CompanyIdentity): CompanyMentions | null {
  const { tokens, lower, titleEnd, sentences } = document
  const { known, mentions } = findCompany(tokens, lower, company, titleEnd)
  if (!known) return null
  let s = 0
  const bySentence = Map.groupBy(mentions, ({ from }) => {
    while (s < sentences.length && (sentences[s] as Sentence).to <= from) s++
    return s
  })
  return { all: mentions, bySentence }
}

/** Sentences cut from tables may be long; a claim stays short. */
const MAX_SENTENCE_CHARS = 600

/** A sentence of the document, on one line, with the offsets of its text. */
export function sentenceText({ tokens, sentences }: ParsedDocument, index: number) {
  const { from, to, section } = sentences[index] as Sentence
  const start = tokens.start[from] as number
  const whole = tokens.text.slice(start, withPunctuation(tokens.text, tokens.end[to - 1] as number))
  const sentence = cutText(whole, MAX_SENTENCE_CHARS).replaceAll('\n', ' ')
  return { section, start, end: start + sentence.length, sentence }
}

/** Titles are short; of one that is not, no more is shown. */
const MAX_TITLE_SENTENCES = 2

/** A sentence with the one before and the one after it, and the headline. */
export function contextLines(document: ParsedDocument, { bySentence }: CompanyMentions, index: number): ShownLine[] {
  const { sentences } = document
  const isTitle = (at: number) => sentences[at]?.section === 'title'
  const line = (place: ShownLine['place'], at: number): ShownLine => ({
    place,
    text: sentenceText(document, at).sentence,
    isTitle: isTitle(at),
    proves: at === index || bySentence.has(at),
  })
  const titles = isTitle(index) ? [] : sentences.keys().filter(isTitle).take(MAX_TITLE_SENTENCES)
  return [
    ...[...titles].map((at) => line('headline', at)),
    ...(index > 0 && isTitle(index - 1) === isTitle(index) ? [line('before', index - 1)] : []),
    line('sentence', index),
    ...(index + 1 < sentences.length ? [line('after', index + 1)] : []),
  ]
}

/** The end of a sentence behind its closing punctuation. */
function withPunctuation(text: string, end: number): number {
  let at = end
  while (at < text.length && at < end + 3 && '.!?"”)%'.includes(text[at] as string)) at++
  return at
}

/** Lower case without ever changing the length, so that offsets stay valid. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
