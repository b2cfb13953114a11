// Splits a document into sentences, as ranges of tokens with the document section they belong to. One pass over the
// characters between tokens decides everything, so the cost does not depend on how many sentence ends there are.
import type { Tokens } from './tokens.ts'

export type DocumentSection = 'title' | 'body' | 'about' | 'forward' | 'contact'

/** Tokens `from` (inclusive) to `to` (exclusive); `paragraph` is a zero-based index; `quoted` when most of it is a quotation. */
export type Sentence = { from: number; to: number; section: DocumentSection; paragraph: number; quoted: boolean }

/** Tokens. A longer sentence is cut, so that lists and tables without punctuation do not become one sentence. */
const LONGEST_SENTENCE = 120

const ABBREVIATIONS = new Set(
  (
    'inc corp ltd co llc plc mr mrs ms dr prof st jr sr no vs gov sen rep gen col lt capt hon dept est approx fig ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ' +
    'ariz calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa tenn tex va vt wash wis wyo ont'
  ).split(' '),
)

const SECTION_HEADINGS: { words: string[]; section: DocumentSection }[] = [
  { words: ['about', 'the', 'company'], section: 'about' },
  { words: ['forward', 'looking'], section: 'forward' },
  { words: ['cautionary', 'note'], section: 'forward' },
  { words: ['cautionary', 'statement'], section: 'forward' },
  { words: ['safe', 'harbor'], section: 'forward' },
  { words: ['safe', 'harbour'], section: 'forward' },
  { words: ['disclaimer'], section: 'forward' },
  { words: ['disclosure'], section: 'forward' },
  { words: ['important', 'information'], section: 'forward' },
  { words: ['media', 'contact'], section: 'contact' },
  { words: ['media', 'contacts'], section: 'contact' },
  { words: ['press', 'contact'], section: 'contact' },
  { words: ['contact', 'information'], section: 'contact' },
  { words: ['contact', 'details'], section: 'contact' },
  { words: ['company', 'contact'], section: 'contact' },
  { words: ['investor', 'relations'], section: 'contact' },
  { words: ['investor', 'contact'], section: 'contact' },
  { words: ['wire', 'contact'], section: 'contact' },
  { words: ['corporate', 'communications'], section: 'contact' },
  { words: ['for', 'more', 'information'], section: 'contact' },
]

/** Splits tokens into sentences. `titleEnd` is the character offset where the title ends. */
export function splitSentences(tokens: Tokens, titleEnd: number): Sentence[] {
  const { text, count, start, end } = tokens
  const wrapped = isHardWrapped(text, titleEnd)
  const sentences: Sentence[] = []
  let from = 0
  let section: DocumentSection = titleEnd > 0 ? 'title' : 'body'
  let paragraph = 0
  let inQuote = count > 0 && readGap(text, 0, start[0] as number, wrapped).opensNext
  let quotedTokens = 0
  for (let t = 0; t < count; t++) {
    if (inQuote) quotedTokens++
    const gapStart = end[t] as number
    const gapEnd = t + 1 < count ? (start[t + 1] as number) : text.length
    const gap = readGap(text, gapStart, gapEnd, wrapped)
    if (gap.quotes === 1) inQuote = !inQuote
    else if (gap.opens) inQuote = true
    else if (gap.closes) inQuote = false
    const titleEnds = section === 'title' && gapEnd >= titleEnd
    const isLast = t + 1 === count
    const stops =
      isLast ||
      titleEnds ||
      gap.newline > 0 ||
      t - from >= LONGEST_SENTENCE ||
      (gap.stop && !isAbbreviation(tokens, t, gap.stop === 1) && startsSentence(text, gapEnd))
    if (!stops) continue
    if (section !== 'title') {
      const heading = gap.newline > 0 || isLast || t - from < 3 ? sectionOf(tokens, from, t + 1, gap.newline > 0) : null
      if (heading) section = heading
      else if (startsAbout(tokens, from, t + 1)) section = 'about'
    }
    const place = section === 'body' && isSyndicationNote(tokens, from, t + 1) ? 'contact' : section
    sentences.push({ from, to: t + 1, section: place, paragraph, quoted: quotedTokens * 2 > t + 1 - from })
    if (titleEnds) section = 'body'
    if (gap.newline > 1 || titleEnds) {
      paragraph++
      // An unbalanced quotation mark must not turn the rest of the document into a quotation.
      inQuote = gap.opensNext
    }
    from = t + 1
    quotedTokens = 0
  }
  return sentences
}

type Gap = { stop: 0 | 1 | 2; newline: 0 | 1 | 2; quotes: number; opens: boolean; closes: boolean; opensNext: boolean }

