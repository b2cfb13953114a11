import { splitWords } from '../text/tokens.ts'

/** Function words, and words that are common to all signals: they carry no content. */
const EMPTY_WORDS = new Set(
  (
    'a an the and or of to in on at for from by with as is are was were be been being has have had do does did will ' +
    'would should could can may might must that which who whom whose this these those it its they their them we our ' +
    'you your i me my he she his her not no if when where into over under than then there here other another such ' +
    'any all some every each about also only very really just so up out per via something someone anyone anything ' +
    'somebody anybody company companies business businesses organization organizations organisation organisations ' +
    'firm firms signal signals account accounts prospect prospects news event events thing things find detect show ' +
    'tell alert notify look looking watch mention mentions mentioned says said'
  ).split(' '),
)

/** The content words of a text, in lower case. */
export function contentWords(text: string): string[] {
  return splitWords(text).filter((word) => /\p{L}/u.test(word) && !EMPTY_WORDS.has(word))
}

/** The distinct stems of the content words. */
export function contentStems(text: string): Set<string> {
  return new Set(contentWords(text).map(stemWord))
}

/** Sentences with fewer stems are similar to too many others. */
export const MIN_STEMS = 3

/** The Jaccard similarity of two sets of stems. */
export function stemSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (Math.min(a.size, b.size) < MIN_STEMS) return 0
  const common = [...a].filter((stem) => b.has(stem)).length
  return common / (a.size + b.size - common)
}

const ENDINGS = ['ments', 'ment', 'ings', 'ing', 'ions', 'ion', 'ies', 'ied', 'es', 'ed', 's', 'e', 'y']
const MIN_STEM_CHARS = 3

/** A crude stem, the same for "acquires", "acquired" and "acquiring". */
export function stemWord(word: string): string {
  const bare = word.replace(/['’]s?$/, '')
  const ending = ENDINGS.find((one) => bare.endsWith(one) && bare.length - one.length >= MIN_STEM_CHARS)
  return ending && !bare.endsWith('ss') ? bare.slice(0, -ending.length) : bare
}
