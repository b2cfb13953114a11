// Where a sentence stands in a document: what comes before it and after it, for somebody who wants to judge it.

/** So much is looked at on each side, whatever the document is: a person reads a sentence or two. */
const AROUND_CHARS = 400
const SENTENCES = 2

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** What stands around a quote in a title and its text; null when it does not stand there (any more). */
export function passageAround(
  title: string | null,
  text: string,
  quote: string,
): { before: string; after: string } | null {
  const place = findQuote(text, quote)
  if (place) {
    const [start, end] = place
    return {
      before: endOf(text.slice(Math.max(0, start - AROUND_CHARS), start), start > AROUND_CHARS),
      after: openingOf(text.slice(end, end + AROUND_CHARS), end + AROUND_CHARS < text.length),
    }
  }
  if (title === null || !findQuote(title, quote)) return null
  return { before: '', after: openingOf(text.slice(0, AROUND_CHARS), text.length > AROUND_CHARS) }
}

/** Documents are broken into lines anew when they are read again, so any space matches any other. */
export function findQuote(text: string, quote: string): [start: number, end: number] | null {
  const at = text.indexOf(quote)
  if (at >= 0) return [at, at + quote.length]
  const words = quote.split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const found = new RegExp(words.map((word) => RegExp.escape(word)).join('\\s+')).exec(text)
  return found && [found.index, found.index + found[0].length]
}

/** The last sentences of what stands before; the first of them was cut when the text goes further back. */
function endOf(text: string, isCut: boolean): string {
  const sentences = segmentSentences(text)
  const whole = isCut && sentences.length > 1 ? sentences.slice(1) : sentences
  const kept = whole.slice(-SENTENCES).join('').trim()
  return isCut && sentences.length === 1 && kept ? `…${kept}` : kept
}

/** The first sentences of what follows. */
function openingOf(text: string, isCut: boolean): string {
  const sentences = segmentSentences(text)
  const whole = isCut && sentences.length > 1 ? sentences.slice(0, -1) : sentences
  const kept = whole.slice(0, SENTENCES).join('').trim()
  return isCut && sentences.length === 1 && kept ? `${kept}…` : kept
}

/** Without those that are blank. */
export function segmentSentences(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment).filter((segment) => segment.trim() !== '')
}
