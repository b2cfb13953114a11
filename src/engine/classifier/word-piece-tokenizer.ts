// Text as token ids: lower case without accents, split at spaces, punctuation and digits, each word as the longest
// pieces of the vocabulary. training/windows.py tokenizes in the same way with the same vocabulary.

/** A longer sequence of characters is not a word. */
const MAX_WORD_CHARS = 40

/** Bounds the cache of tokenized words: names and typing errors would grow it without limit. */
const MAX_CACHED_WORDS = 50_000

const MARKS = /\p{Mn}/gu
const WORDS = /\p{N}+|[\p{P}$+<=>^`|~]|[^\s\p{N}\p{P}$+<=>^`|~]+/gu

export class WordPieceTokenizer {
  readonly #ids: Map<string, number>
  readonly #known = new Map<string, readonly number[]>()
  readonly #unknown: readonly number[]

  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((piece, id) => [piece, id]))
    this.#unknown = [this.idOf('[UNK]')]
  }

  idOf(piece: string): number {
    const id = this.#ids.get(piece)
    if (id === undefined) throw new Error(`The vocabulary has no ${piece}.`)
    return id
  }

  /** The first `most` tokens of the text; the rest is ignored. */
  encode(text: string, most: number): number[] {
    const pieces: number[] = []
    // A token has at least one character, so this much text always yields enough tokens.
    const plain = text
      .slice(0, most * MAX_WORD_CHARS)
      .normalize('NFKD')
      .replace(MARKS, '')
      .toLowerCase()
    for (const [word] of plain.matchAll(WORDS)) {
      if (pieces.length >= most) break
      pieces.push(...this.#piecesOf(word))
    }
    return pieces.length > most ? pieces.slice(0, most) : pieces
  }

  #piecesOf(word: string): readonly number[] {
    const known = this.#known.get(word)
    if (known) return known
    const pieces = this.#split(word)
    if (this.#known.size >= MAX_CACHED_WORDS) this.#known.clear()
    this.#known.set(word, pieces)
    return pieces
  }

  #split(word: string): readonly number[] {
    const characters = [...word]
    if (characters.length > MAX_WORD_CHARS) return this.#unknown
    const pieces: number[] = []
    for (let from = 0; from < characters.length; ) {
      let to = characters.length
      let id: number | undefined
      while (to > from) {
        const piece = characters.slice(from, to).join('')
        id = this.#ids.get(from === 0 ? piece : `##${piece}`)
        if (id !== undefined) break
        to--
      }
      if (id === undefined) return this.#unknown
      pieces.push(id)
      from = to
    }
    return pieces
  }
}
