// A document parsed for detection: its tokens, its sentences, and its mentions of the company.
import {
  type CompanyIdentity,
  type CompanyMention,
  findCompanyMentions,
  findRelatedMentions,
} from '../companies/company-names.ts'
import { type Sentence, splitSentences } from '../text/sentences.ts'
import { cutText } from '../text/storable.ts'
import { type Tokens, tokenize } from '../text/tokens.ts'
import type { ShownLine } from './doubt.ts'

export type ParsedDocument = { tokens: Tokens; lower: string; titleEnd: number; sentences: Sentence[] }

/** Tokenizes a title and a text. */
export function parseDocument(title: string, text: string): ParsedDocument {
  // A title without words is dropped: the first words of the text would be taken for the title.
  const isTitled = /[\p{L}\p{N}]/u.test(title)
  const full = isTitled ? `${title}\n\n${text}` : text
  const titleEnd = isTitled ? title.length + 2 : 0
  const tokens = tokenize(full)
  return { tokens, lower: lowerCase(full), titleEnd, sentences: splitSentences(tokens, titleEnd) }
}

export type CompanyMentions = {
  all: readonly CompanyMention[]
  bySentence: ReadonlyMap<number, readonly CompanyMention[]>
  /** Sentences that name a related company and not this one: they report what the other one does. */
  ofOthers: ReadonlySet<number>
}

/** The mentions of the company in the document; null when there are none. */
export function findMentionsInDocument(document: ParsedDocument, company: CompanyIdentity): CompanyMentions | null {
  const { tokens, lower, titleEnd, sentences } = document
  const { known, mentions } = findCompanyMentions(tokens, lower, company, titleEnd)
  if (!known) return null
  const bySentence = groupBySentence(sentences, mentions)
  const others = company.others?.length ? findRelatedMentions(tokens, lower, company.others, titleEnd) : []
  const ofOthers = [...groupBySentence(sentences, others).keys()].filter((sentence) => !bySentence.has(sentence))
  return { all: mentions, bySentence, ofOthers: new Set(ofOthers) }
}

/** Mentions in their order, by the index of their sentence. */
function groupBySentence(sentences: readonly Sentence[], mentions: readonly CompanyMention[]) {
  let s = 0
  return Map.groupBy(mentions, ({ from }) => {
    while (s < sentences.length && (sentences[s] as Sentence).to <= from) s++
    return s
  })
}

/** Bounds the length of claims: sentences extracted from tables can be long. */
const MAX_SENTENCE_CHARS = 600

/** A sentence of the document on one line, with its offsets. */
export function sentenceText({ tokens, sentences }: ParsedDocument, index: number) {
  const { from, to, section } = sentences[index] as Sentence
  const start = tokens.start[from] as number
  const whole = tokens.text.slice(start, withPunctuation(tokens.text, tokens.end[to - 1] as number))
  const sentence = cutText(whole, MAX_SENTENCE_CHARS).replaceAll('\n', ' ')
  return { section, start, end: start + sentence.length, sentence }
}

/** Bounds what is shown of an unusually long title. */
const MAX_TITLE_SENTENCES = 2

/** A sentence with the previous and the next one, and the headline. */
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

/** The end of a sentence including its closing punctuation. */
function withPunctuation(text: string, end: number): number {
  let at = end
  while (at < text.length && at < end + 3 && '.!?"”)%'.includes(text[at] as string)) at++
  return at
}

/** Lower case with unchanged length, so that offsets stay valid. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
