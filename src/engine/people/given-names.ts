import lines from './given-names.json' with { type: 'json' }

/**
 * Common given names around the world, without accents. A name here is a person's even where nothing else on the page
 * speaks of people; a name that is not here is believed only where the page does.
 */
const GIVEN_NAMES = new Set(lines.flatMap((line) => line.split(' ')))

/** True when one of the words (folded, lower case) is a common given name; hyphenated ones count by their parts. */
export function hasGivenName(words: readonly string[]): boolean {
  return words.some(
    (word) => GIVEN_NAMES.has(word) || (word.includes('-') && word.split('-').some((part) => GIVEN_NAMES.has(part))),
  )
}
