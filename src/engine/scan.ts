// One pass over a text for every phrase of every signal: words are hashed while they are read, looked up in one
// vocabulary, and the word ids drive one Aho-Corasick automaton. The cost grows with the text; more phrases only
// make the tables larger.

export type Tokens = {
  text: string
  count: number
  start: Int32Array
  end: Int32Array
  /** Vocabulary id of the lower-cased word, 0 when no phrase uses it. */
  word: Int32Array
}

/** Occurrences of phrases: `phrase[i]` covers the tokens `from[i]` up to and including `to[i]`. */
export type Hits = { count: number; phrase: Int32Array; from: Int32Array; to: Int32Array }

export type Scanner = {
  phrases: readonly string[]
  tokenize: (text: string) => Tokens
  find: (tokens: Tokens) => Hits
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** 0 separator, 1 part of a word, 2 upper-case ASCII, 3 apostrophe (part of a word only between letters). */
const CHAR_CLASS = new Uint8Array(128)
for (let c = 48; c <= 57; c++) CHAR_CLASS[c] = 1
for (let c = 97; c <= 122; c++) CHAR_CLASS[c] = 1
for (let c = 65; c <= 90; c++) CHAR_CLASS[c] = 2
CHAR_CLASS[39] = 3

function charClass(code: number): number {
  if (code < 128) return CHAR_CLASS[code] as number
  if (code === 0x2019) return 3
  // Letters of other scripts are words; Latin-1 signs, general punctuation and symbols are not.
  return code < 0xc0 || code === 0xd7 || code === 0xf7 || (code >= 0x2000 && code <= 0x2bff) ? 0 : 1
}

/** Compiles phrases (words separated by blanks, any case) into a scanner. */
export function compileScanner(phrases: readonly string[]): Scanner {
  const vocabulary = buildVocabulary(phrases)
  const find = buildAutomaton(phrases, vocabulary)
  return { phrases, find, tokenize: (text) => tokenize(text, vocabulary) }
}

type Vocabulary = { mask: number; slots: Int32Array; hashes: Int32Array; words: string[]; ids: Map<string, number> }

const NO_WORDS: Vocabulary = {
  mask: 0,
  slots: new Int32Array(1),
  hashes: new Int32Array(1),
  words: [''],
  ids: new Map(),
}

/** Room for the words of a phrase, used again and again: to allocate it costs more than to cut a name of a few words. */
const SHORT = { start: new Int32Array(64), end: new Int32Array(64), word: new Int32Array(64) }

/** The lower-cased words of a phrase, cut exactly as the scanner cuts a text ("Acme's" is "acme"). */
export function wordsOf(phrase: string): string[] {
  const { count, start, end } = tokenize(phrase, NO_WORDS, SHORT)
  const words: string[] = []
  for (let t = 0; t < count; t++) {
    const word = phrase.slice(start[t], end[t]).toLowerCase()
    words.push(word.includes('’') ? word.replaceAll('’', "'") : word)
  }
  return words
}

function hashOf(word: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME)
  return hash
}

function buildVocabulary(phrases: readonly string[]): Vocabulary {
  const ids = new Map<string, number>()
  const words = ['']
  for (const phrase of phrases) {
    for (const word of wordsOf(phrase)) {
      if (ids.has(word)) continue
      ids.set(word, words.length)
      words.push(word)
    }
  }
  let size = 1024
  while (size < words.length * 4) size *= 2
  const slots = new Int32Array(size)
  const hashes = new Int32Array(words.length)
  for (let id = 1; id < words.length; id++) {
    const hash = hashOf(words[id] as string)
    hashes[id] = hash
    let slot = hash & (size - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1)
    slots[slot] = id
  }
  return { mask: size - 1, slots, hashes, words, ids }
}

function lookUp(vocabulary: Vocabulary, hash: number, text: string, start: number, end: number): number {
  const { mask, slots, hashes, words } = vocabulary
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = slots[slot] as number
    if (id === 0) return 0
    if (hashes[id] !== hash) continue
    const word = words[id] as string
    if (word.length === end - start && sameWord(word, text, start)) return id
  }
}

function sameWord(word: string, text: string, start: number): boolean {
  for (let i = 0; i < word.length; i++) {
    let code = text.charCodeAt(start + i)
    if (code >= 65 && code <= 90) code += 32
    else if (code === 0x2019) code = 39
    if (word.charCodeAt(i) !== code) return false
  }
  return true
}

function roomFor(text: string): typeof SHORT {
  const capacity = (text.length >> 2) + 16
  return { start: new Int32Array(capacity), end: new Int32Array(capacity), word: new Int32Array(capacity) }
}

