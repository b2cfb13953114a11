// The sentences before and after a quote in its document, so that a reader can judge the quote in context.

/** Characters searched on each side: enough for two sentences, and independent of the document's length. */
const AROUND_CHARS = 400
const SENTENCES = 2

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The text around a quote in a document; null when neither title nor text contains the quote (any more). */
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

/**
 * The range of a quote in a text. Any whitespace matches any other, because a document's line breaks can change when it is read
 * again.
 */
export function findQuote(text: string, quote: string): [start: number, end: number] | null {
  const at = text.indexOf(quote)
  if (at >= 0) return [at, at + quote.length]
  const words = quote.split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const found = new RegExp(words.map((word) => RegExp.escape(word)).join('\\s+')).exec(text)
  return found && [found.index, found.index + found[0].length]
}

/** The last sentences of the text before a quote. With `isCut` the first one is incomplete and is dropped. */
function endOf(text: string, isCut: boolean): string {
  const sentences = segmentSentences(text)
  const whole = isCut && sentences.length > 1 ? sentences.slice(1) : sentences
  const kept = whole.slice(-SENTENCES).join('').trim()
  return isCut && sentences.length === 1 && kept ? `…${kept}` : kept
}

/** The first sentences of the text after a quote. With `isCut` the last one is incomplete and is dropped. */
function openingOf(text: string, isCut: boolean): string {
  const sentences = segmentSentences(text)
  const whole = isCut && sentences.length > 1 ? sentences.slice(0, -1) : sentences
  const kept = whole.slice(0, SENTENCES).join('').trim()
  return isCut && sentences.length === 1 && kept ? `${kept}…` : kept
}

/** The sentences of a text, without blank ones. */
export function segmentSentences(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment).filter((segment) => segment.trim() !== '')
}
