import { PARTICLES } from '../engine/english/words.ts'
import { splitFullName } from '../engine/people/person-name.ts'
import { nameKeyOf, wordsOf } from '../engine/redact/mentions.ts'

/**
 * Without what is no letter of it: nicknames and pronouns in brackets, characters that nobody sees. And with umlauts as they
 * are written where there are none: "Joerg" for "Jörg". In "Samuel Moeller" one word has one.
 */
function spellingsOf(fullName: string): string[] {
  const bare = fullName.normalize('NFC').replaceAll(/\([^()]*\)|"[^"]*"|“[^“”]*”|«[^«»]*»/g, ' ')
  const seen = ['', ' '].map((gap) =>
    bare
      .replaceAll(/\p{Cf}/gu, gap)
      .trim()
      .replaceAll(/\s+/g, ' '),
  )
  const all = seen.flatMap((name) => {
    const words = name.split(' ')
    const one = words.map((_, at) => words.map((word, n) => (n === at ? withUmlauts(word) : word)).join(' '))
    return [name, withoutUmlauts(name), withUmlauts(name), ...one]
  })
  return [...new Set(all)]
}

const SPELLED: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Ø: 'Oe',
  Å: 'Aa',
}
const withoutUmlauts = (name: string) => name.replaceAll(/[äöüøå]/gi, (letter) => SPELLED[letter] as string)
/** As words compare, which is without the dots. */
const withUmlauts = (name: string) => name.replaceAll(/([aou])e/gi, '$1')

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
export function nameVariants(fullName: string): string[] {
  const names = spellingsOf(fullName).flatMap((name) => [wordsOf(name), ...shortNames(name)])
  return [...new Set(names.filter((words) => words.length > 1).map((words) => words.join(' ')))]
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
