import { findUnsupportedFacts } from '../../engine/draft/index.ts'

/**
 * Words that start sentences in notes and letters. Any other capitalised first word that is in no source and has no
 * common ending counts as a name.
 */
const FIRST_WORDS = new Set(
  (
    'a about after again all also although always an and another any anyone anything are around as ask at away back based ' +
    'be because been before being best better between beyond both business busy but by call can change companies company ' +
    'congrats congratulations costs could customers data dear demand did do does done down during each early either else ' +
    'even every everyone evidence expect fast few first focus for from further get given good great growth had happy has ' +
    'have having he hello help her here hers hi his hope how however i if in instead interested into is it its join just ' +
    'keep kind know large last later leaders learn least less let like long look lots make many may maybe me meanwhile ' +
    // check-words-ignore: vocabulary
    'might more most much my need never new news next no nobody none nor not nothing noticed now of off offer often on ' +
    'once one only open opportunity or other others our out over own people perhaps please plus point quick rather reach ' +
    'read ready reason recently regards right same saw see share she should show sign signal simply since sincerely small ' +
    'so some someone something soon start still such suggest support sure take talk team teams tell than thank thanks ' +
    'that the their them then there therefore these they things think this those though through time timing to today ' +
    'together too under until up us use usually very via want was way we well were what when where whether which while ' +
    // check-words-ignore: vocabulary
    'who whoever why will with within without work works worth would yes yet you your yours'
  ).split(' '),
)
const ORDINARY_ENDING = /(?:ing|ly|ions?|ments?|ness|able|ful|ous|ive|ed)$/
const OPENING = /(?:^|[.!?:]["”)*_]{0,4}\s{1,4}|\n[\s>*#_-]{0,20})[*_“"]{0,3}(\p{Lu}[\p{L}'’-]*)/gu
const NUMBER_WORD =
  /(?<!\d[\d.,]*[ -]?)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?|doubled?|tripled?|half)\b/gi
const URL_IN_TEXT = /\bhttps?:\/\/[^\s)>\]"”]+|\bwww\.[^\s)>\]"”]+/gi
/** Notes are Markdown without HTML and images. */
const MARKUP = /<\/?[a-z!][^>]*>?|!\[/i

/**
 * Facts in a text by a language model that its sources do not contain: numbers, names, URLs, markup. Stricter than
 * necessary, since the original text replaces a rejected one.
 */
export function findAddedFacts(text: string, sources: readonly string[], urls: readonly string[]): string[] {
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
    if (!FIRST_WORDS.has(folded) && !ORDINARY_ENDING.test(folded) && !hasForm(words, folded)) found.push(word as string)
  }
  for (const [word] of prose.matchAll(NUMBER_WORD)) if (!words.has(word.toLowerCase())) found.push(word)
  const markup = MARKUP.exec(text)
  if (markup) found.push(markup[0])
  // Placeholders and links are both written in brackets; links are unwrapped first.
  return [...new Set([...found, ...findUnsupportedFacts(text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'), sources)])]
}

/** Whether the sources contain the word in singular or plural. */
function hasForm(words: ReadonlySet<string>, word: string): boolean {
  return [word, `${word}s`, word.replace(/s$/, ''), word.replace(/es$/, '')].some((form) => words.has(form))
}