function tokenize(text: string, vocabulary: Vocabulary, room = roomFor(text)): Tokens {
  let { start, end, word } = room
  let capacity = start.length
  let count = 0
  const length = text.length
  let i = 0
  while (i < length) {
    let kind = charClass(text.charCodeAt(i))
    if (kind === 0 || kind === 3) {
      i++
      continue
    }
    const from = i
    let hash = FNV_OFFSET
    while (true) {
      let code = text.charCodeAt(i)
      if (kind === 2) code += 32
      else if (kind === 3) {
        // The possessive ends the word, so that "Acme's" is the word "acme".
        const next = i + 1 < length ? text.charCodeAt(i + 1) : 0
        const afterNext = i + 2 < length ? charClass(text.charCodeAt(i + 2)) : 0
        if (((next | 32) === 115 && afterNext === 0) || charClass(next) === 0 || charClass(next) === 3) break
        code = 39
      }
      hash = Math.imul(hash ^ code, FNV_PRIME)
      i++
      if (i >= length) break
      kind = charClass(text.charCodeAt(i))
      if (kind === 0) break
    }
    if (count === capacity) {
      capacity *= 2
      start = grow(start, capacity)
      end = grow(end, capacity)
      word = grow(word, capacity)
    }
    start[count] = from
    end[count] = i
    word[count++] = i - from > 40 ? 0 : lookUp(vocabulary, hash, text, from, i)
    // Skips the "'s" that was left out of the word.
    if (kind === 3 && i < length) {
      const next = i + 1 < length ? text.charCodeAt(i + 1) | 32 : 0
      i += next === 115 ? 2 : 1
    }
  }
  return { text, count, start, end, word }
}

function grow(array: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity)
  larger.set(array)
  return larger
}

function buildAutomaton(phrases: readonly string[], vocabulary: Vocabulary): (tokens: Tokens) => Hits {
  const children: Map<number, number>[] = [new Map()]
  const phraseAt: number[][] = [[]]
  const depth: number[] = [0]
  phrases.forEach((phrase, index) => {
    let state = 0
    for (const word of wordsOf(phrase)) {
      const id = vocabulary.ids.get(word) as number
      let next = children[state]?.get(id)
      if (next === undefined) {
        next = children.length
        children.push(new Map())
        phraseAt.push([])
        depth.push((depth[state] as number) + 1)
        children[state]?.set(id, next)
      }
      state = next
    }
    if (state !== 0) phraseAt[state]?.push(index)
  })
  const { fail, shorter } = linkFailures(children, phraseAt)
  const rootNext = new Int32Array(vocabulary.words.length)
  for (const [id, state] of children[0] as Map<number, number>) rootNext[id] = state

  return (tokens) => {
    let capacity = 64
    let hits: Hits = newHits(capacity)
    let state = 0
    for (let t = 0; t < tokens.count; t++) {
      const id = tokens.word[t] as number
      if (id === 0) {
        state = 0
        continue
      }
      let next: number | undefined
      while (state !== 0) {
        next = children[state]?.get(id)
        if (next !== undefined) break
        state = fail[state] as number
      }
      state = state === 0 ? (rootNext[id] as number) : (next as number)
      for (let at = state; at !== 0; at = shorter[at] as number) {
        for (const phrase of phraseAt[at] as number[]) {
          if (hits.count === capacity) {
            capacity *= 2
            hits = growHits(hits, capacity)
          }
          hits.phrase[hits.count] = phrase
          hits.from[hits.count] = t - (depth[at] as number) + 1
          hits.to[hits.count++] = t
        }
      }
    }
    return hits
  }
}

/**
 * The failure links (`fail`: the longest proper suffix that is a prefix of a phrase) and output links (`shorter`: the next
 * such suffix that ends a phrase) of Aho-Corasick.
 */
function linkFailures(children: Map<number, number>[], phraseAt: number[][]) {
  const fail = new Int32Array(children.length)
  const shorter = new Int32Array(children.length)
  const queue: number[] = [...(children[0] as Map<number, number>).values()]
  for (let q = 0; q < queue.length; q++) {
    const state = queue[q] as number
    for (const [id, child] of children[state] as Map<number, number>) {
      let back = fail[state] as number
      while (back !== 0 && !children[back]?.has(id)) back = fail[back] as number
      fail[child] = children[back]?.get(id) ?? 0
      queue.push(child)
    }
    const suffix = fail[state] as number
    shorter[state] = phraseAt[suffix]?.length ? suffix : (shorter[suffix] as number)
  }
  return { fail, shorter }
}

function newHits(capacity: number): Hits {
  return { count: 0, phrase: new Int32Array(capacity), from: new Int32Array(capacity), to: new Int32Array(capacity) }
}

function growHits(hits: Hits, capacity: number): Hits {
  const larger = newHits(capacity)
  larger.count = hits.count
  larger.phrase.set(hits.phrase)
  larger.from.set(hits.from)
  larger.to.set(hits.to)
  return larger
}
