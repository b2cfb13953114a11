import { splitFullName } from '../engine/person-name.ts'
import { nameKeyOf, PARTICLES, wordsOf } from './redact/mentions.ts'

/** Without what is no letter of it: nicknames and pronouns in brackets, characters that nobody sees. */
function spellingsOf(fullName: string): string[] {
  const bare = fullName.replaceAll(/\([^()]*\)/g, ' ')
  return [...new Set(['', ' '].map((gap) => bare.replaceAll(/\p{Cf}/gu, gap)))]
}

/** Every word that a name may be known by. */
export function nameWords(fullName: string): string[] {
  return [...new Set(spellingsOf(fullName).flatMap(wordsOf))]
}

/** By which a name is the same in any order, with or without titles and middle names. */
export function nameKeys(fullName: string): string[] {
  const keys = spellingsOf(fullName).flatMap((name) => [wordsOf(name), ...shortNames(name)].map(nameKeyOf))
  return [...new Set(keys.filter((key) => key !== null))]
}

/** A name in the order in which it is spoken, as whole words: "Pike, Ada B., MBA" is "ada pike". */
export function plainNames(fullName: string): string[] {
  const names = spellingsOf(fullName).flatMap((name) => [wordsOf(name), ...shortNames(name)])
  return [...new Set(names.map((words) => words.join(' ')))].filter((name) => name !== '')
}

export function surnamesOf(fullName: string): string[] {
  const words = spellingsOf(fullName).flatMap((name) => wordsOf(splitFullName(name).last_name))
  return [...new Set(words)].filter((word) => word.length > 1 && !PARTICLES.has(word))
}

/** Texts leave middle names out, and one of two surnames: "Ada Beatrice O'Neill-Pike" is "Ada Pike" there, or "Ada O'Neill". */
function shortNames(fullName: string): string[][] {
  const { first_name, last_name } = splitFullName(fullName)
  const [given] = first_name ? wordsOf(first_name).filter((word) => word.length > 1) : []
  const surnames = wordsOf(last_name)
  // Of "van den Berg" only the last is a surname of its own.
  return given
    ? surnames.filter((word, at) => word.length > 3 || at === surnames.length - 1).map((word) => [given, word])
    : []
}
