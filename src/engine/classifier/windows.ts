// Builds the input of the network: windows over a document in which one company is marked.
//
//   [CLS] [S] title [SEP] [S] sentence [S] sentence …          for the built-in signals
//   [CLS] description [SEP] [S] title [SEP] [S] sentence …     for a signal described in words
//
// training/windows.py builds the same windows for training.
import type { CompanyMention } from '../companies/company-names.ts'
import type { Sentence } from '../text/sentences.ts'
import type { Tokens } from '../text/tokens.ts'
import type { WordPieceTokenizer } from './word-piece-tokenizer.ts'

/** A document split into sentences. */
export type SentenceDocument = { tokens: Tokens; sentences: readonly Sentence[] }

/**
 * `sentencePositions`: positions of [S] in `ids`. `sentences`: the document's sentences that they open, the title
 * first.
 */
export type SentenceWindow = { ids: number[]; sentencePositions: number[]; sentences: number[]; isTitled: boolean }

const MAX_WINDOW_TOKENS = 256
const MAX_TITLE_TOKENS = 60
const MAX_SENTENCE_TOKENS = 110
const MAX_DESCRIPTION_TOKENS = 60

/** Bounds the work per document; later text is ignored. */
const MAX_WINDOWS = 16

type WindowOptions = {
  /** A signal described in words, by which the sentences are judged. */
  description?: string
  /** Include sentences far from a mention of the company. */
  readsAll?: boolean
}

export class WindowBuilder {
  readonly #pieces: WordPieceTokenizer
  readonly #cls: number
  readonly #sep: number
  readonly #sentence: number
  readonly #company: number

  constructor(pieces: WordPieceTokenizer) {
    this.#pieces = pieces
    this.#cls = pieces.idOf('[CLS]')
    this.#sep = pieces.idOf('[SEP]')
    this.#sentence = pieces.idOf('[S]')
    this.#company = pieces.idOf('[TGT]')
  }

  /**
   * Windows of sentences, each with the title; contacts, disclaimers and "About" sections are skipped, because they
   * report no news. The first window contains the opening of the text. Later ones contain sentences that name the
   * company, follow one that does, or contain "we" or "the company". `description` is prepended, if given.
   */
  build(
    document: SentenceDocument,
    mentions: readonly CompanyMention[],
    { description, readsAll = false }: WindowOptions = {},
  ): SentenceWindow[] {
    const { sentences } = document
    const marked = new MarkedText(document, mentions)
    const opening =
      description === undefined
        ? [this.#cls]
        : [this.#cls, ...this.#pieces.encode(description, MAX_DESCRIPTION_TOKENS), this.#sep]
    const titles = sentences.findIndex(({ section }) => section !== 'title')
    const body = titles < 0 ? sentences.length : titles
    const head: SentenceWindow = { ids: opening, sentencePositions: [], sentences: [], isTitled: body > 0 }
    if (body > 0) {
      this.#add(head, 0, this.#encode(marked.textOf(0, body), MAX_TITLE_TOKENS))
      head.ids.push(this.#sep)
    }
    const windows: SentenceWindow[] = []
    let window = copyWindow(head)
    let isKept = true
    let isOpened = false
    const close = () => {
      if (isKept && window.sentences.length > head.sentences.length) windows.push(window)
      window = copyWindow(head)
      isKept = false
      isOpened = true
    }
    for (let s = body; s < sentences.length && windows.length < MAX_WINDOWS; s++) {
      const { section } = sentences[s] as Sentence
      if (section !== 'body') continue
      const isNear = marked.isNamed(s) || marked.isNamed(s - 1) || marked.refersToCompany(s)
      if (isOpened && !isNear && !readsAll) continue
      const ids = this.#encode(marked.textOf(s, s + 1), MAX_SENTENCE_TOKENS)
      if (window.ids.length + 1 + ids.length > MAX_WINDOW_TOKENS && window.sentences.length > head.sentences.length)
        close()
      this.#add(window, s, ids)
      isKept ||= isNear
    }
    if (windows.length < MAX_WINDOWS) close()
    return windows.length > 0 || head.sentencePositions.length === 0 ? windows : [head]
  }

  #add(window: SentenceWindow, sentence: number, ids: number[]): void {
    window.sentencePositions.push(window.ids.length)
    window.sentences.push(sentence)
    window.ids.push(this.#sentence, ...ids)
  }

  /** Encodes text parts; null is a mention of the company. */
  #encode(parts: readonly (string | null)[], most: number): number[] {
    const ids: number[] = []
    for (const part of parts) {
      if (ids.length >= most) break
      if (part === null) ids.push(this.#company)
      else ids.push(...this.#pieces.encode(part, most - ids.length))
    }
    return ids
  }
}

const copyWindow = ({ ids, sentencePositions, sentences, isTitled }: SentenceWindow): SentenceWindow => ({
  isTitled,
  ids: [...ids],
  sentencePositions: [...sentencePositions],
  sentences: [...sentences],
})

/** The text of sentences with the mentions of the company replaced. */
class MarkedText {
  readonly #document: SentenceDocument
  readonly #mentions: readonly CompanyMention[]
  readonly #first: Int32Array

  constructor(document: SentenceDocument, mentions: readonly CompanyMention[]) {
    this.#document = document
    this.#mentions = mentions
    this.#first = new Int32Array(document.sentences.length + 1)
    let m = 0
    document.sentences.forEach(({ from }, s) => {
      while (m < mentions.length && (mentions[m] as CompanyMention).from < from) m++
      this.#first[s] = m
    })
    this.#first[document.sentences.length] = mentions.length
  }

  isNamed(sentence: number): boolean {
    return sentence >= 0 && (this.#first[sentence] as number) < (this.#first[sentence + 1] as number)
  }

  refersToCompany(sentence: number): boolean {
    const { tokens, sentences } = this.#document
    const { from, to } = sentences[sentence] as Sentence
    return REFERENCE.test(tokens.text.slice(tokens.start[from], tokens.end[to - 1]))
  }

  /** The text of sentences `from` to `to` (exclusive) in parts, with null for every mention. */
  textOf(from: number, to: number): (string | null)[] {
    const { tokens, sentences } = this.#document
    const { text } = tokens
    const parts: (string | null)[] = []
    let at = sentenceStart(tokens, sentences[from] as Sentence)
    const end = to < sentences.length ? sentenceStart(tokens, sentences[to] as Sentence) : text.length
    for (let m = this.#first[from] as number; m < (this.#first[to] as number); m++) {
      const mention = this.#mentions[m] as CompanyMention
      const start = tokens.start[mention.from] as number
      // Mentions may overlap, as a short form inside the full name.
      if (start < at) continue
      parts.push(text.slice(at, start), null)
      at = tokens.end[mention.to - 1] as number
    }
    parts.push(text.slice(at, Math.max(at, end)))
    return parts
  }
}

const REFERENCE = /\b(?:we|our|the (?:company|firm|group))\b/i

const OPENING = '"\'“‘«([$€£¥'

/** A sentence includes the quotation mark, bracket or currency sign before its first word. */
function sentenceStart({ text, start }: Tokens, { from }: Sentence): number {
  let at = start[from] as number
  while (at > 0 && OPENING.includes(text[at - 1] as string)) at--
  return at
}
