// Splits a text into words, as offsets into the text without copying it.

export type Tokens = { text: string; count: number; start: Int32Array; end: Int32Array }

/** 0 separator, 1 part of a word, 3 apostrophe (part of a word only between letters). */
const CHAR_CLASS = new Uint8Array(128)
for (let c = 48; c <= 57; c++) CHAR_CLASS[c] = 1
for (let c = 97; c <= 122; c++) CHAR_CLASS[c] = 1
for (let c = 65; c <= 90; c++) CHAR_CLASS[c] = 1
CHAR_CLASS[39] = 3

function charClass(code: number): number {
  if (code < 128) return CHAR_CLASS[code] as number
  if (code === 0x2019) return 3
  // Letters of other scripts are words; Latin-1 signs, general punctuation and symbols are not.
  return code < 0xc0 || code === 0xd7 || code === 0xf7 || (code >= 0x2000 && code <= 0x2bff) ? 0 : 1
}

/** Buffers that splitWords reuses, because allocating them costs more than splitting a name of a few words. */
const SHORT = { start: new Int32Array(64), end: new Int32Array(64) }

/** The lower-cased words of a phrase, split exactly like a text ("Acme's" is "acme"). */
export function splitWords(phrase: string): string[] {
  const { count, start, end } = tokenize(phrase, SHORT)
  const words: string[] = []
  for (let t = 0; t < count; t++) {
    const word = phrase.slice(start[t], end[t]).toLowerCase()
    words.push(word.includes('’') ? word.replaceAll('’', "'") : word)
  }
  return words
}

function roomFor(text: string): typeof SHORT {
  const capacity = (text.length >> 2) + 16
  return { start: new Int32Array(capacity), end: new Int32Array(capacity) }
}

export function tokenize(text: string, room = roomFor(text)): Tokens {
  let { start, end } = room
  let count = 0
  const length = text.length
  let i = 0
  while (i < length) {
    let kind = charClass(text.charCodeAt(i))
    if (kind !== 1) {
      i++
      continue
    }
    const from = i
    while (kind !== 0 && !(kind === 3 && endsWord(text, i))) {
      i++
      kind = i < length ? charClass(text.charCodeAt(i)) : 0
    }
    if (count === start.length) {
      start = grow(start)
      end = grow(end)
    }
    start[count] = from
    end[count++] = i
    // Skip the possessive "'s", which is not part of the word.
    if (kind === 3) i += (text.charCodeAt(i + 1) | 32) === 115 ? 2 : 1
  }
  return { text, count, start, end }
}

/** Whether the apostrophe at `at` ends a word: the possessive does, so that "Acme's" is the word "acme". */
function endsWord(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  if (charClass(next) !== 1) return true
  return (next | 32) === 115 && (at + 2 >= text.length || charClass(text.charCodeAt(at + 2)) === 0)
}

function grow(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
