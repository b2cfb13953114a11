import lines from './given-names.json' with { type: 'json' }

/**
 * Common given names around the world, without accents. A name with one of them is a person's name on any page; another name
 * counts only where the page is about people.
 */
const GIVEN_NAMES = new Set(lines.flatMap((line) => line.split(' ')))

/** True when one of the folded words, or a part of a hyphenated one, is a common given name. */
export function hasGivenName(words: readonly string[]): boolean {
  return words.some(
    (word) => GIVEN_NAMES.has(word) || (word.includes('-') && word.split('-').some((part) => GIVEN_NAMES.has(part))),
  )
}
