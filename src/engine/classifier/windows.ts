// What the reader reads: windows over a document in which one company is marked.
//
//   [CLS] [S] title [SEP] [S] sentence [S] sentence …          for the built-in signals
//   [CLS] description [SEP] [S] title [SEP] [S] sentence …     for a signal described in words
//
// training/windows.py builds the same ones to learn from.
import type { CompanyMention } from '../companies/company-names.ts'
import type { Sentence } from '../text/sentences.ts'
import type { Tokens } from '../text/tokens.ts'
import type { WordPieces } from './word-pieces.ts'

/** A document cut into sentences, as far as the reader needs it. */
export type Readable = { tokens: Tokens; sentences: readonly Sentence[] }

/** `places` are those of [S] in `ids`; `sentences` the sentences of the document that they open, the title's first. */
export type Window = { ids: number[]; places: number[]; sentences: number[]; isTitled: boolean }

const LONGEST_WINDOW = 256
const LONGEST_TITLE = 60
const LONGEST_SENTENCE = 110
const LONGEST_DESCRIPTION = 60

/** What stands later than this in a document is not read: the work for a text is bounded, however long it is. */
const MOST_WINDOWS = 16

type Reading = {
  /** A signal in words that the sentences are judged by. */
  description?: string
  /** Read also what is far from a mention of the company. */
  readsAll?: boolean
}

export class WindowBuilder {
  readonly #pieces: WordPieces
  readonly #cls: number
  readonly #sep: number
  readonly #sentence: number
  readonly #company: number

  constructor(pieces: WordPieces) {
    this.#pieces = pieces
    this.#cls = pieces.idOf('[CLS]')
    this.#sep = pieces.idOf('[SEP]')
    this.#sentence = pieces.idOf('[S]')
    this.#company = pieces.idOf('[TGT]')
  }

  /**
   * Windows of sentences, each with the title; contacts, disclaimers and "About" report no news. The first window holds
   * the opening as it is. Later ones hold the sentences that name the company, follow one that does, or say "we" or "the
   * company". `description` goes before, if given.
   */
  build(
    document: Readable,
    mentions: readonly CompanyMention[],
    { description, readsAll = false }: Reading = {},
  ): Window[] {
    const { sentences } = document
    const marked = new MarkedText(document, mentions)
    const opening =
      description === undefined
        ? [this.#cls]
        : [this.#cls, ...this.#pieces.encode(description, LONGEST_DESCRIPTION), this.#sep]
    const titles = sentences.findIndex(({ section }) => section !== 'title')
    const body = titles < 0 ? sentences.length : titles
    const head: Window = { ids: opening, places: [], sentences: [], isTitled: body > 0 }
    if (body > 0) {
      this.#add(head, 0, this.#encode(marked.textOf(0, body), LONGEST_TITLE))
      head.ids.push(this.#sep)
    }
    const windows: Window[] = []
    let window = copyOf(head)
    let isKept = true
    let isOpened = false
    const close = () => {
      if (isKept && window.sentences.length > head.sentences.length) windows.push(window)
      window = copyOf(head)
      isKept = false
      isOpened = true
    }
    for (let s = body; s < sentences.length && windows.length < MOST_WINDOWS; s++) {
      const { section } = sentences[s] as Sentence
      if (section !== 'body') continue
      const isNear = marked.isNamed(s) || marked.isNamed(s - 1) || marked.refersToCompany(s)
      if (isOpened && !isNear && !readsAll) continue
      const ids = this.#encode(marked.textOf(s, s + 1), LONGEST_SENTENCE)
      if (window.ids.length + 1 + ids.length > LONGEST_WINDOW && window.sentences.length > head.sentences.length)
        close()
      this.#add(window, s, ids)
      isKept ||= isNear
    }
    if (windows.length < MOST_WINDOWS) close()
    return windows.length > 0 || head.places.length === 0 ? windows : [head]
  }

  #add(window: Window, sentence: number, ids: number[]): void {
    window.places.push(window.ids.length)
    window.sentences.push(sentence)
    window.ids.push(this.#sentence, ...ids)
  }

  /** Text with `null` where the company is named. */
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

const copyOf = ({ ids, places, sentences, isTitled }: Window): Window => ({
  isTitled,
  ids: [...ids],
  places: [...places],
  sentences: [...sentences],
})

/** The text of sentences with the mentions of a company taken out of it. */
class MarkedText {
  readonly #document: Readable
  readonly #mentions: readonly CompanyMention[]
  readonly #first: Int32Array

  constructor(document: Readable, mentions: readonly CompanyMention[]) {
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

  /** The sentences `from` up to, not including, `to`: their text in parts, null for every mention. */
  textOf(from: number, to: number): (string | null)[] {
    const { tokens, sentences } = this.#document
    const { text } = tokens
    const parts: (string | null)[] = []
    let at = beginOf(tokens, sentences[from] as Sentence)
    const end = to < sentences.length ? beginOf(tokens, sentences[to] as Sentence) : text.length
    for (let m = this.#first[from] as number; m < (this.#first[to] as number); m++) {
      const mention = this.#mentions[m] as CompanyMention
      const start = tokens.start[mention.from] as number
      // Names may overlap, as a short form inside the full one.
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

/** A sentence begins with the quotation mark, the bracket or the currency sign before its first word. */
function beginOf({ text, start }: Tokens, { from }: Sentence): number {
  let at = start[from] as number
  while (at > 0 && OPENING.includes(text[at - 1] as string)) at--
  return at
}