/**
 * `stop` 1: a full stop, 2: another end mark; `opensNext`: a quotation opens on the new line. Reads at most the first 200
 * characters of a gap.
 */
function readGap(text: string, from: number, to: number, wrapped: boolean): Gap {
  const gap: Gap = { stop: 0, newline: 0, quotes: 0, opens: false, closes: false, opensNext: false }
  let newlines = 0
  const limit = Math.min(to, from + 200)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 44) continue
    if (code === 10) {
      newlines++
      gap.opensNext = false
    } else if (code === 46) gap.stop = gap.stop || 1
    else if (code === 33 || code === 63) gap.stop = 2
    else if (code === 0x2022 || code === 42) {
      if (newlines > 0) newlines = 2
    } else if (code === 34) {
      gap.quotes++
      gap.opensNext = true
    } else if (code === 0x201c) {
      gap.opens = true
      gap.opensNext = true
    } else if (code === 0x201d) gap.closes = true
  }
  gap.newline = newlines > 1 ? 2 : newlines === 1 && !wrapped ? 1 : 0
  // A full stop between word characters ("Tokens.com", "3.5", "U.S") does not end a sentence, unless a space is missing
  // ("production.The").
  if (gap.stop === 1 && to - from === 1 && !isForgottenBlank(text, from, to)) gap.stop = 0
  return gap
}

function isForgottenBlank(text: string, from: number, to: number): boolean {
  const isLower = (at: number) => text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122
  const next = text.charCodeAt(to)
  return next >= 65 && next <= 90 && isLower(to + 1) && isLower(from - 1) && isLower(from - 2) && isLower(from - 3)
}

function startsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return !(code >= 97 && code <= 122)
}

function isAbbreviation(tokens: Tokens, t: number, fullStop: boolean): boolean {
  if (!fullStop) return false
  const { text, start, end } = tokens
  const from = start[t] as number
  const length = (end[t] as number) - from
  // Initials and "U.S."; a lone capital before a stop is rarely the end of a sentence.
  if (length === 1) return text.charCodeAt(from) >= 65 && text.charCodeAt(from) <= 90
  if (length > 6) return false
  const word = text.slice(from, from + length)
  const lower = word.toLowerCase()
  if (!ABBREVIATIONS.has(lower)) return false
  // "may", "sun", "co" in lower case are ordinary words; abbreviations of names and months carry a capital.
  return word !== lower
}

function sectionOf(tokens: Tokens, from: number, to: number, ownLine: boolean): DocumentSection | null {
  const size = to - from
  for (const { words, section } of SECTION_HEADINGS) {
    if (size < words.length || (!ownLine && size > words.length + 3)) continue
    if (size > 9) continue
    // "Cautionary note regarding forward-looking statements" has the words of the heading a few tokens later.
    const reach = section === 'forward' ? Math.min(4, size - words.length) : 0
    for (let shift = 0; shift <= reach; shift++) {
      if (words.every((word, i) => wordAt(tokens, from + shift + i) === word)) return section
    }
  }
  return null
}

/** "About Acme Robotics", as a separate line or before a colon or dash. */
function startsAbout(tokens: Tokens, from: number, to: number): boolean {
  const first = wordAt(tokens, from)
  if (first !== 'about' || to - from < 2 || to - from > 12) return false
  const { text, start, end } = tokens
  const next = text.charCodeAt(start[from + 1] as number)
  const capital = next < 97 || next > 122
  const stop = text.charCodeAt(end[to - 1] as number)
  return capital && stop !== 63
}

/** "The post … appeared first on …" only repeats the headline. */
function isSyndicationNote(tokens: Tokens, from: number, to: number): boolean {
  if (to - from < 6 || wordAt(tokens, from) !== 'the' || wordAt(tokens, from + 1) !== 'post') return false
  for (let t = from + 2; t + 1 < to; t++)
    if (wordAt(tokens, t) === 'appeared' && wordAt(tokens, t + 1) === 'first') return true
  return false
}

function wordAt(tokens: Tokens, t: number): string {
  const from = tokens.start[t] as number
  const to = tokens.end[t] as number
  return to - from > 20 ? '' : tokens.text.slice(from, to).toLowerCase()
}

/** Whether lines are wrapped at a fixed width, as in old newswire text: then a single line break does not end a sentence. */
function isHardWrapped(text: string, from: number): boolean {
  const end = Math.min(text.length, from + 6000)
  let lines = 0
  let wrappedLines = 0
  let lineStart = from
  for (let i = from; i < end; i++) {
    if (text.charCodeAt(i) !== 10) continue
    const length = i - lineStart
    lineStart = i + 1
    if (length < 2) continue
    if (length > 100) return false
    lines++
    if (length >= 45) wrappedLines++
  }
  return lines >= 5 && wrappedLines >= lines * 0.6
}
