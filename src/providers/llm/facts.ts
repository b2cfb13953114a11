import { unsupportedFacts } from '../../engine/draft.ts'

/** Words that open sentences in notes and letters. Any other opening word is taken for a name that needs a source. */
const OPENERS = new Set(
  (
    'a about after all also although an and any are as ask at based because before best both but by can companies company ' +
    'congrats congratulations could dear did do does during each even evidence every expanding for from given growing had ' +
    'happy has have hello here hi hiring how however i if in is it its just kind let looking many may meanwhile might more ' +
    'most new news no not noticed now of offer on one only open opening or our please plus reach read reason recently regards ' +
    'saw scaling share should signal since sincerely so some still such teams thank thanks that the their then there ' +
    'therefore these they this those though time timing to today we what when where which while who why will with worth ' +
    'would you your'
  ).split(' '),
)
const OPENING = /(?:^|[.!?:]["”)*_]*\s+|\n[\s>*#_-]*)[*_“"]*(\p{Lu}[\p{L}'’-]*)/gu
const NUMBER_WORD =
  /(?<!\d[\d.,]*[ -]?)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?|doubled?|tripled?|half|third|quarter)\b/gi
const URL_IN_TEXT = /\bhttps?:\/\/[^\s)>\]"”]+|\bwww\.[^\s)>\]"”]+/gi
/** Notes are Markdown: neither markup nor pictures have a place in them. */
const MARKUP = /<\/?[a-z!][^>]*>?|!\[/i

/**
 * What a text of a language model claims that its sources do not: numbers, names, addresses, markup. Stricter than
 * needed, since a refused text only means that the plain one is used.
 */
export function addedFacts(text: string, sources: readonly string[], urls: readonly string[]): string[] {
  const found: string[] = []
  for (const [url] of text.matchAll(URL_IN_TEXT)) {
    const known = urls.some((source) => encodeURI(source) === encodeURI(url) || source === url.replace(/[.,;:]+$/, ''))
    if (!known) found.push(url)
  }
  const prose = text
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(URL_IN_TEXT, ' ')
    .replaceAll(/[[\]]/g, '')
  const source = sources.join('\n').toLowerCase()
  const words = new Set(source.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu))
  for (const [, word] of prose.matchAll(OPENING)) {
    const folded = (word as string).toLowerCase().replace(/['’](?:s|re|ve|ll|d|m)$/, '')
    if (!OPENERS.has(folded) && !words.has(folded)) found.push(word as string)
  }
  for (const [word] of prose.matchAll(NUMBER_WORD)) if (!words.has(word.toLowerCase())) found.push(word)
  const markup = MARKUP.exec(text)
  if (markup) found.push(markup[0])
  // Placeholders are written in brackets, links too: only what is no link is one.
  return [...new Set([...found, ...unsupportedFacts(text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'), sources)])]
}
